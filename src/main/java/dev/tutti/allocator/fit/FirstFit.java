package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Area;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Capacity;
import dev.tutti.allocator.board.NodeSet;
import dev.tutti.allocator.board.PodShape;

/**
 * The first node that holds the pod, and the first device that holds the share or the MIG instance. For questions where all that counts is
 * whether there is one: equal pods fill a fleet whichever of the nodes that hold one is taken next.
 */
public final class FirstFit implements NodeChoice {

    private final Board board;
    private int node;
    private int device;

    public FirstFit(Board board) {
        this.board = board;
    }

    @Override
    public boolean find(PodShape shape, Area area) {
        node = Integer.MAX_VALUE;
        for (int i = 0; i < area.size; i++) {
            node = Math.min(node, first(shape, area.lo[i], Math.min(area.hi[i], node)));
        }
        if (node == Integer.MAX_VALUE) {
            return false;
        }
        device = shape.isPart() ? firstDevice(shape) : -1;
        return true;
    }

    @Override
    public int node() {
        return node;
    }

    @Override
    public int device() {
        return device;
    }

    private int first(PodShape shape, int lo, int hi) {
        NodeSet nodes = shape.nodes();
        for (int p = nodes.next(lo); p < hi; p = nodes.next(p + 1)) {
            if (Capacity.ofNode(board, p, shape, 1) > 0) {
                return p;
            }
        }
        return Integer.MAX_VALUE;
    }

    private int firstDevice(PodShape shape) {
        int device = board.layout.deviceLo[node];
        while (!holds(device, shape)) {
            device++;
        }
        return device;
    }

    private boolean holds(int d, PodShape shape) {
        return shape.isMig() ? board.instances(d, shape.mig()) > 0 : board.free(d) >= shape.milli();
    }
}
