package dev.tutti.control;

import dev.tutti.allocator.FleetArrays;
import dev.tutti.allocator.Snapshot;
import dev.tutti.control.ChangeFeed.DeviceRow;
import dev.tutti.control.ChangeFeed.NodeRow;
import java.util.Arrays;
import java.util.List;

/**
 * Makes the next arrays of a fleet whose nodes and devices stayed what they were. Arrays in which nothing changed are
 * shared with the snapshot before; the others are copied, so that readers of the old ones keep them.
 */
final class SnapshotRefresh {

    private final FleetArrays before;
    private final long nowMicros;
    private final boolean[] open;
    private final long[] cpu;
    private final long[] memory;
    private final int[] pods;
    private final int[] free;
    private final int[] whole;

    SnapshotRefresh(Snapshot before, long nowMicros) {
        this.before = before.fleet();
        this.nowMicros = nowMicros;
        open = this.before.open().clone();
        cpu = this.before.cpuFreeMilli().clone();
        memory = this.before.memoryFreeMib().clone();
        pods = this.before.podsFree().clone();
        free = this.before.deviceFreeMilli().clone();
        whole = this.before.deviceWhole().clone();
    }

    /** Writes what is free of the node now. */
    void lay(NodeRow node, List<DeviceRow> devices) {
        int n = Arrays.binarySearch(before.nodeId(), node.id().value());
        open[n] = SnapshotBuilder.isOpen(node, nowMicros);
        cpu[n] = node.cpuMilli() - node.heldCpuMilli();
        memory[n] = node.memoryMib() - node.heldMemoryMib();
        pods[n] = node.podSlots() - node.heldPods();
        int d = before.firstDevice()[n];
        for (DeviceRow device : devices) {
            whole[d] = SnapshotBuilder.whole(device);
            free[d] = SnapshotBuilder.free(device);
            d++;
        }
    }

    FleetArrays fleet() {
        return new FleetArrays(
                before.nodeId(),
                before.cluster(),
                before.flavor(),
                before.domain(),
                Arrays.equals(open, before.open()) ? before.open() : open,
                Arrays.equals(cpu, before.cpuFreeMilli()) ? before.cpuFreeMilli() : cpu,
                Arrays.equals(memory, before.memoryFreeMib()) ? before.memoryFreeMib() : memory,
                Arrays.equals(pods, before.podsFree()) ? before.podsFree() : pods,
                before.firstDevice(),
                before.deviceId(),
                Arrays.equals(free, before.deviceFreeMilli()) ? before.deviceFreeMilli() : free,
                Arrays.equals(whole, before.deviceWhole()) ? before.deviceWhole() : whole,
                before.island(),
                before.cpuMilli(),
                before.memoryMib(),
                before.podSlots());
    }
}
