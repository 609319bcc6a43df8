package dev.tutti.simulator.experiment;

import dev.tutti.allocator.board.Area;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Capacity;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fit.NodeChoice;
import java.util.Random;

/** Any node that holds the pod, each as likely as the others, and for a share any device: what every policy must beat. */
final class RandomChoice implements NodeChoice {

    /** Blind draws before all nodes are counted. */
    private static final int DRAWS = 32;

    private final Board board;
    private final Layout layout;
    private final Random random;
    private int node;
    private int device;

    RandomChoice(Board board, Random random) {
        this.board = board;
        this.layout = board.layout();
        this.random = random;
    }

    @Override
    public boolean find(PodShape shape, Area area) {
        node = draw(shape, area);
        if (node < 0) {
            node = pick(shape, area, random.nextInt(Math.max(1, count(shape, area))));
        }
        if (node < 0) {
            return false;
        }
        device = shape.isShare() ? anyDevice(shape) : -1;
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

    private int draw(PodShape shape, Area area) {
        int size = 0;
        for (int i = 0; i < area.size; i++) {
            size += area.hi[i] - area.lo[i];
        }
        for (int draw = 0; draw < DRAWS && size > 0; draw++) {
            int index = random.nextInt(size);
            int range = 0;
            while (index >= area.hi[range] - area.lo[range]) {
                index -= area.hi[range] - area.lo[range];
                range++;
            }
            if (holds(area.lo[range] + index, shape)) {
                return area.lo[range] + index;
            }
        }
        return -1;
    }

    private int count(PodShape shape, Area area) {
        int count = 0;
        for (int i = 0; i < area.size; i++) {
            for (int p = area.lo[i]; p < area.hi[i]; p++) {
                count += holds(p, shape) ? 1 : 0;
            }
        }
        return count;
    }

    private int pick(PodShape shape, Area area, int index) {
        int left = index;
        for (int i = 0; i < area.size; i++) {
            for (int p = area.lo[i]; p < area.hi[i]; p++) {
                if (holds(p, shape) && left-- == 0) {
                    return p;
                }
            }
        }
        return -1;
    }

    private boolean holds(int p, PodShape shape) {
        return Capacity.ofNode(board, p, shape, 1) > 0;
    }

    private int anyDevice(PodShape shape) {
        int found = -1;
        int seen = 0;
        for (int d = layout.deviceLo[node]; d < layout.deviceLo[node + 1]; d++) {
            if (board.free(d) >= shape.milli() && random.nextInt(++seen) == 0) {
                found = d;
            }
        }
        return found;
    }
}
