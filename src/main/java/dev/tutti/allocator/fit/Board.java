package dev.tutti.allocator.fit;

import dev.tutti.allocator.FleetArrays;
import dev.tutti.model.Limits;
import java.util.Arrays;

/**
 * Free capacity, as a private copy that can be taken from and given back to. Every change updates the indexes: nodes by
 * whole free GPUs, devices by what is left of them, and the sums of the cells above, in as many steps as the tree is
 * deep. Not safe for use by two threads.
 */
public final class Board {

    /** A device this free is whole; shares look at whole devices last. */
    static final int WHOLE = Limits.DEVICE_MILLI;

    final Layout layout;
    final boolean[] open;
    final long[] cpu;
    final long[] memory;
    final int[] pods;
    /** Milli-GPU left of each device; 0 when it is unhealthy or its node is closed. */
    final int[] free;
    /** Whole free GPUs of each node. */
    final int[] whole;
    /** Milli-GPU left on each node. */
    final long[] milli;
    /** Whole free GPUs of each cell. */
    final int[] cellWhole;
    /** Milli-GPU left in each cell. */
    final long[] cellMilli;
    /** Open nodes without any device first, then open nodes by whole free GPUs. */
    final SparseBits[] buckets;

    private final DevicesByFree partial;

    private Board(Layout layout) {
        this.layout = layout;
        int nodes = layout.nodes();
        open = new boolean[nodes];
        cpu = new long[nodes];
        memory = new long[nodes];
        pods = new int[nodes];
        free = new int[layout.device.length];
        whole = new int[nodes];
        milli = new long[nodes];
        cellWhole = new int[layout.cells.count()];
        cellMilli = new long[layout.cells.count()];
        buckets = new SparseBits[layout.mostDevices + 2];
        Arrays.setAll(buckets, b -> new SparseBits(nodes));
        partial = new DevicesByFree(free.length);
    }

    /** What is free now. Closed nodes and unhealthy devices have nothing to give. */
    public static Board free(Layout layout, FleetArrays fleet) {
        Board board = new Board(layout);
        for (int p = 0; p < layout.nodes(); p++) {
            int n = layout.node[p];
            board.open[p] = fleet.open()[n];
            board.cpu[p] = fleet.cpuFreeMilli()[n];
            board.memory[p] = fleet.memoryFreeMib()[n];
            board.pods[p] = fleet.podsFree()[n];
            for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1]; d++) {
                int raw = layout.device[d];
                boolean usable = board.open[p] && fleet.deviceWhole()[raw] == WHOLE;
                board.free[d] = usable ? fleet.deviceFreeMilli()[raw] : 0;
            }
            board.index(p);
        }
        return board;
    }

    /** What would be free if nothing ran, every node were open and every device healthy. */
    public static Board empty(Layout layout, FleetArrays fleet) {
        Board board = new Board(layout);
        Arrays.fill(board.open, true);
        Arrays.fill(board.free, WHOLE);
        for (int p = 0; p < layout.nodes(); p++) {
            int n = layout.node[p];
            board.cpu[p] = fleet.cpuMilli()[n];
            board.memory[p] = fleet.memoryMib()[n];
            board.pods[p] = fleet.podSlots()[n];
            board.index(p);
        }
        return board;
    }

    public Layout layout() {
        return layout;
    }

    /** Whether the node has the CPU, the memory and the slot for one more such pod; says nothing of devices. */
    boolean hosts(int p, PodShape shape) {
        return open[p]
                && pods[p] > 0
                && (shape.cpuMilli() == 0 || cpu[p] >= shape.cpuMilli())
                && (shape.memoryMib() == 0 || memory[p] >= shape.memoryMib());
    }

    /** The smallest remainder of at least {@code atLeast} that some device shared already has; {@link #WHOLE} if none. */
    int nextPartial(int atLeast) {
        return partial.next(atLeast);
    }

    /** Devices with exactly this much left, where that is less than a whole. */
    SparseBits devicesWith(int left) {
        return partial.with(left);
    }

    /** Takes what one pod needs; {@code devices[from]} up to {@code devices[to - 1]} are its devices. */
    void take(int p, PodShape shape, int[] devices, int from, int to) {
        cpu[p] -= shape.cpuMilli();
        memory[p] -= shape.memoryMib();
        pods[p]--;
        for (int i = from; i < to; i++) {
            change(devices[i], -shape.milli());
        }
        settle(p, -(to - from) * shape.milli());
    }

    /** The opposite of {@link #take}. */
    void give(int p, PodShape shape, int[] devices, int from, int to) {
        cpu[p] += shape.cpuMilli();
        memory[p] += shape.memoryMib();
        pods[p]++;
        for (int i = from; i < to; i++) {
            change(devices[i], shape.milli());
        }
        settle(p, (to - from) * shape.milli());
    }

    private void change(int device, int by) {
        partial.remove(device, free[device]);
        free[device] += by;
        partial.add(device, free[device]);
    }

    private void settle(int p, int milliChange) {
        if (milliChange == 0) {
            return;
        }
        int before = whole[p];
        whole[p] = countWhole(p);
        milli[p] += milliChange;
        if (before != whole[p]) {
            buckets[before + 1].remove(p);
            buckets[whole[p] + 1].add(p);
        }
        for (int depth = 0; depth < layout.cells.depths(); depth++) {
            int cell = layout.cells.of[depth][p];
            cellWhole[cell] += whole[p] - before;
            cellMilli[cell] += milliChange;
        }
    }

    private void index(int p) {
        whole[p] = countWhole(p);
        for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1]; d++) {
            milli[p] += free[d];
            partial.add(d, free[d]);
        }
        if (open[p]) {
            buckets[layout.devicesOf(p) == 0 ? 0 : whole[p] + 1].add(p);
        }
        for (int depth = 0; depth < layout.cells.depths(); depth++) {
            int cell = layout.cells.of[depth][p];
            cellWhole[cell] += whole[p];
            cellMilli[cell] += milli[p];
        }
    }

    private int countWhole(int p) {
        int count = 0;
        for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1]; d++) {
            count += free[d] == WHOLE ? 1 : 0;
        }
        return count;
    }
}
