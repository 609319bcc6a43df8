package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Area;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.board.Trail;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Places one gang, whole or not at all. Looks first at flavors in order of wish; for one flavor first for room for all
 * pods, then for the smallest start; for that first at the domains wished for, then at wider ones, as far as allowed.
 * Not safe for use by two threads.
 */
public final class Search {

    /** Steps of exact search for one job, and for all jobs this object is asked about. */
    private static final int EXACT_STEPS_PER_JOB = 20_000;

    private static final int EXACT_STEPS = 2_000_000;

    /**
     * Domains in which placing is tried for one job; only several pod sets need more than one. No depth may use up more
     * than half of what is left, so that hopeless narrow domains, however many, never keep a job from a wide one.
     */
    private static final int DOMAINS_PER_JOB = 2_000;

    /** Times that each set may be looked for on every node, and placed, whatever other jobs cost. */
    private static final int LEAST_TRIES = 2;

    /** Orders of pod sets that the quick way tries in one domain. */
    private static final int ORDERS = 4;

    private final Board board;
    private final DomainSearch domains;
    private final Filling filling;
    private final Companions companions;
    private final NodeChoice choice;
    private final Bounds bounds;
    private final Apartness apartness;
    private final Work work = new Work();
    private int exactSteps = EXACT_STEPS;
    private int exactStepsOfJob;
    private int domainsLeft;
    /** Whether every way was tried or ruled out so far. */
    private boolean isCertain;

    private boolean isRuledOut;

    /** @param choice which of the nodes that hold a pod it gets */
    public Search(Board board, NodeChoice choice) {
        this.board = board;
        this.domains = new DomainSearch(board, work);
        this.filling = new Filling(board, choice, work);
        this.companions = new Companions(board, filling, work);
        this.bounds = new Bounds(board, work);
        this.apartness = new Apartness(board);
        this.choice = choice;
    }

    /**
     * Places the gang.
     *
     * @param room what the job may take of each flavor by quota
     * @param trail gets the pods; unchanged when the answer is false
     */
    public boolean place(Request request, Room room, Trail trail) {
        exactStepsOfJob = Math.min(EXACT_STEPS_PER_JOB, exactSteps);
        domainsLeft = DOMAINS_PER_JOB;
        domains.begin();
        work.begin(least(request));
        for (int[][] round : choices(request, room)) {
            boolean placed = request.isOnePod()
                    ? placeOne(request, round, room, trail)
                    : placeAll(request, round, room, trail) || placeLeast(request, round, room, trail);
            if (placed) {
                return true;
            }
        }
        isCertain = isCertain || request.bonds.part() && apartness.find(request.within(room)) != null;
        return false;
    }

    /** Where there are too many, none that room or what is free in all rules out. */
    private int[][][] choices(Request request, Room room) {
        isCertain = true;
        if (request.hasAllChoices()) {
            return request.choices;
        }
        FewChoices few = FewChoices.within(request, room, board);
        isCertain = few.areAll();
        return few.inRounds();
    }

    /**
     * Whether the last answer, if it was that no place was found, is certain: a gang of one set is placed whenever there is
     * a way; several sets are certain to have none only when a bound rules it out or every way was tried.
     */
    public boolean isCertain() {
        return isCertain;
    }

    /** Steps of {@link Work} that a gang gets in any case. */
    private long least(Request request) {
        long pods = Arrays.stream(request.count).asLongStream().sum();
        long looks = (long) request.sets() * board.layout.nodes();
        return request.sets() == 1 ? 0 : LEAST_TRIES * (pods * Work.POD + looks);
    }

    /** One pod is in one domain of every level wherever it goes. */
    private boolean placeOne(Request request, int[][] round, Room room, Trail trail) {
        PodShape shape = request.shapes[0];
        Area area = new Area(round.length);
        for (int[] choice : round) {
            if (room.holdsOne(request, 0, choice[0])) {
                area.add(board.layout.flavorLo[choice[0]], board.layout.flavorLo[choice[0] + 1]);
            }
        }
        if (!choice.find(shape, area)) {
            return false;
        }
        trail.place(0, shape, choice.node(), choice.device());
        return true;
    }

    private boolean placeAll(Request request, int[][] round, Room room, Trail trail) {
        List<int[]> choices = within(request, round, room, request.count);
        return inSomeDomain(request, choices, request.near.narrowest, request.count, false, trail) != null;
    }

    /** As many pods as fit count for more than being nearer than anybody asked: in wider domains there is more room. */
    private boolean placeLeast(Request request, int[][] round, Room room, Trail trail) {
        if (!request.isElastic()) {
            return false;
        }
        List<int[]> choices = within(request, round, room, request.min);
        Domain domain = inSomeDomain(request, choices, request.near.narrowestOfLeast, request.min, true, trail);
        if (domain != null) {
            addExtras(request, domain, room, trail);
        }
        return domain != null;
    }

