package dev.tutti.control;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.view.ChangeFeed.Changes;
import dev.tutti.control.view.ChangeFeed.DeviceRow;
import dev.tutti.control.view.ChangeFeed.NodeRow;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.QueueId;
import dev.tutti.model.fleet.NodeTraits;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Small rows and jobs for tests of the rooms below. */
public final class Rows {

    public static final TopologyLevels LEVELS = new TopologyLevels(List.of(
            new TopologyLevels.Level("block", List.of("block")), new TopologyLevels.Level("rack", List.of("rack"))));
    public static final QueueId QUEUE = new QueueId(7);

    private Rows() {}

    public static NodeRow node(long id, long cluster, String flavor, String... domains) {
        return new NodeRow(
                new NodeId(id),
                new ClusterId(cluster),
                "c" + cluster,
                "n" + id,
                flavor,
                List.of(domains),
                NodeTraits.NONE,
                true,
                0,
                false,
                64_000,
                65_536,
                110,
                0,
                0,
                0,
                List.of());
    }

    public static NodeRow closedUntil(NodeRow row, long micros) {
        return new NodeRow(
                row.id(),
                row.cluster(),
                row.clusterName(),
                row.name(),
                row.flavor(),
                row.domains(),
                row.traits(),
                true,
                micros,
                row.gone(),
                row.cpuMilli(),
                row.memoryMib(),
                row.podSlots(),
                row.heldCpuMilli(),
                row.heldMemoryMib(),
                row.heldPods(),
                row.nics());
    }

    public static NodeRow gone(NodeRow row) {
        return new NodeRow(
                row.id(),
                row.cluster(),
                row.clusterName(),
                row.name(),
                row.flavor(),
                row.domains(),
                row.traits(),
                false,
                0,
                true,
                row.cpuMilli(),
                row.memoryMib(),
                row.podSlots(),
                0,
                0,
                0,
                row.nics());
    }

    /** A device that cannot be cut and of which nobody knows the place. */
    public static DeviceRow device(long id, int index, int island, boolean usable, int heldMilli) {
        return new DeviceRow(id, index, island, usable, heldMilli, null, 0, "");
    }

    /** Devices of a node: ids from ten times the node's id, two islands, held as given. */
    public static List<DeviceRow> devices(long node, int... held) {
        return IntStream.range(0, held.length)
                .mapToObj(i -> device(10 * node + i, i, i / 2, true, held[i]))
                .toList();
    }

    public static Changes changes(long nowMicros, List<NodeRow> nodes, int gpusPerNode) {
        Map<NodeId, List<DeviceRow>> devices = nodes.stream()
                .collect(Collectors.toMap(NodeRow::id, node -> devices(node.id().value(), new int[gpusPerNode])));
        return new Changes(
                "c" + nowMicros,
                nowMicros,
                List.of(),
                List.of(),
                List.of(),
                nodes,
                devices,
                shares(),
                List.of(),
                List.of(),
                Map.of());
    }

    public static Changes nothing(long nowMicros) {
        return new Changes(
                "c" + nowMicros,
                nowMicros,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                Map.of());
    }

    public static Changes waiting(long nowMicros, WaitingJob... jobs) {
        return new Changes(
                "c" + nowMicros,
                nowMicros,
                List.of(jobs),
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                Map.of());
    }

    public static Map<QueueId, QueueShares.Share> shares() {
        return Map.of(
                QUEUE,
                new QueueShares.Share(
                        null, QueueRules.PLAIN, Map.of(), Map.of(QuotaKey.gpus("h100"), new Use(0, 3000L, 0))));
    }

    public static JobSpec job(String name, int pods, int gpus, String... flavors) {
        return job(name, pods, gpus, TopologyWish.NONE, flavors);
    }

    public static JobSpec job(String name, int pods, int gpus, TopologyWish topology, String... flavors) {
        GpuRequest request = gpus == 0 ? new GpuRequest.None() : new GpuRequest.Whole(gpus);
        PodTemplate template = new PodTemplate("image", List.of(), List.of(), Map.of());
        PodSet set = new PodSet("worker", pods, pods, request, new ArrayList<>(List.of(flavors)), 0, 0, template);
        return new JobSpec(name, "team", Lane.YELLOW, 0, List.of(set), topology, 60, 30, 0, Map.of());
    }

    public static WaitingJob waitingJob(int number, JobSpec spec) {
        return new WaitingJob(
                new JobId(new UUID(1, number)),
                number,
                QUEUE,
                spec.lane(),
                spec.priority(),
                number,
                0,
                spec.podSets(),
                spec.topology(),
                null);
    }
}
