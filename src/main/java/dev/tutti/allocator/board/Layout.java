package dev.tutti.allocator.board;

import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.allocator.fleet.FleetNics;
import dev.tutti.model.Limits;
import java.util.Arrays;
import java.util.List;

/**
 * What stays while capacity comes and goes: which node stands at which position, its devices, and the domains as ranges
 * of positions. Flavors are numbered by name.
 */
public final class Layout {

    private static final int NO_MIG = -1;

    /** Index in the snapshot of the node at each position. */
    public final int[] node;
    /** Flavor {@code f} has the positions {@code flavorLo[f]} up to but without {@code flavorLo[f + 1]}. */
    public final int[] flavorLo;
    /** Flavor of the node at each position. */
    public final int[] flavor;
    /** The node at position {@code p} has the devices {@code deviceLo[p]} up to but without {@code deviceLo[p + 1]}. */
    public final int[] deviceLo;
    /** Index in the snapshot of each device. */
    public final int[] device;
    /** Island of each device, counted within its node. */
    public final int[] island;
    /** MIG layout of each device, by its place in {@code MigLayouts.ALL}; negative where it cannot be cut. */
    public final int[] mig;
    /** MIG layout of the GPUs of each flavor; negative for none. */
    public final int[] migOf;
    /** The node at position {@code p} has the groups of NICs {@code nicLo[p]} up to but without {@code nicLo[p + 1]}. */
    public final int[] nicLo;
    /** Index in the snapshot of each group of NICs. */
    public final int[] nic;
    /** Resource of each group; those of one node and resource stand together. */
    public final int[] nicResource;
    /** Place of each group within its node; negative when unknown. */
    public final int[] nicPlace;
    /** Place of each device within its node; negative when unknown. */
    public final int[] devicePlace;
    /** Most devices of any node. */
    public final int mostDevices;

    /** Most devices of any node of each flavor. */
    public final int[] mostDevicesOf;

    /** Most CPU of any node when nothing is held, in milli-cores; at least 1. */
    public final long mostCpuMilli;

    public final Cells cells;
    /** Which nodes the rules of a pod set admit. */
    public final Eligibility eligibility;

    private final String[] flavorNames;
    private final String[] nicResourceNames;
    /** Never changed. */
    private final Board empty;

    private Layout(FleetNames names, FleetArrays fleet) {
        Positions order = Positions.of(names, fleet);
        node = order.node();
        flavorNames = order.flavorNames();
        flavor = new int[node.length];
        flavorLo = new int[flavorNames.length + 1];
        deviceLo = new int[node.length + 1];
        device = new int[fleet.devices()];
        island = new int[fleet.devices()];
        mig = new int[fleet.devices()];
        migOf = new int[flavorNames.length];
        Arrays.fill(migOf, NO_MIG);
        devicePlace = new int[fleet.devices()];
        nicLo = new int[node.length + 1];
        nic = new int[fleet.nics().groups()];
        nicResource = new int[nic.length];
        nicPlace = new int[nic.length];
        nicResourceNames =
                Arrays.stream(fleet.nics().resource()).sorted().distinct().toArray(String[]::new);
        for (int p = 0; p < node.length; p++) {
            flavor[p] = order.flavorRank()[fleet.flavor()[node[p]]];
            flavorLo[flavor[p] + 1] = p + 1;
            layDevices(fleet, p);
            layNics(fleet.nics(), p);
        }
        for (int f = 0; f < flavorNames.length; f++) {
            flavorLo[f + 1] = Math.max(flavorLo[f + 1], flavorLo[f]);
        }
        keepOneMigLayoutAFlavor();
        mostDevicesOf = mostDevicesOf();
        mostDevices = Arrays.stream(mostDevicesOf).max().orElse(0);
        mostCpuMilli = Math.max(1, Arrays.stream(fleet.cpuMilli()).max().orElse(1));
        eligibility = new Eligibility(node, names.traits());
        cells = new Cells(node, flavor, flavorNames.length, deviceLo, fleet);
        empty = Board.empty(this, fleet);
    }

    public static Layout of(FleetNames names, FleetArrays fleet) {
        return new Layout(names, fleet);
    }

    public int flavors() {
        return flavorNames.length;
    }

    /** The number of the flavor with this name; -1 when no node is of it. */
    public int flavorOf(String name) {
        int found = Arrays.binarySearch(flavorNames, name);
        return found >= 0 && flavorLo[found] < flavorLo[found + 1] ? found : -1;
    }

