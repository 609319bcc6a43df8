package dev.tutti.allocator.board;

import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.model.Limits;
import java.util.Arrays;

/**
 * Free capacity, as a private copy that can be taken from and given back to. Every change updates the sums of the cells
 * above, in as many steps as the tree is deep, and is told in {@link #changes()}, so that whoever ranks nodes looks again
 * at those only. Not safe for use by two threads.
 */
public final class Board {

    /** A device this free is whole; shares look at whole devices last. */
    public static final int WHOLE = Limits.DEVICE_MILLI;

    public final Layout layout;
    final boolean[] open;
    final long[] cpu;
    final long[] memory;
    final int[] pods;
    /** Milli-GPU left of each device for shares and whole GPUs; 0 when it is cut, unhealthy or its node is closed. */
    final int[] free;
    /** Memory units of each device that MIG instances hold, as a mask; 0 when it is not cut. */
    final int[] units;
    /** Milli-GPU left of each device that is cut; 0 for all others. */
    final int[] uncut;
    /** RDMA NICs left of each group; 0 when its node is closed. */
    final int[] nics;
    /** Whole free GPUs of each node. */
    final int[] whole;
    /** Milli-GPU left on each node. */
    final long[] milli;
    /** Whole free GPUs of each cell. */
    final int[] cellWhole;
    /** Milli-GPU left in each cell. */
    final long[] cellMilli;

    private final Changes changes;

