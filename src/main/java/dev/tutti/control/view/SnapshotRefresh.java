package dev.tutti.control.view;

import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.fleet.FleetNics;
import dev.tutti.control.view.ChangeFeed.DeviceRow;
import dev.tutti.control.view.ChangeFeed.NicRow;
import dev.tutti.control.view.ChangeFeed.NodeRow;
import java.util.Arrays;
import java.util.List;

/**
 * Makes the next arrays of a fleet whose nodes and devices stayed what they were. Arrays in which nothing changed are
 * shared with the snapshot before; the others are copied, so that readers of the old ones keep them.
 */
final class SnapshotRefresh {

    private final FleetArrays before;
    private final long nowMicros;
    private boolean[] open;
    private long[] cpu;
    private long[] memory;
    private int[] pods;
    private int[] free;
    private int[] whole;
    private int[] units;
    private int[] nics;

    SnapshotRefresh(Snapshot before, long nowMicros) {
        this.before = before.fleet();
        this.nowMicros = nowMicros;
        open = this.before.open();
        cpu = this.before.cpuFreeMilli();
        memory = this.before.memoryFreeMib();
        pods = this.before.podsFree();
        free = this.before.deviceFreeMilli();
        whole = this.before.deviceWhole();
        units = this.before.deviceUnits();
        nics = this.before.nics().free();
    }

    /** Writes what is free of the node now. */
    void lay(NodeRow node, List<DeviceRow> devices) {
        int n = Arrays.binarySearch(before.nodeId(), node.id().value());
        boolean isOpen = SnapshotBuilder.isOpen(node, nowMicros);
        if (open[n] != isOpen) {
            open = open == before.open() ? open.clone() : open;
            open[n] = isOpen;
        }
        cpu = set(cpu, before.cpuFreeMilli(), n, node.cpuMilli() - node.heldCpuMilli());
        memory = set(memory, before.memoryFreeMib(), n, node.memoryMib() - node.heldMemoryMib());
        pods = set(pods, before.podsFree(), n, node.podSlots() - node.heldPods());
        int d = before.firstDevice()[n];
        for (DeviceRow device : devices) {
            whole = set(whole, before.deviceWhole(), d, SnapshotBuilder.whole(device));
            free = set(free, before.deviceFreeMilli(), d, SnapshotBuilder.free(device));
            units = set(units, before.deviceUnits(), d, device.heldUnits());
            d++;
        }
        for (NicRow group : node.nics()) {
            nics = set(nics, before.nics().free(), groupOf(n, group), SnapshotBuilder.free(group));
        }
    }

    private int groupOf(int n, NicRow row) {
        FleetNics all = before.nics();
        for (int g = all.firstGroup()[n]; g < all.firstGroup()[n + 1]; g++) {
            if (all.groupId()[g] == row.id()) {
                return g;
            }
        }
        throw new IllegalStateException("node " + before.nodeId()[n] + " has no group of NICs " + row.id());
    }

    FleetArrays fleet() {
        return before.withFree(open, cpu, memory, pods, free, whole, units, nics);
    }

    /** The array with the value in it: a copy of its own once something in it differs from the shared one. */
    private static long[] set(long[] now, long[] shared, int index, long value) {
        if (now[index] == value) {
            return now;
        }
        long[] own = now == shared ? now.clone() : now;
        own[index] = value;
        return own;
    }

    private static int[] set(int[] now, int[] shared, int index, int value) {
        if (now[index] == value) {
            return now;
        }
        int[] own = now == shared ? now.clone() : now;
        own[index] = value;
        return own;
    }
}
