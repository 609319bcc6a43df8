package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.NicRoom;
import dev.tutti.allocator.board.PodShape;
import java.util.Arrays;

/**
 * What a gang of several pod sets needs at least, against what a domain has: proofs that it does not fit, without trying.
 * That none of them speaks against it proves nothing.
 *
 * <ul>
 *   <li>CPU, memory, NICs and pod slots of all sets of a flavor together, on the nodes that some of them may use.
 *   <li>Sets that are apart from each other share no part: the fewest parts that each needs, all together.
 *   <li>Pods of a kind are no easier to place than as many of the smallest of them.
 * </ul>
 */
final class Bounds {

    private final Board board;
    private final Parts parts;
    private final Work work;

    Bounds(Board board, Work work) {
        this.board = board;
        this.parts = new Parts(board, work);
        this.work = work;
    }

    /** Whether it is certain that so many pods of each set do not fit into the domain together. */
    boolean ruleOut(Request request, Domain domain, int[] target) {
        for (int s = 0; s < request.sets(); s++) {
            int[] sets = of(domain, s);
            if (sets[0] == s && ruleOutFlavor(request, domain, sets, target)) {
                return true;
            }
        }
        return false;
    }

    /** Sets with the flavor of this one. */
    private static int[] of(Domain domain, int set) {
        int[] sets = new int[domain.choice().length];
        int size = 0;
        for (int s = 0; s < sets.length; s++) {
            if (domain.choice()[s] == domain.choice()[set]) {
                sets[size++] = s;
            }
        }
        return Arrays.copyOf(sets, size);
    }

    private boolean ruleOutFlavor(Request request, Domain domain, int[] sets, int[] target) {
        return needMoreThanThereIs(request, domain, sets, target)
                || needMoreParts(request, domain, sets, target)
                || areTooManyOfAKind(request, domain, sets, target);
    }

    private boolean needMoreThanThereIs(Request request, Domain domain, int[] sets, int[] target) {
        long[] left = new long[4];
        for (int s : sets) {
            PodShape shape = request.shapes[s];
            left[0] -= shape.cpuMilli() * target[s];
            left[1] -= shape.memoryMib() * target[s];
            left[2] -= (long) shape.nics() * target[s];
            left[3] -= target[s];
        }
        int lo = domain.lo(board.layout.cells, sets[0]);
        int hi = domain.hi(board.layout.cells, sets[0]);
        work.spend(hi - lo);
        for (int p = lo; p < hi; p++) {
            if (board.open(p) && mayUse(request, sets, p)) {
                left[0] += Math.max(0, board.cpu(p));
                left[1] += Math.max(0, board.memory(p));
                left[2] += NicRoom.free(board, p, PodShape.ANY_RESOURCE);
                left[3] += Math.max(0, board.pods(p));
            }
        }
        return Arrays.stream(left).anyMatch(amount -> amount < 0);
    }

    private static boolean mayUse(Request request, int[] sets, int p) {
        for (int s : sets) {
            if (request.shapes[s].nodes().has(p)) {
                return true;
            }
        }
        return false;
    }

    private boolean needMoreParts(Request request, Domain domain, int[] sets, int[] target) {
        for (int depth = domain.depth() + 1; depth <= board.layout.cells.depths(); depth++) {
            boolean[] counted = new boolean[request.sets()];
            for (int s : sets) {
                boolean isNew = !counted[s] && request.bonds.nextApart(s, depth - 1) == depth;
                if (isNew && needMoreParts(request, domain, sets, s, depth, target, counted)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether some sets, each apart from all others at this depth, one of them {@code first}, need too many parts. */
    private boolean needMoreParts(
            Request request, Domain domain, int[] sets, int first, int depth, int[] target, boolean[] counted) {
        int part = domain.part()[first];
        int begin = parts.begin(domain.depth(), part, depth);
        boolean[] usable = new boolean[parts.end(domain.depth(), part, depth) - begin];
        int[] clique = new int[sets.length];
        int size = 0;
        long needed = 0;
        for (int i = -1; i < sets.length; i++) {
            int s = i < 0 ? first : sets[i];
            if (i >= 0 && s == first || !isApartFromAll(request, s, clique, size, depth)) {
                continue;
            }
            clique[size++] = s;
            counted[s] = true;
            needed += fewest(request, s, depth, begin, usable, target[s]);
        }
        int there = 0;
        for (boolean one : usable) {
            there += one ? 1 : 0;
        }
        return needed > there;
    }

    private static boolean isApartFromAll(Request request, int set, int[] others, int size, int depth) {
        for (int i = 0; i < size; i++) {
            if (request.bonds.apartDepth(set, others[i]) > depth) {
                return false;
            }
        }
        return true;
    }

    /** The fewest parts that hold the pods; marks those that hold any. */
    private int fewest(Request request, int set, int depth, int begin, boolean[] usable, int wanted) {
        int[] holds = new int[usable.length];
        for (int i = 0; i < holds.length; i++) {
            holds[i] = parts.pods(request.shapes[set], depth, begin + i, wanted);
            usable[i] |= holds[i] > 0;
        }
        Arrays.sort(holds);
        int left = wanted;
        int count = 0;
        while (left > 0 && count < holds.length) {
            left -= holds[holds.length - ++count];
        }
        return left > 0 ? holds.length + 1 : count;
    }

    /** Whether pods of the same kind, hardest sets first, would be too many even if all were as the easiest of them. */
    private boolean areTooManyOfAKind(Request request, Domain domain, int[] sets, int[] target) {
        for (int s : sets) {
            PodShape least = request.shapes[s];
            long pods = 0;
            int counted = 0;
            for (int other : sets) {
                PodShape shape = request.shapes[other];
                if (isOfKind(shape, request.shapes[s]) && shape.gpuMilli() >= request.shapes[s].gpuMilli()) {
                    least = smaller(least, shape);
                    pods += target[other];
                    counted++;
                }
            }
            int enough = (int) Math.min(pods, Integer.MAX_VALUE);
            if (counted > 1 && parts.pods(least, domain.depth(), domain.part()[s], enough) < enough) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfKind(PodShape a, PodShape b) {
        return a.isWhole() == b.isWhole() && a.isShare() == b.isShare() && a.mig() == b.mig();
    }

    private static PodShape smaller(PodShape a, PodShape b) {
        return new PodShape(
                Math.min(a.devices(), b.devices()),
                Math.min(a.milli(), b.milli()),
                a.mig(),
                Math.min(a.cpuMilli(), b.cpuMilli()),
                Math.min(a.memoryMib(), b.memoryMib()),
                a.nodes().or(b.nodes()),
                Math.min(a.nics(), b.nics()),
                PodShape.ANY_RESOURCE);
    }
}