    /** All GPUs of each flavor, whatever their state, in milli-GPU. */
    public long[] milliOf() {
        long[] milli = new long[flavorNames.length];
        for (int f = 0; f < milli.length; f++) {
            milli[f] = (long) Limits.DEVICE_MILLI * (deviceLo[flavorLo[f + 1]] - deviceLo[flavorLo[f]]);
        }
        return milli;
    }

    public String flavorName(int flavor) {
        return flavorNames[flavor];
    }

    /** The number of the resource of NICs with this name, by name; one that no node has when there is none. */
    public int nicResourceOf(String name) {
        int found = Arrays.binarySearch(nicResourceNames, name);
        return found >= 0 ? found : nicResourceNames.length;
    }

    /** Whether some node has NICs of the resource with this number. */
    public boolean isNicResource(int number) {
        return number >= 0 && number < nicResourceNames.length;
    }

    public String nicResourceName(int number) {
        return nicResourceNames[number];
    }

    /** Names of all resources of NICs, in order. */
    public List<String> nicResources() {
        return List.of(nicResourceNames);
    }

    /** Whether the node has RDMA NICs. */
    public boolean hasNics(int position) {
        return nicLo[position] < nicLo[position + 1];
    }

    /** Levels between cluster and node. */
    public int levels() {
        return cells.depths() - 1;
    }

    public int nodes() {
        return node.length;
    }

    /** Whether GPUs of the flavor can be cut as the pod asks. */
    public boolean canCut(int flavor, PodShape shape) {
        return milliOn(flavor, shape) > 0;
    }

    /** Whether one pod fits on some node of the flavor that it may use, if nothing ran there. */
    public boolean canHold(int flavor, PodShape shape) {
        return shape.devices() <= mostDevicesOf[flavor]
                && Capacity.ofRange(empty, flavorLo[flavor], flavorLo[flavor + 1], shape, 1) > 0;
    }

    /** Milli-GPU that one pod takes where it runs on this flavor. */
    public long milliOn(int flavor, PodShape shape) {
        if (!shape.isMig()) {
            return shape.gpuMilli();
        }
        return migOf[flavor] < 0 ? 0 : MigTable.of(migOf[flavor]).milli(shape.mig());
    }

    /** Whether a pod that takes so much of GPUs takes a whole node: as much as the largest node of the flavor has. */
    public boolean isWholeNode(int flavor, long gpuMilli) {
        int most = mostDevicesOf[flavor];
        return most > 0 && gpuMilli >= most * (long) Limits.DEVICE_MILLI;
    }

    public int devicesOf(int position) {
        return deviceLo[position + 1] - deviceLo[position];
    }

    private void layDevices(FleetArrays fleet, int p) {
        int next = deviceLo[p];
        for (int d = fleet.firstDevice()[node[p]]; d < fleet.firstDevice()[node[p] + 1]; d++) {
            device[next] = d;
            island[next] = fleet.island()[d];
            mig[next] = fleet.migLayout()[d];
            migOf[flavor[p]] = Math.max(migOf[flavor[p]], mig[next]);
            devicePlace[next] = fleet.nics().devicePlace()[d];
            next++;
        }
        deviceLo[p + 1] = next;
    }

    /** A flavor is one kind of GPU. Where nodes disagree the last layout of the table counts, and no other GPU is cut. */
    private void keepOneMigLayoutAFlavor() {
        for (int p = 0; p < node.length; p++) {
            for (int d = deviceLo[p]; d < deviceLo[p + 1]; d++) {
                mig[d] = mig[d] == migOf[flavor[p]] ? mig[d] : NO_MIG;
            }
        }
    }

    private void layNics(FleetNics nics, int p) {
        int next = nicLo[p];
        for (int g = nics.firstGroup()[node[p]]; g < nics.firstGroup()[node[p] + 1]; g++) {
            nic[next] = g;
            nicResource[next] = nicResourceOf(nics.resource()[g]);
            nicPlace[next] = nics.place()[g];
            next++;
        }
        nicLo[p + 1] = next;
    }

    private int[] mostDevicesOf() {
        int[] most = new int[flavorNames.length];
        for (int p = 0; p < node.length; p++) {
            most[flavor[p]] = Math.max(most[flavor[p]], devicesOf(p));
        }
        return most;
    }
}
