package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Capacity;
import dev.tutti.allocator.board.MigTable;
import dev.tutti.allocator.board.NicRoom;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.board.Trail;
import dev.tutti.model.fleet.MigLayout;

/**
 * Tries every way to put the pod sets of a small gang into a domain, for when the quick way found none: sets of
 * different shapes can take each other's room. Gives up after a bounded number of steps; large gangs are not tried.
 */
final class ExactSearch {

    /** Gangs with more pods are left to the quick way. */
    private static final int MOST_PODS = 64;

    private final Board board;
    private final Parts parts;
    private final Request request;
    private final Domain domain;
    private final int[] order;
    private final int[] target;
    private final Trail trail;
    private int stepsLeft;
    private boolean isSmall;

    /**
     * Prepares one search.
     *
     * @param order pod sets in the order in which they are placed
     * @param target pods of each set
     * @param steps nodes it may look at
     */
    ExactSearch(Board board, Request request, Domain domain, int[] order, int[] target, Trail trail, int steps) {
        this.board = board;
        this.parts = new Parts(board, new Work());
        this.request = request;
        this.domain = domain;
        this.order = order;
        this.target = target;
        this.trail = trail;
        this.stepsLeft = steps;
    }

    /** Places all of the target; false, with nothing placed, when it found no way. */
    boolean place() {
        int pods = 0;
        for (int wanted : target) {
            pods += wanted;
        }
        isSmall = pods <= MOST_PODS;
        return isSmall && next(0, 0, -1, -1);
    }

    /** Whether a search that found no way tried every one. */
    boolean isExhaustive() {
        return isSmall && stepsLeft > 0;
    }

    int stepsLeft() {
        return stepsLeft;
    }

    /** Places the pod after {@code done} pods of the set whose turn it is, not before the last one of that set. */
    private boolean next(int turn, int done, int lastNode, int lastDevice) {
        if (turn == order.length) {
            return true;
        }
        int set = order[turn];
        if (done == target[set]) {
            return next(turn + 1, 0, -1, -1);
        }
        int hi = end(set, done, lastNode);
        for (int p = Math.max(lastNode, domain.lo(board.layout.cells, set)); p < hi && stepsLeft > 0; p++) {
            stepsLeft--;
            int first = p == lastNode ? lastDevice : board.layout.deviceLo[p];
            boolean fits = Capacity.ofNode(board, p, request.shapes[set], 1) > 0;
            if (fits && request.bonds.allow(set, p, trail, parts) && onNode(turn, done, p, first)) {
                return true;
            }
        }
        return false;
    }

    /** Where the set's next pod must be before: in the domain, the set's own domain, and the segment that is begun. */
    private int end(int set, int done, int lastNode) {
        int end = domain.hi(board.layout.cells, set);
        if (done > 0) {
            int own = request.near.setWidest[set];
            end = Math.min(end, parts.hi(own, parts.at(own, lastNode)));
        }
        if (done % request.near.segmentPods[set] > 0) {
            int deep = request.near.segmentDepth[set];
            end = Math.min(end, parts.hi(deep, parts.at(deep, lastNode)));
        }
        return end;
    }

    private boolean onNode(int turn, int done, int p, int first) {
        PodShape shape = request.shapes[order[turn]];
        if (shape.isMig()) {
            return atUnit(turn, done, p, Math.max(first, board.layout.deviceLo[p] * MigLayout.UNITS));
        }
        if (!shape.isShare()) {
            return withAnyNics(turn, done, p, -1, 0);
        }
        for (int d = first; d < board.layout.deviceLo[p + 1]; d++) {
            if (board.free(d) >= shape.milli() && !isLikeOneBefore(first, d) && withAnyNics(turn, done, p, d, 0)) {
                return true;
            }
        }
        return false;
    }

    /** Every position of every device of the node; {@code first} counts them through all devices. */
    private boolean atUnit(int turn, int done, int p, int first) {
        PodShape shape = request.shapes[order[turn]];
        int from = first / MigLayout.UNITS;
        for (int d = from; d < board.layout.deviceLo[p + 1]; d++) {
            if (board.instances(d, shape.mig()) == 0 || isCutLikeOneBefore(from, d)) {
                continue;
            }
            for (int unit = d == from ? first % MigLayout.UNITS : 0; unit < MigLayout.UNITS; unit++) {
                boolean fits = MigTable.of(board.layout.mig[d]).fits(shape.mig(), board.units(d), unit);
                if (fits && withAnyNics(turn, done, p, d, unit)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isCutLikeOneBefore(int first, int device) {
        for (int d = first + 1; d < device; d++) {
            boolean same = board.units(d) == board.units(device) && board.free(d) == board.free(device);
            if (same && board.layout.mig[d] == board.layout.mig[device]) {
                return true;
            }
        }
        return false;
    }

    /** NICs of one resource may be all that another set can use: every resource is tried. */
    private boolean withAnyNics(int turn, int done, int p, int device, int unit) {
        PodShape shape = request.shapes[order[turn]];
        if (shape.nics() == 0 || shape.nicResource() != PodShape.ANY_RESOURCE) {
            return withNics(turn, done, p, device, unit, shape.nicResource());
        }
        for (int g = board.layout.nicLo[p]; g < board.layout.nicLo[p + 1]; g = NicRoom.next(board, p, g)) {
            int resource = board.layout.nicResource[g];
            boolean fits = NicRoom.free(board, p, resource) >= shape.nics();
            if (fits && withNics(turn, done, p, device, unit, resource)) {
                return true;
            }
        }
        return false;
    }

    private boolean withNics(int turn, int done, int p, int device, int unit, int resource) {
        int mark = trail.size();
        PodShape shape = request.shapes[order[turn]];
        trail.place(order[turn], shape, p, device, unit, resource);
        if (next(turn, done + 1, p, shape.isMig() ? device * MigLayout.UNITS + unit : device)) {
            return true;
        }
        trail.undoTo(mark);
        return false;
    }

    /** Devices with the same remainder are worth the same: one of them is tried. */
    private boolean isLikeOneBefore(int first, int device) {
        for (int d = first; d < device; d++) {
            if (board.free(d) == board.free(device)) {
                return true;
            }
        }
        return false;
    }
}
