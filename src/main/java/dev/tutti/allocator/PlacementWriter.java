package dev.tutti.allocator;

import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.Trail;
import dev.tutti.allocator.quota.Account;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.allocator.reserve.Reservation;
import dev.tutti.model.NodeId;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.MigLayout;
import dev.tutti.model.job.PodSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Turns placed pods into a placement. Ranks go through the pod sets in order, and within a set from node to node as they
 * stand in the network, so that neighbours in rank are neighbours there.
 */
final class PlacementWriter {

    private final Snapshot snapshot;
    private final Layout layout;

    PlacementWriter(Snapshot snapshot, Layout layout) {
        this.snapshot = snapshot;
        this.layout = layout;
    }

    /** Writes the pods on the trail as the job's members, and counts them against its queue. */
    Plan.Placement write(WaitingJob job, Trail trail, QuotaCheck quota, Account account) {
        List<Plan.PodPlacement> members = new ArrayList<>(trail.size());
        int firstRank = job.growth() == null ? 0 : job.growth().firstRank();
        for (int pod : inRankOrder(trail)) {
            PodSet set = job.podSets().get(trail.set(pod));
            int node = trail.node(pod);
            int flavor = snapshot.fleet().flavor()[node];
            String flavorName = snapshot.names().flavors().get(flavor);
            MigInstance mig = trail.instance(pod);
            int milli = mig == null ? set.gpus().milliPerDevice() : mig.units() * MigLayout.UNIT_MILLI;
            members.add(new Plan.PodPlacement(
                    set.name(),
                    firstRank + members.size(),
                    new NodeId(snapshot.fleet().nodeId()[node]),
                    flavorName,
                    deviceIds(trail.devices(pod)),
                    milli,
                    set.cpuMilli(),
                    set.memoryMib(),
                    mig,
                    nicGroupIds(trail.nics(pod))));
            quota.take(
                    account,
                    layout.flavorOf(flavorName),
                    (long) set.gpus().devices() * milli,
                    set.cpuMilli(),
                    set.memoryMib());
        }
        return new Plan.Placement(job.job(), job.version(), members, job.growth() != null);
    }

    /** Writes what is kept for a job that has a time. */
    Plan.Reservation write(Reservation one) {
        long[] gpuMilli = new long[1];
        one.place().count(layout, (position, gpus, cpuMilli, memoryMib) -> gpuMilli[0] += gpus);
        List<NodeId> nodes = Arrays.stream(one.place().nodes())
                .mapToObj(p -> new NodeId(snapshot.fleet().nodeId()[layout.node[p]]))
                .sorted(Comparator.comparingLong(NodeId::value))
                .toList();
        return new Plan.Reservation(one.job(), one.startMicros(), nodes, gpuMilli[0]);
    }

    private static int[] inRankOrder(Trail trail) {
        long[] keys = new long[trail.size()];
        for (int pod = 0; pod < keys.length; pod++) {
            keys[pod] = ((long) trail.set(pod) << 58) | ((long) trail.position(pod) << 29) | pod;
        }
        Arrays.sort(keys);
        int[] order = new int[keys.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = (int) (keys[i] & (1 << 29) - 1);
        }
        return order;
    }

    private List<Long> nicGroupIds(int[] groups) {
        return Arrays.stream(groups)
                .mapToObj(group -> snapshot.fleet().nics().groupId()[group])
                .sorted()
                .toList();
    }

    private List<Long> deviceIds(int[] devices) {
        Long[] ids = new Long[devices.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = snapshot.fleet().deviceId()[devices[i]];
        }
        Arrays.sort(ids);
        return List.of(ids);
    }
}
