package dev.tutti.allocator.fleet;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

/**
 * The capacity of all clusters as parallel arrays, node by node and device by device. Immutable by convention: nobody
 * writes to an array after the snapshot was built; the allocator works on its own copies.
 *
 * @param nodeId id of each node, ascending
 * @param cluster index of each node's cluster in {@link FleetNames#clusters()}
 * @param flavor index of each node's flavor in {@link FleetNames#flavors()}
 * @param domain domain index by level and node: {@code domain[level][node]}; a domain's index is unique in its level
 *     across all clusters and parents; negative for a node that is in no domain of the level
 * @param open whether pods may be placed on the node now: ready, not cordoned, not backing off, cluster in reach
 * @param cpuFreeMilli CPU left, in milli-cores; negative while the node is in debt
 * @param memoryFreeMib memory left, in MiB; negative while in debt
 * @param podsFree pods the node still takes
 * @param firstDevice devices of node {@code n} are {@code firstDevice[n]} up to but without {@code firstDevice[n + 1]}
 * @param deviceId id of each device
 * @param deviceFreeMilli milli-GPU left of each device; 0 for an unhealthy or fenced one
 * @param deviceWhole milli-GPU the device offers when nothing is held: 1000, or 0 for an unhealthy or fenced one
 * @param deviceUnits memory units of each device that MIG instances hold, as a mask; not 0 means that it serves nothing else
 * @param island NVLink island of each device, counted from 0 within its node
 * @param migLayout MIG layout of each device, by its place in {@code MigLayouts.ALL}; negative where it cannot be cut
 * @param cpuMilli CPU of each node when nothing is held, in milli-cores
 * @param memoryMib memory of each node when nothing is held, in MiB
 * @param podSlots pods each node takes when it runs none
 * @param nics RDMA NICs of all nodes
 */
public record FleetArrays(
        long[] nodeId,
        int[] cluster,
        int[] flavor,
        int[][] domain,
        boolean[] open,
        long[] cpuFreeMilli,
        long[] memoryFreeMib,
        int[] podsFree,
        int[] firstDevice,
        long[] deviceId,
        int[] deviceFreeMilli,
        int[] deviceWhole,
        int[] deviceUnits,
        int[] island,
        int[] migLayout,
        long[] cpuMilli,
        long[] memoryMib,
        int[] podSlots,
        FleetNics nics) {

    /** The same nodes and devices with this much free of them; what is not given anew may be shared. */
    public FleetArrays withFree(
            boolean[] openNow,
            long[] cpuNow,
            long[] memoryNow,
            int[] podsNow,
            int[] deviceNow,
            int[] wholeNow,
            int[] unitsNow,
            int[] nicsNow) {
        return new FleetArrays(
                nodeId,
                cluster,
                flavor,
                domain,
                openNow,
                cpuNow,
                memoryNow,
                podsNow,
                firstDevice,
                deviceId,
                deviceNow,
                wholeNow,
                unitsNow,
                island,
                migLayout,
                cpuMilli,
                memoryMib,
                podSlots,
                nics.withFree(nicsNow));
    }

    public int nodes() {
        return nodeId.length;
    }

    public int devices() {
        return deviceId.length;
    }

    /** Whether this has the nodes, devices and domains of {@code other}, made from it, whatever is free of them. */
    public boolean hasShapeOf(FleetArrays other) {
        return nodeId == other.nodeId
                && flavor == other.flavor
                && domain == other.domain
                && deviceId == other.deviceId
                && island == other.island
                && migLayout == other.migLayout
                && cpuMilli == other.cpuMilli
                && memoryMib == other.memoryMib
                && podSlots == other.podSlots
                && nics.hasShapeOf(other.nics);
    }

    /**
     * Names each node of which something else is free in {@code other}, which has the same shape; some nodes twice. Arrays
     * that both share are not looked at.
     */
    void differences(FleetArrays other, IntConsumer node) {
        if (cpuFreeMilli != other.cpuFreeMilli) {
            differences(nodes(), from -> mismatch(cpuFreeMilli, other.cpuFreeMilli, from), node);
        }
        if (memoryFreeMib != other.memoryFreeMib) {
            differences(nodes(), from -> mismatch(memoryFreeMib, other.memoryFreeMib, from), node);
        }
        if (podsFree != other.podsFree) {
            differences(nodes(), from -> mismatch(podsFree, other.podsFree, from), node);
        }
        if (open != other.open) {
            differences(nodes(), from -> from + Arrays.mismatch(open, from, nodes(), other.open, from, nodes()), node);
        }
        IntConsumer nodeOfDevice = device -> node.accept(nodeOf(firstDevice, device));
        if (deviceFreeMilli != other.deviceFreeMilli) {
            differences(devices(), from -> mismatch(deviceFreeMilli, other.deviceFreeMilli, from), nodeOfDevice);
        }
        if (deviceWhole != other.deviceWhole) {
            differences(devices(), from -> mismatch(deviceWhole, other.deviceWhole, from), nodeOfDevice);
        }
        if (deviceUnits != other.deviceUnits) {
            differences(devices(), from -> mismatch(deviceUnits, other.deviceUnits, from), nodeOfDevice);
        }
        if (nics.free() != other.nics.free()) {
            differences(
                    nics.groups(),
                    from -> mismatch(nics.free(), other.nics.free(), from),
                    group -> node.accept(nodeOf(nics.firstGroup(), group)));
        }
    }

    private static void differences(int size, IntUnaryOperator next, IntConsumer index) {
        int from = 0;
        int found = next.applyAsInt(from);
        while (found >= from) {
            index.accept(found);
            from = found + 1;
            found = from < size ? next.applyAsInt(from) : -1;
        }
    }

    private static int mismatch(long[] a, long[] b, int from) {
        return from + Arrays.mismatch(a, from, a.length, b, from, b.length);
    }

    private static int mismatch(int[] a, int[] b, int from) {
        return from + Arrays.mismatch(a, from, a.length, b, from, b.length);
    }

    /** The node of a thing, where those of node {@code n} begin at {@code first[n]}. */
    private static int nodeOf(int[] first, int thing) {
        int found = Arrays.binarySearch(first, thing);
        int n = found >= 0 ? found : -found - 2;
        while (first[n + 1] <= thing) {
            n++;
        }
        return n;
    }
}
