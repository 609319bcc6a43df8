package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Area;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Capacity;
import dev.tutti.allocator.board.Cells;
import dev.tutti.allocator.board.PodShape;

/**
 * The parts of the fleet at each depth: cells, and below them single nodes, named by their position. Which parts lie in
 * which, how much is free there, and how many pods of a set they hold under the set's own wishes: exact, because equal
 * pods never stand in each other's way.
 */
final class Parts {

    private final Board board;
    private final Cells cells;
    private final Work work;

    /** @param work pays for every node that is looked at */
    Parts(Board board, Work work) {
        this.board = board;
        this.work = work;
        this.cells = board.layout.cells;
    }

    private boolean isNode(int depth) {
        return depth == cells.depths();
    }

    /** Nodes in all. */
    int nodes() {
        return board.layout.nodes();
    }

    int lo(int depth, int part) {
        return isNode(depth) ? part : cells.lo[part];
    }

    int hi(int depth, int part) {
        return isNode(depth) ? part + 1 : cells.hi[part];
    }

    Area area(int depth, int part) {
        return Area.of(lo(depth, part), hi(depth, part));
    }

    /** The part of this depth that the node at position {@code p} is in. */
    int at(int depth, int p) {
        return isNode(depth) ? p : cells.of[depth][p];
    }

    /** Whether two nodes are in one domain of this depth. */
    boolean areInOne(int depth, int p, int q) {
        return isNode(depth) ? p == q : cells.domain[cells.of[depth][p]] == cells.domain[cells.of[depth][q]];
    }

    /** What the domain around the node at {@code p} has of a flavor; -1 for nothing. */
    int around(int depth, int p, int flavor) {
        if (board.layout.flavor[p] == flavor) {
            return at(depth, p);
        }
        return isNode(depth) ? -1 : cells.find(cells.domain[cells.of[depth][p]], flavor);
    }

    /** The first part of depth {@code below} in a part. */
    int begin(int depth, int part, int below) {
        return at(below, lo(depth, part));
    }

    /** The part after the last of depth {@code below} in a part. */
    int end(int depth, int part, int below) {
        return at(below, hi(depth, part) - 1) + 1;
    }

    /** Milli-GPU left. */
    long left(int depth, int part) {
        return isNode(depth) ? board.milli(part) : board.cellMilli(part);
    }

    /** Whole free GPUs. */
    long whole(int depth, int part) {
        return isNode(depth) ? board.whole(part) : board.cellWhole(part);
    }

    /** Whole free GPUs first, then what is left in all. */
    long size(int depth, int part) {
        return (whole(depth, part) << 28) + (left(depth, part) >>> 4);
    }

    /** Pods of the set that fit into the part, at most {@code enough}, as the set wants them: near, in whole segments. */
    int holds(Request request, int set, int depth, int part, int enough) {
        int own = request.near.setWidest[set];
        if (own <= depth) {
            return segments(request, set, depth, part, enough);
        }
        int most = 0;
        int end = end(depth, part, own);
        for (int below = begin(depth, part, own); below < end && most < enough; below++) {
            most = Math.max(most, segments(request, set, own, below, enough));
        }
        return most;
    }

    /** Pods that fit in whole segments, wherever in the part the segments are. */
    int segments(Request request, int set, int depth, int part, int enough) {
        int pods = request.near.segmentPods[set];
        int deep = request.near.segmentDepth[set];
        if (deep <= depth) {
            return pods(request.shapes[set], depth, part, enough) / pods * pods;
        }
        int found = 0;
        int end = end(depth, part, deep);
        for (int below = begin(depth, part, deep); below < end && found < enough; below++) {
            found += pods(request.shapes[set], deep, below, enough - found) / pods * pods;
        }
        return found;
    }

    /** Pods of this shape that fit, wherever in the part. */
    int pods(PodShape shape, int depth, int part, int enough) {
        work.spend(shape.nodes().areFew() ? 1 : hi(depth, part) - lo(depth, part));
        return isNode(depth)
                ? Capacity.ofNode(board, part, shape, enough)
                : Capacity.ofRange(board, cells.lo[part], cells.hi[part], shape, enough);
    }
}
