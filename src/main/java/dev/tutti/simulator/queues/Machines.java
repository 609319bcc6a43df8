package dev.tutti.simulator.queues;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.model.Limits;
import dev.tutti.simulator.experiment.Fleet;
import dev.tutti.simulator.fleet.Fleets;
import dev.tutti.simulator.fleet.NodeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Equal nodes of 8 GPUs, and what of them is free. It refuses to give away anything twice. */
final class Machines {

    static final int NODE_GPUS = 8;

    private static final NodeSpec LIKE =
            Fleets.named("nodes=1,gpus=" + NODE_GPUS).get(0);

    private final Fleet fleet;
    private final long[] cpuMilli;
    private final long[] memoryMib;
    private final int[] pods;
    private final int[] deviceMilli;

    /** @param flavors that of each node, in whole groups */
    Machines(List<String> flavors) {
        List<NodeSpec> nodes = new ArrayList<>();
        for (String flavor : flavors) {
            nodes.add(new NodeSpec(
                    "node-" + nodes.size(),
                    flavor,
                    LIKE.gpuModel(),
                    LIKE.gpuMemoryMib(),
                    LIKE.cpuMilli(),
                    LIKE.memoryMib(),
                    LIKE.podSlots(),
                    List.of(),
                    LIKE.islands(),
                    Map.of()));
        }
        fleet = Fleet.of(nodes, List.of());
        FleetArrays arrays = fleet.arrays();
        cpuMilli = arrays.cpuFreeMilli().clone();
        memoryMib = arrays.memoryFreeMib().clone();
        pods = arrays.podsFree().clone();
        deviceMilli = arrays.deviceFreeMilli().clone();
    }

    FleetNames names() {
        return fleet.names();
    }

    /** All of them with what is free now. */
    FleetArrays arrays() {
        FleetArrays empty = fleet.arrays();
        return empty.withFree(
                empty.open(),
                cpuMilli.clone(),
                memoryMib.clone(),
                pods.clone(),
                deviceMilli.clone(),
                empty.deviceWhole(),
                empty.deviceUnits(),
                empty.nics().free());
    }

    void take(List<Plan.PodPlacement> members) {
        members.forEach(member -> change(member, -1));
    }

    void give(List<Plan.PodPlacement> members) {
        members.forEach(member -> change(member, 1));
    }

    /** Free GPUs of each node. */
    int[] freeGpus() {
        int[] free = new int[pods.length];
        for (int d = 0; d < deviceMilli.length; d++) {
            free[d / NODE_GPUS] += deviceMilli[d] / Limits.DEVICE_MILLI;
        }
        return free;
    }

    /** What a member takes, of the free GPUs of each node. */
    static void give(int[] free, List<Plan.PodPlacement> members, int sign) {
        members.forEach(member ->
                free[(int) member.node().value() - 1] += sign * member.devices().size());
    }

    /**
     * What a job takes of each node when every pod of it goes to the node with the least room that holds it.
     *
     * @param free free GPUs of each node
     * @return null when it does not fit
     */
    static int @Nullable [] place(int[] free, int gpus) {
        int[] taken = new int[free.length];
        int left = gpus;
        for (int pod = Math.min(left, NODE_GPUS); pod > 0; pod = Math.min(left, NODE_GPUS)) {
            int node = tightest(free, taken, pod);
            if (node < 0) {
                return null;
            }
            taken[node] += pod;
            left -= pod;
        }
        return taken;
    }

    /** The node with the least room that holds a pod; -1 for none. */
    private static int tightest(int[] free, int[] taken, int pod) {
        int best = -1;
        for (int n = 0; n < free.length; n++) {
            int room = free[n] - taken[n];
            if (room >= pod && (best < 0 || room < free[best] - taken[best])) {
                best = n;
            }
        }
        return best;
    }

    private void change(Plan.PodPlacement member, int sign) {
        int node = (int) member.node().value() - 1;
        cpuMilli[node] += sign * member.cpuMilli();
        memoryMib[node] += sign * member.memoryMib();
        pods[node] += sign;
        check(cpuMilli[node] >= 0 && memoryMib[node] >= 0 && pods[node] >= 0, member);
        for (long device : member.devices()) {
            int d = (int) device - 1;
            deviceMilli[d] += sign * member.milliPerDevice();
            check(deviceMilli[d] >= 0 && deviceMilli[d] <= Limits.DEVICE_MILLI && d / NODE_GPUS == node, member);
        }
    }

    private static void check(boolean isTrue, Plan.PodPlacement member) {
        if (!isTrue) {
            throw new IllegalStateException("more is taken, or given back, than there is: " + member);
        }
    }
}