    private Board(Layout layout) {
        this.layout = layout;
        int nodes = layout.nodes();
        open = new boolean[nodes];
        cpu = new long[nodes];
        memory = new long[nodes];
        pods = new int[nodes];
        free = new int[layout.device.length];
        units = new int[layout.device.length];
        uncut = new int[layout.device.length];
        nics = new int[layout.nic.length];
        whole = new int[nodes];
        milli = new long[nodes];
        cellWhole = new int[layout.cells.count()];
        cellMilli = new long[layout.cells.count()];
        changes = new Changes(nodes);
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
                board.lay(d, board.usable(fleet, p, d), fleet.deviceUnits()[layout.device[d]]);
            }
            for (int g = layout.nicLo[p]; g < layout.nicLo[p + 1]; g++) {
                board.nics[g] = board.usableNics(fleet, p, g);
            }
            board.index(p);
        }
        return board;
    }

    /** A board of its own with as much free as here. */
    public Board copy() {
        Board copy = new Board(layout);
        System.arraycopy(open, 0, copy.open, 0, open.length);
        System.arraycopy(cpu, 0, copy.cpu, 0, cpu.length);
        System.arraycopy(memory, 0, copy.memory, 0, memory.length);
        System.arraycopy(pods, 0, copy.pods, 0, pods.length);
        System.arraycopy(free, 0, copy.free, 0, free.length);
        System.arraycopy(units, 0, copy.units, 0, units.length);
        System.arraycopy(uncut, 0, copy.uncut, 0, uncut.length);
        System.arraycopy(nics, 0, copy.nics, 0, nics.length);
        System.arraycopy(whole, 0, copy.whole, 0, whole.length);
        System.arraycopy(milli, 0, copy.milli, 0, milli.length);
        System.arraycopy(cellWhole, 0, copy.cellWhole, 0, cellWhole.length);
        System.arraycopy(cellMilli, 0, copy.cellMilli, 0, cellMilli.length);
        return copy;
    }

    /** What would be free if nothing ran, every node were open and every device healthy. */
    public static Board empty(Layout layout, FleetArrays fleet) {
        Board board = new Board(layout);
        Arrays.fill(board.open, true);
        Arrays.fill(board.free, WHOLE);
        Arrays.setAll(board.nics, g -> fleet.nics().count()[layout.nic[g]]);
        for (int p = 0; p < layout.nodes(); p++) {
            int n = layout.node[p];
            board.cpu[p] = fleet.cpuMilli()[n];
            board.memory[p] = fleet.memoryMib()[n];
            board.pods[p] = fleet.podSlots()[n];
            board.index(p);
        }
        return board;
    }

    /**
     * Sets a node to what the fleet says of it now.
     *
     * @return whether anything of it grew, so that a pod may fit that did not
     */
    public boolean follow(int p, FleetArrays fleet) {
        int n = layout.node[p];
        boolean grew = fleet.open()[n] && !open[p]
                || fleet.cpuFreeMilli()[n] > cpu[p]
                || fleet.memoryFreeMib()[n] > memory[p]
                || fleet.podsFree()[n] > pods[p];
        boolean changed = fleet.open()[n] != open[p]
                || fleet.cpuFreeMilli()[n] != cpu[p]
                || fleet.memoryFreeMib()[n] != memory[p]
                || fleet.podsFree()[n] != pods[p];
        open[p] = fleet.open()[n];
        cpu[p] = fleet.cpuFreeMilli()[n];
        memory[p] = fleet.memoryFreeMib()[n];
        pods[p] = fleet.podsFree()[n];
        int by = 0;
        for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1]; d++) {
            int now = usable(fleet, p, d);
            int held = fleet.deviceUnits()[layout.device[d]];
            int before = free[d] + uncut[d];
            if ((held | units[d]) == 0) {
                free[d] = now;
            } else {
                changed |= held != units[d];
                boolean otherMode = units[d] == 0 && free[d] < WHOLE;
                grew |= now > 0 && (otherMode || (units[d] & ~held) != 0);
                lay(d, now, held);
            }
            grew |= now > before;
            changed |= now != before;
            by += now - before;
        }
        for (int g = layout.nicLo[p]; g < layout.nicLo[p + 1]; g++) {
            int now = usableNics(fleet, p, g);
            grew |= now > nics[g];
            changed |= now != nics[g];
            nics[g] = now;
        }
        if (changed) {
            settle(p, by);
        }
        return grew;
    }

    private int usable(FleetArrays fleet, int p, int d) {
        int raw = layout.device[d];
        return open[p] && fleet.deviceWhole()[raw] == WHOLE ? fleet.deviceFreeMilli()[raw] : 0;
    }

    /** A GPU serves whole pods and shares, or MIG instances, never both at a time. */
    void lay(int d, int left, int held) {
        units[d] = held;
        free[d] = held == 0 ? left : 0;
        uncut[d] = held == 0 ? 0 : left;
    }

    private int usableNics(FleetArrays fleet, int p, int g) {
        return open[p] ? fleet.nics().free()[layout.nic[g]] : 0;
    }

    public Layout layout() {
        return layout;
    }

    /** Positions of nodes in the order in which they changed. */
    public Changes changes() {
        return changes;
    }

    public boolean open(int p) {
        return open[p];
    }

    /** CPU left, in milli-cores; negative while the node is in debt. */
    public long cpu(int p) {
        return cpu[p];
    }

    /** Memory left, in MiB; negative while the node is in debt. */
    public long memory(int p) {
        return memory[p];
    }

    public int pods(int p) {
        return pods[p];
    }

    /** Milli-GPU left of a device for shares and whole GPUs; 0 when it is cut, unhealthy or its node is closed. */
    public int free(int device) {
        return free[device];
    }

    /** Milli-GPU left of a device, whatever for. */
    public int left(int device) {
        return free[device] + uncut[device];
    }

    /** Memory units of a device that MIG instances hold, as a mask; 0 when it is not cut. */
    public int units(int device) {
        return units[device];
    }

    /** How many more instances of a MIG profile the device holds. */
    public int instances(int device, int profile) {
        int table = layout.mig[device];
        return table < 0 || free[device] != WHOLE && uncut[device] == 0
                ? 0
                : MigTable.of(table).count(profile, units[device]);
    }

    /** Whether two devices of a node have the same left, in the same places, for a share or a MIG instance. */
    boolean areAlike(int device, int other) {
        return free[device] == free[other]
                && units[device] == units[other]
                && uncut[device] == uncut[other]
                && layout.mig[device] == layout.mig[other];
    }

    /** RDMA NICs left of a group; 0 when its node is closed. */
    public int nics(int group) {
        return nics[group];
    }

    /** Whole free GPUs of a node. */
    public int whole(int p) {
        return whole[p];
    }

    /** Milli-GPU left on a node. */
    public long milli(int p) {
        return milli[p];
    }

    /** Whole free GPUs of a cell. */
    public int cellWhole(int cell) {
        return cellWhole[cell];
    }

    /** Milli-GPU left in a cell. */
    public long cellMilli(int cell) {
        return cellMilli[cell];
    }

    /** Whether nothing at all is held of the cell's devices, and all of them are healthy. */
    public boolean isUntouched(int cell) {
        return cellMilli[cell] == layout.cells.devices[cell] * (long) WHOLE;
    }

    /** Whether the pod may use the node, and the CPU, the memory, the slot and the NICs are there; says nothing of devices. */
    public boolean hosts(int p, PodShape shape) {
        return open[p]
                && pods[p] > 0
                && (shape.cpuMilli() == 0 || cpu[p] >= shape.cpuMilli())
                && (shape.memoryMib() == 0 || memory[p] >= shape.memoryMib())
                && (shape.nics() == 0 || NicRoom.pods(this, p, shape, 1) > 0)
                && shape.nodes().has(p);
    }

    /** Takes what one pod needs; {@code devices[from]} up to {@code devices[to - 1]} are its devices. */
    public void take(int p, PodShape shape, int[] devices, int from, int to) {
        cpu[p] -= shape.cpuMilli();
        memory[p] -= shape.memoryMib();
        pods[p]--;
        for (int i = from; i < to; i++) {
            free[devices[i]] -= shape.milli();
        }
        settle(p, -(to - from) * shape.milli());
    }

    /** The opposite of {@link #take}. */
    public void give(int p, PodShape shape, int[] devices, int from, int to) {
        cpu[p] += shape.cpuMilli();
        memory[p] += shape.memoryMib();
        pods[p]++;
        for (int i = from; i < to; i++) {
            free[devices[i]] += shape.milli();
        }
        settle(p, (to - from) * shape.milli());
    }

    /** Takes what one pod with a MIG instance needs; the units from {@code start} on must be free. */
    public void cut(int p, PodShape shape, int device, int start) {
        cpu[p] -= shape.cpuMilli();
        memory[p] -= shape.memoryMib();
        pods[p]--;
        MigTable table = MigTable.of(layout.mig[device]);
        lay(device, left(device) - table.milli(shape.mig()), units[device] | table.bits(shape.mig(), start));
        settle(p, -table.milli(shape.mig()));
    }

    /** The opposite of {@link #cut}; a device with no instance left is one whole GPU again. */
    public void join(int p, PodShape shape, int device, int start) {
        cpu[p] += shape.cpuMilli();
        memory[p] += shape.memoryMib();
        pods[p]++;
        MigTable table = MigTable.of(layout.mig[device]);
        lay(device, left(device) + table.milli(shape.mig()), units[device] & ~table.bits(shape.mig(), start));
        settle(p, table.milli(shape.mig()));
    }

    /** Takes NICs, beside what {@link #take} takes; each entry from {@code from} up to {@code to - 1} is the group of one. */
    void takeNics(int[] groups, int from, int to) {
        for (int i = from; i < to; i++) {
            nics[groups[i]]--;
        }
    }

    /** The opposite of {@link #takeNics}. */
    void giveNics(int[] groups, int from, int to) {
        for (int i = from; i < to; i++) {
            nics[groups[i]]++;
        }
    }

    void settle(int p, long milliChange) {
        changes.add(p);
        int before = whole[p];
        whole[p] = countWhole(p);
        if (milliChange == 0 && whole[p] == before) {
            return;
        }
        milli[p] += milliChange;
        for (int depth = 0; depth < layout.cells.depths(); depth++) {
            int cell = layout.cells.of[depth][p];
            boolean untouched = isUntouched(cell);
            cellWhole[cell] += whole[p] - before;
            cellMilli[cell] += milliChange;
            if (untouched != isUntouched(cell) && depth == layout.cells.depths() - 1) {
                changes.addAll(layout.cells.lo[cell], layout.cells.hi[cell]);
            }
        }
    }

    private void index(int p) {
        whole[p] = countWhole(p);
        for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1]; d++) {
            milli[p] += left(d);
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