    private static List<int[]> within(Request request, int[][] round, Room room, int[] target) {
        List<int[]> choices = new ArrayList<>();
        for (int[] choice : round) {
            if (room.holds(request, choice, target)) {
                choices.add(choice);
            }
        }
        return choices;
    }

    private @Nullable Domain inSomeDomain(
            Request request, List<int[]> choices, int narrowest, int[] target, boolean fullest, Trail trail) {
        boolean decides = fullest || !request.isElastic();
        for (int depth = narrowest; depth >= request.near.widest && !choices.isEmpty(); depth--) {
            if (!request.bonds.allowDepth(depth)) {
                continue;
            }
            boolean last = depth == request.near.widest;
            allow(last);
            List<Domain> found = domains.find(request, choices, depth, target, fullest);
            isCertain &= !last || !decides || domains.isComplete();
            int tries = Math.min(found.size(), Math.max(1, domainsLeft / 2));
            for (int i = 0; i < found.size(); i++) {
                boolean isOne = request.sets() == 1;
                if (i == tries || i > 0 && !isOne && work.isSpent()) {
                    isCertain &= !last || !decides;
                    break;
                }
                domainsLeft--;
                if (inDomain(request, found.get(i), target, trail)) {
                    return found.get(i);
                }
                isCertain &= !last || !decides || isRuledOut;
            }
        }
        return null;
    }

    /** Hopeless narrow domains, however many, never keep a job from a wide one. */
    private void allow(boolean last) {
        if (last) {
            work.useAll();
        } else {
            work.useHalf();
        }
    }

    private boolean inDomain(Request request, Domain domain, int[] target, Trail trail) {
        int[] order = hardestFirst(request);
        isRuledOut = order.length == 1 || request.hasBonds() && bounds.ruleOut(request, domain, target);
        if (isRuledOut && order.length > 1) {
            return false;
        }
        if (inOrder(request, domain, order, target, trail)) {
            return true;
        }
        isRuledOut |= !request.hasBonds() && bounds.ruleOut(request, domain, target);
        if (isRuledOut) {
            return false;
        }
        for (int i = 1; i < Math.min(order.length, ORDERS) && !request.hasBonds(); i++) {
            if (inOrder(request, domain, toFront(order, i), target, trail)) {
                return true;
            }
        }
        return exactly(request, domain, order, target, trail);
    }

    private boolean inOrder(Request request, Domain domain, int[] order, int[] target, Trail trail) {
        if (request.hasBonds()) {
            return companions.place(request, domain, order, target, trail);
        }
        int mark = trail.size();
        for (int set : order) {
            if (filling.fill(request, domain, set, target[set], trail) < target[set]) {
                trail.undoTo(mark);
                return false;
            }
        }
        return true;
    }

    private static int[] toFront(int[] order, int index) {
        int[] changed = order.clone();
        System.arraycopy(order, 0, changed, 1, index);
        changed[0] = order[index];
        return changed;
    }

    private boolean exactly(Request request, Domain domain, int[] order, int[] target, Trail trail) {
        ExactSearch exact = new ExactSearch(board, request, domain, order, target, trail, exactStepsOfJob);
        boolean placed = exact.place();
        isRuledOut = exact.isExhaustive();
        exactSteps -= exactStepsOfJob - exact.stepsLeft();
        exactStepsOfJob = exact.stepsLeft();
        return placed;
    }

    private void addExtras(Request request, Domain domain, Room room, Trail trail) {
        Room left = room.copy();
        for (int s = 0; s < request.sets(); s++) {
            left.take(request, s, domain.choice()[s], request.min[s]);
        }
        for (int s = 0; s < request.sets(); s++) {
            int flavor = domain.choice()[s];
            long wanted = left.podsOf(request, s, flavor, request.count[s] - request.min[s]);
            wanted -= wanted % request.near.segmentPods[s];
            int added = request.hasBonds()
                    ? companions.fillUp(request, domain, s, (int) wanted, trail)
                    : filling.fillUp(request, domain, s, (int) wanted, trail);
            left.take(request, s, flavor, added);
        }
    }

    /** Sets whose pods need most GPUs first, then most CPU, then most memory, then most NICs. */
    private static int[] hardestFirst(Request request) {
        int[] order = new int[request.sets()];
        for (int s = 0; s < order.length; s++) {
            int at = s;
            while (at > 0 && isHarder(request.shapes[s], request.shapes[order[at - 1]])) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = s;
        }
        return order;
    }

    private static boolean isHarder(PodShape a, PodShape b) {
        if (a.gpuMilli() != b.gpuMilli()) {
            return a.gpuMilli() > b.gpuMilli();
        }
        if (a.cpuMilli() != b.cpuMilli()) {
            return a.cpuMilli() > b.cpuMilli();
        }
        return a.memoryMib() != b.memoryMib() ? a.memoryMib() > b.memoryMib() : a.nics() > b.nics();
    }
}
