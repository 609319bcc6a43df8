package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Cells;
import dev.tutti.allocator.board.PodShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The domains of one depth that could hold a gang, smallest first: the one with the fewest free whole GPUs, so that
 * larger holes stay. For a gang of one pod set the first is certain to hold it and is the only one returned; with several
 * sets each fits alone, and only placing them shows whether they fit together.
 */
final class DomainSearch {

    private static final Comparator<Domain> SMALLEST_FIRST =
            Comparator.comparingLong(Domain::rank).thenComparingLong(Domain::around);

    /**
     * Domains looked at closely for one job of several pod sets; bounds what one odd job can cost all others. No question
     * may use up more than half of what is left, so that there are always some for wider domains.
     */
    private static final int LOOKS_PER_JOB = 100_000;

    private static final int LEAST_LOOKS = 100;

    private final Board board;
    private final Cells cells;
    private final Parts parts;
    private final Work work;
    private int looksOfJob = LOOKS_PER_JOB;
    private int looksLeft;
    private boolean complete = true;

    /** @param work pays for nodes that are looked at */
    DomainSearch(Board board, Work work) {
        this.board = board;
        this.work = work;
        this.cells = board.layout.cells;
        this.parts = new Parts(board, work);
    }

    /** Whether the last question was answered with every domain there is. */
    boolean isComplete() {
        return complete;
    }

    /** Forgets what the last job cost. */
    void begin() {
        looksOfJob = LOOKS_PER_JOB;
    }

    /**
     * Finds them.
     *
     * @param choices flavor choices to look at, equally welcome
     * @param target pods of each set that must fit
     * @param fullest prefer domains that hold most pods of the gang to small ones
     */
    List<Domain> find(Request request, List<int[]> choices, int depth, int[] target, boolean fullest) {
        List<Domain> found = new ArrayList<>();
        int looks = Math.max(LEAST_LOOKS, looksOfJob / 2);
        looksLeft = looks;
        boolean one = request.sets() == 1;
        complete = true;
        Domain best = null;
        for (int[] choice : choices) {
            int end = end(choice[0], depth);
            for (int part = begin(choice[0], depth); part < end; part++) {
                Domain domain = look(request, choice, depth, part, target, fullest, best);
                if (domain != null && one) {
                    best = domain;
                } else if (domain != null) {
                    found.add(domain);
                }
            }
        }
        if (best != null) {
            found.add(best);
        }
        looksOfJob = Math.max(0, looksOfJob - looks + looksLeft);
        found.sort(SMALLEST_FIRST);
        return found;
    }

    private @Nullable Domain look(
            Request request, int[] choice, int depth, int part, int[] target, boolean fullest, @Nullable Domain best) {
        long size = parts.size(depth, part);
        long around = around(depth, part);
        if (request.sets() == 1) {
            if (!fullest && best != null && best.isBefore(size, around)) {
                return null;
            }
            int enough = fullest ? request.count[0] : target[0];
            int holds = holds(request, 0, depth, part, target[0], enough);
            long rank = fullest ? rankOf(enough - holds, size) : size;
            return holds < target[0] || (best != null && best.isBefore(rank, around))
                    ? null
                    : new Domain(choice, depth, new int[] {part}, rank, around);
        }
        int[] inDomain = partsOf(choice, depth, part);
        if (inDomain == null) {
            return null;
        }
        if (looksLeft == 0 || work.isSpent()) {
            complete = false;
            return null;
        }
        looksLeft--;
        if (isTooSmall(request, depth, inDomain, target)) {
            return null;
        }
        for (int s = 0; s < inDomain.length; s++) {
            if (holds(request, s, depth, inDomain[s], target[s], target[s]) < target[s]) {
                return null;
            }
        }
        long all = totalSize(choice, depth, inDomain);
        return new Domain(choice, depth, inDomain, fullest ? -all : all, around);
    }

    /** Whether the sets together need more GPUs of one flavor than there are, though each alone may fit. */
    private boolean isTooSmall(Request request, int depth, int[] inDomain, int[] target) {
        for (int part : inDomain) {
            long whole = 0;
            long milli = 0;
            for (int s = 0; s < inDomain.length; s++) {
                PodShape shape = request.shapes[s];
                boolean here = inDomain[s] == part;
                whole += here && shape.isWhole() ? (long) shape.devices() * target[s] : 0;
                milli += here ? shape.gpuMilli() * target[s] : 0;
            }
            if (whole > parts.whole(depth, part) || milli > parts.left(depth, part)) {
                return true;
            }
        }
        return false;
    }

    private static long rankOf(int missing, long size) {
        return Math.min(missing, 1 << 15) * (1L << 48) + Math.min(size, (1L << 48) - 1);
    }

    private int begin(int flavor, int depth) {
        int lo = board.layout.flavorLo[flavor];
        return depth < cells.depths() ? cells.of[depth][lo] : lo;
    }

    private int end(int flavor, int depth) {
        int last = board.layout.flavorLo[flavor + 1] - 1;
        return (depth < cells.depths() ? cells.of[depth][last] : last) + 1;
    }

    /** What the same domain has for the other sets; null when it has nothing for one of them. */
    private int @Nullable [] partsOf(int[] choice, int depth, int first) {
        int[] found = new int[choice.length];
        for (int s = 0; s < choice.length; s++) {
            boolean same = choice[s] == choice[0];
            if (depth == cells.depths() && !same) {
                return null;
            }
            found[s] = same ? first : cells.find(cells.domain[first], choice[s]);
            if (found[s] < 0) {
                return null;
            }
        }
        return found;
    }

    /** Pods that fit, at most {@code enough}; maybe 0 where it is clear that fewer than {@code needed} do. */
    private int holds(Request request, int set, int depth, int part, int needed, int enough) {
        if (depth == cells.depths()) {
            return parts.holds(request, set, depth, part, enough);
        }
        PodShape shape = request.shapes[set];
        boolean tooFew = shape.isWhole() && board.cellWhole(part) < (long) shape.devices() * needed;
        if (tooFew || board.cellMilli(part) < shape.gpuMilli() * needed) {
            return 0;
        }
        return parts.holds(request, set, depth, part, enough);
    }

    /** Size of what the next wider domain has of the same flavor. */
    private long around(int depth, int part) {
        if (depth == 0) {
            return 0;
        }
        int p = depth < cells.depths() ? cells.lo[part] : part;
        return parts.size(depth - 1, cells.of[depth - 1][p]);
    }

    private long totalSize(int[] choice, int depth, int[] inDomain) {
        long total = 0;
        for (int s = 0; s < inDomain.length; s++) {
            boolean counted = false;
            for (int before = 0; before < s; before++) {
                counted |= choice[before] == choice[s];
            }
            total += counted ? 0 : parts.size(depth, inDomain[s]);
        }
        return total;
    }
}
