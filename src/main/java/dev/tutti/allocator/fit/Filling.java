package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Area;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.board.Trail;
import dev.tutti.model.Limits;
import java.util.Arrays;

/**
 * Puts equal pods into a domain. A set with a topology wish of its own first gets a part of the domain: the smallest that
 * holds it. At the depth wished for, or deeper, each pod goes where it fits tightest. In a wider part the pods are kept
 * together first: the smallest part below that holds all of them; else the largest as full as it goes, and the same again
 * for the rest. Segments are never cut: so the fewest domains are broken, and the last of them is the smallest. A set that
 * must be apart from others fills part after part where {@link Parting} says so, else as any set.
 */
final class Filling {

    /** A key of {@link #fullestFirst}: pods missing, milli-GPU left, index, from high bits to low. */
    private static final long INDEX = (1 << 21) - 1;

    private static final long LEFT = (1 << 27) - 1;

    private final Parts parts;
    private final NodeChoice choice;
    private final Work work;
    private final Parting parting;

    /** @param work pays for pods and for nodes that are looked at */
    Filling(Board board, NodeChoice choice, Work work) {
        this.parts = new Parts(board, work);
        this.choice = choice;
        this.work = work;
        this.parting = new Parting(parts, work);
    }

    /** In which order sets that must be apart from others fill parts, from now on. */
    Parting parting() {
        return parting;
    }

    /** Places up to {@code wanted} pods of a set in the domain. Returns how many. */
    int fill(Request request, Domain domain, int set, int wanted, Trail trail) {
        int depth = domain.depth();
        int part = domain.part()[set];
        int widest = request.near.setWidest[set];
        for (int below = request.near.setNarrowest[set]; below > depth && below >= widest; below--) {
            int best = best(request, set, domain, below, wanted, request.count[set]);
            if (best >= 0) {
                return inSegments(request, set, below, best, wanted, trail);
            }
        }
        if (widest <= depth) {
            return inSegments(request, set, depth, part, wanted, trail);
        }
        int fullest = best(request, set, domain, widest, 1, wanted);
        return fullest < 0 ? 0 : inSegments(request, set, widest, fullest, wanted, trail);
    }

    /** Places up to {@code wanted} more pods of a set beside those on the trail. Returns how many. */
    int fillUp(Request request, Domain domain, int set, int wanted, Trail trail) {
        int widest = request.near.setWidest[set];
        for (int pod = 0; pod < trail.size() && widest > domain.depth(); pod++) {
            if (trail.set(pod) == set) {
                return inSegments(request, set, widest, parts.at(widest, trail.position(pod)), wanted, trail);
            }
        }
        return inSegments(request, set, domain.depth(), domain.part()[set], wanted, trail);
    }

    /** Places up to {@code wanted} pods one after the other where each fits tightest. Returns how many. */
    int tight(int set, PodShape shape, Area area, int wanted, Trail trail) {
        int placed = 0;
        while (placed < wanted && choice.find(shape, area)) {
            trail.place(set, shape, choice.node(), choice.device());
            placed++;
        }
        work.spend((long) placed * Work.POD);
        return placed;
    }

    /** Of the domain's parts at this depth that hold what is needed the one that holds most of what is hoped for. */
    private int best(Request request, int set, Domain domain, int depth, int needed, int hoped) {
        int best = -1;
        int most = 0;
        int part = domain.part()[set];
        int end = parts.end(domain.depth(), part, depth);
        for (int below = parts.begin(domain.depth(), part, depth); below < end; below++) {
            int holds = parts.segments(request, set, depth, below, hoped);
            boolean enough = holds >= needed && holds >= most;
            if (enough && (holds > most || parts.size(depth, below) < parts.size(depth, best))) {
                best = below;
                most = holds;
            }
        }
        return best;
    }

    /** Places no more than whole segments. */
    private int inSegments(Request request, int set, int depth, int part, int wanted, Trail trail) {
        boolean cut = request.near.segmentPods[set] > 1;
        int whole = cut ? parts.segments(request, set, depth, part, wanted) : wanted;
        return spread(request, set, depth, part, whole, trail);
    }

    private int spread(Request request, int set, int depth, int part, int wanted, Trail trail) {
        int together = Math.max(request.near.together[set], request.near.segmentDepth[set]);
        boolean parted = depth >= together;
        int below = parted ? parting.below(request, set, depth) : depth + 1;
        if (below == Bonds.NEVER) {
            return tight(set, request.shapes[set], parts.area(depth, part), wanted, trail);
        }
        int begin = parts.begin(depth, part, below);
        int[] holds = new int[parts.end(depth, part, below) - begin];
        for (int i = 0; i < holds.length; i++) {
            holds[i] = below <= request.near.segmentDepth[set]
                    ? parts.segments(request, set, below, begin + i, wanted)
                    : parts.pods(request.shapes[set], below, begin + i, wanted);
        }
        return parted
                ? partAfterPart(request, set, below, begin, holds, wanted, trail)
                : inOrder(request, set, below, begin, holds, wanted, trail);
    }

    /** All or none, in the order of {@link Parting}; the last part is the cheapest that holds the rest, unless the gang uses one. */
    private int partAfterPart(Request request, int set, int depth, int begin, int[] holds, int wanted, Trail trail) {
        if (Arrays.stream(holds).asLongStream().sum() < wanted) {
            return 0;
        }
        long[] order = parting.order(request, set, depth, begin, holds, trail);
        int placed = 0;
        for (int next = 0; next < order.length && placed < wanted; next++) {
            int i = (int) (order[next] & Parting.INDEX);
            boolean isUsed = order[next] == i;
            if (!isUsed && holds[i] >= wanted - placed) {
                i = parting.cheapest(request, set, depth, begin, holds, wanted - placed, trail);
            }
            int wantedThere = Math.min(holds[i], wanted - placed);
            holds[i] = 0;
            placed += wantedThere == 0 ? 0 : spread(request, set, depth, begin + i, wantedThere, trail);
        }
        return placed;
    }

    /** The part with least free that holds all that is left to place; while none does, the one that holds most. */
    private int inOrder(Request request, int set, int depth, int begin, int[] holds, int wanted, Trail trail) {
        long[] order = fullestFirst(depth, begin, holds);
        int placed = 0;
        for (int next = 0; next < order.length && placed < wanted; next++) {
            int i = (int) (order[next] & INDEX);
            if (holds[i] >= wanted - placed) {
                i = tightest(holds, begin, depth, wanted - placed);
            }
            int wantedThere = Math.min(holds[i], wanted - placed);
            holds[i] = 0;
            placed += wantedThere == 0 ? 0 : spread(request, set, depth, begin + i, wantedThere, trail);
        }
        return placed;
    }

    private long[] fullestFirst(int depth, int begin, int[] holds) {
        long[] order = new long[holds.length];
        for (int i = 0; i < order.length; i++) {
            long left = Math.min(parts.left(depth, begin + i), LEFT);
            order[i] = ((long) (Limits.PODS_PER_SET - holds[i]) << 48) + (left << 21) + i;
        }
        Arrays.sort(order);
        return order;
    }

    private int tightest(int[] holds, int begin, int depth, int wanted) {
        int best = -1;
        for (int i = 0; i < holds.length; i++) {
            boolean tighter = best < 0 || parts.left(depth, begin + i) < parts.left(depth, begin + best);
            if (holds[i] >= wanted && tighter) {
                best = i;
            }
        }
        return best;
    }
}
