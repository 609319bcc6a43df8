package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.NodeSet;
import dev.tutti.allocator.board.Trail;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts pod sets with bonds to each other into a domain. Sets that share a domain get the smallest part that holds them,
 * and a set that must be apart from others passes by what those have.
 *
 * <p>A heuristic: what it finds keeps all bonds, and that it finds nothing proves nothing. Three ways to choose parts for
 * sets that must be apart ({@link Parting.Way}) are tried, each with several orders of the sets: whichever set found no
 * room goes first the next time. As long as there is {@link Work} left; the first order of each way is always tried.
 */
final class Companions {

    private static final Comparator<Domain> SMALLEST_FIRST = Comparator.comparingLong(Domain::rank);

    /** Orders of sets tried in one domain: where the policy chooses, and where sets fill part after part. */
    private static final int ORDERS = 4;

    private static final int PARTED_ORDERS = 64;

    private final Board board;
    private final Parts parts;
    private final Filling filling;
    private final Work work;
    /** The sets that found no room the last time, and of them the one that found none in the last part tried. */
    private int[] failed = new int[0];

    private int[] failedFirst = new int[0];

    Companions(Board board, Filling filling, Work work) {
        this.board = board;
        this.parts = new Parts(board, work);
        this.filling = filling;
        this.work = work;
    }

    /** Places all of the target; false, with nothing placed, when it found no way. */
    boolean place(Request request, Domain domain, int[] sets, int[] target, Trail trail) {
        filling.parting().use(Parting.Way.POLICY, null);
        boolean placed = inOrders(request, domain, sets, ORDERS, target, trail);
        if (placed || !request.bonds.part()) {
            return placed;
        }
        Supply supply = Supply.of(board, work, request, domain, target);
        int[] order = supply.scarcestFirst(sets);
        filling.parting().use(Parting.Way.FEWEST, null);
        placed = inOrders(request, domain, order, PARTED_ORDERS, target, trail);
        filling.parting().use(Parting.Way.CHEAPEST, supply);
        placed = placed || inOrders(request, domain, order, PARTED_ORDERS, target, trail);
        filling.parting().use(Parting.Way.POLICY, null);
        return placed;
    }

    private boolean inOrders(Request request, Domain domain, int[] sets, int most, int[] target, Trail trail) {
        List<int[]> tried = new ArrayList<>();
        int[] order = sets;
        while (tried.size() < most && (tried.isEmpty() || !work.isSpent()) && isNew(order, tried)) {
            if (once(request, domain, order, target, trail)) {
                return true;
            }
            tried.add(order);
            order = toFront(toFront(order, failedFirst), failed);
        }
        return false;
    }

    /** An order that comes again fails again, and leads to those that followed it. */
    private static boolean isNew(int[] order, List<int[]> tried) {
        return tried.stream().noneMatch(one -> Arrays.equals(one, order));
    }

    /** These sets first, all others behind them in the order they have. */
    private static int[] toFront(int[] order, int[] some) {
        int[] changed = new int[order.length];
        int front = 0;
        int back = some.length;
        for (int set : order) {
            boolean isOne = Arrays.stream(some).anyMatch(one -> one == set);
            changed[isOne ? front++ : back++] = set;
        }
        return changed;
    }

    private boolean once(Request request, Domain domain, int[] sets, int[] target, Trail trail) {
        int mark = trail.size();
        int depth = request.bonds.widestBelow(domain.depth(), sets);
        List<int[]> groups = request.bonds.groups(sets, depth < 0 ? Integer.MAX_VALUE : depth);
        for (int[] group : groups) {
            failedFirst = group;
            boolean placed = group.length == 1
                    ? fill(request, domain, group[0], target[group[0]], trail)
                    : inSomePart(request, domain, depth, group, target, trail);
            if (!placed) {
                trail.undoTo(mark);
                failed = group;
                return false;
            }
        }
        return true;
    }

    /** Places up to {@code wanted} more pods of a set beside those on the trail. Returns how many. */
    int fillUp(Request request, Domain domain, int set, int wanted, Trail trail) {
        int depth = request.bonds.narrowest(set);
        for (int pod = 0; pod < trail.size() && depth > domain.depth(); pod++) {
            if (trail.set(pod) == set) {
                Domain shared = inside(domain, depth, parts.at(depth, trail.position(pod)), new int[] {set});
                return shared == null
                        ? 0
                        : filling.fillUp(apart(request, domain, set, trail), shared, set, wanted, trail);
            }
        }
        return filling.fillUp(apart(request, domain, set, trail), domain, set, wanted, trail);
    }

    private boolean fill(Request request, Domain domain, int set, int wanted, Trail trail) {
        return filling.fill(apart(request, domain, set, trail), domain, set, wanted, trail) == wanted;
    }

    private Request apart(Request request, Domain domain, int set, Trail trail) {
        NodeSet nodes = request.shapes[set].nodes();
        NodeSet left = request.bonds.apart(nodes, set, domain.choice()[set], trail, parts);
        return left == nodes ? request : request.with(set, request.shapes[set].on(left));
    }

    private boolean inSomePart(Request request, Domain domain, int depth, int[] group, int[] target, Trail trail) {
        Request left = request;
        for (int set : group) {
            left = apart(left, domain, set, trail);
        }
        boolean first = true;
        for (Domain part : partsFor(left, domain, depth, group, target)) {
            if (!first && work.isSpent()) {
                return false;
            }
            first = false;
            work.spend(Work.TRY);
            if (once(left, part, group, target, trail)) {
                return true;
            }
        }
        return false;
    }

    /** Parts that hold each of the sets alone, smallest first. */
    private List<Domain> partsFor(Request request, Domain domain, int depth, int[] group, int[] target) {
        List<Domain> found = new ArrayList<>();
        int whole = domain.part()[group[0]];
        int end = parts.end(domain.depth(), whole, depth);
        for (int part = parts.begin(domain.depth(), whole, depth); part < end; part++) {
            Domain inside = inside(domain, depth, part, group);
            if (inside != null && holdsEach(request, inside, group, target)) {
                found.add(inside);
            }
        }
        found.sort(SMALLEST_FIRST);
        return found;
    }

    private boolean holdsEach(Request request, Domain domain, int[] group, int[] target) {
        for (int set : group) {
            if (parts.holds(request, set, domain.depth(), domain.part()[set], target[set]) < target[set]) {
                return false;
            }
        }
        return true;
    }

    /** The domain's part of this depth, for these sets only; null when it has nothing for one of them. */
    private @Nullable Domain inside(Domain domain, int depth, int part, int[] group) {
        int[] bySet = new int[domain.choice().length];
        Arrays.fill(bySet, -1);
        int node = parts.lo(depth, part);
        for (int set : group) {
            bySet[set] = parts.around(depth, node, domain.choice()[set]);
            if (bySet[set] < 0) {
                return null;
            }
        }
        return new Domain(domain.choice(), depth, bySet, parts.size(depth, part), 0);
    }
}
