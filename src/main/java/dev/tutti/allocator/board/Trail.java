package dev.tutti.allocator.board;

import java.util.Arrays;

/** The pods of one job as they are placed, in order; whatever was placed can be taken back, last first. */
public final class Trail {

    private static final int FIRST_CAPACITY = 16;

    private final Board board;
    private int size;
    private int[] set = new int[FIRST_CAPACITY];
    private int[] node = new int[FIRST_CAPACITY];
    private PodShape[] shape = new PodShape[FIRST_CAPACITY];
    /** Pod {@code i} has the devices from {@code firstDevice[i]} up to but without {@code firstDevice[i + 1]}. */
    private int[] firstDevice = new int[FIRST_CAPACITY + 1];

    private int[] device = new int[FIRST_CAPACITY];

    public Trail(Board board) {
        this.board = board;
    }

    public int size() {
        return size;
    }

    public int set(int pod) {
        return set[pod];
    }

    /** Index in the snapshot of the pod's node. */
    public int node(int pod) {
        return board.layout.node[node[pod]];
    }

    /** Position of the pod's node: neighbours in position are neighbours in the network. */
    public int position(int pod) {
        return node[pod];
    }

    /** Indexes in the snapshot of the pod's devices, ascending. */
    public int[] devices(int pod) {
        int[] found = new int[firstDevice[pod + 1] - firstDevice[pod]];
        for (int i = 0; i < found.length; i++) {
            found[i] = board.layout.device[device[firstDevice[pod] + i]];
        }
        Arrays.sort(found);
        return found;
    }

    /** Places one pod of a set; {@code onDevice} is the device of a share, or -1 to let the islands decide. */
    public void place(int ofSet, PodShape podShape, int p, int onDevice) {
        grow(podShape.devices());
        int from = firstDevice[size];
        int to = from + podShape.devices();
        if (onDevice >= 0) {
            device[from] = onDevice;
        } else {
            Islands.choose(board, p, podShape.devices(), device, from);
        }
        set[size] = ofSet;
        node[size] = p;
        shape[size] = podShape;
        firstDevice[++size] = to;
        board.take(p, podShape, device, from, to);
    }

    /** Takes back what was placed since there were {@code mark} pods. */
    public void undoTo(int mark) {
        while (size > mark) {
            size--;
            board.give(node[size], shape[size], device, firstDevice[size], firstDevice[size + 1]);
        }
    }

    /** Forgets the pods without giving back what they hold: they are placed for good. */
    public void keep() {
        size = 0;
    }

    private void grow(int devices) {
        if (size == set.length) {
            set = Arrays.copyOf(set, size * 2);
            node = Arrays.copyOf(node, size * 2);
            shape = Arrays.copyOf(shape, size * 2);
            firstDevice = Arrays.copyOf(firstDevice, size * 2 + 1);
        }
        int needed = firstDevice[size] + devices;
        if (needed > device.length) {
            device = Arrays.copyOf(device, Math.max(needed, device.length * 2));
        }
    }
}
