package dev.tutti.contract;

import dev.tutti.control.PodOrder;
import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.Toleration;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodTemplate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Makes pod orders that differ from each other and are small enough for any node, unless told otherwise. */
final class Orders {

    private static final AtomicLong ALLOCATIONS = new AtomicLong(1_000);

    private static final NodeRules RULES =
            new NodeRules(Map.of(), List.of(new Toleration(null, Toleration.Operator.EXISTS, "", null)));

    private Orders() {}

    /** A pod with one GPU that runs for an hour. */
    static PodOrder on(String node) {
        return order(new JobId(UUID.randomUUID()), "train", 1, 0, node, 1, 1_000);
    }

    static PodOrder withGpus(String node, int gpus) {
        return order(new JobId(UUID.randomUUID()), "train", 1, 0, node, gpus, 1_000);
    }

    static PodOrder withCpu(String node, long cpuMilli) {
        return order(new JobId(UUID.randomUUID()), "train", 1, 0, node, 0, cpuMilli);
    }

    static PodOrder named(String jobName, String node) {
        return order(new JobId(UUID.randomUUID()), jobName, 1, 0, node, 1, 1_000);
    }

    /** The same member in another attempt. */
    static PodOrder nextAttempt(PodOrder order) {
        return order(order.job(), order.jobName(), order.attempt() + 1, order.rank(), order.node(), 1, 1_000);
    }

    /** The same pod for another allocation and node: what a deposed leader may still want. */
    static PodOrder elsewhere(PodOrder order, String node) {
        return copy(order, order.name(), new AllocationId(ALLOCATIONS.incrementAndGet()), node, order.devices());
    }

    private static PodOrder order(
            JobId job, String jobName, int attempt, int rank, String node, int gpus, long cpuMilli) {
        return new PodOrder(
                PodName.of(job, attempt, rank),
                new AllocationId(ALLOCATIONS.incrementAndGet()),
                job,
                jobName,
                attempt,
                rank,
                "worker",
                1,
                node,
                gpus,
                0,
                IntStream.range(0, gpus).boxed().toList(),
                null,
                cpuMilli,
                1_024,
                RULES,
                5,
                3_600,
                new PodTemplate("registry.example/train:1", List.of("train"), List.of("--fast"), Map.of("LR", "0.1")),
                List.of());
    }

    /** One-GPU pods of one job, spread over the nodes in turn, each on a device of its own. */
    static List<PodOrder> gang(List<String> nodes, int pods) {
        JobId job = new JobId(UUID.randomUUID());
        return IntStream.range(0, pods)
                .mapToObj(rank -> onDevices(
                        order(job, "gang", 1, rank, nodes.get(rank % nodes.size()), 1, 1_000),
                        List.of(rank / nodes.size())))
                .toList();
    }

    private static PodOrder onDevices(PodOrder order, List<Integer> devices) {
        return copy(order, order.name(), order.allocation(), order.node(), devices);
    }

    static PodOrder withName(PodOrder order, String name) {
        return copy(order, name, order.allocation(), order.node(), order.devices());
    }

    private static PodOrder copy(
            PodOrder order, String name, AllocationId allocation, String node, List<Integer> devices) {
        return new PodOrder(
                name,
                allocation,
                order.job(),
                order.jobName(),
                order.attempt(),
                order.rank(),
                order.podSet(),
                order.pods(),
                node,
                order.gpus(),
                order.gpuMilli(),
                devices,
                order.mig(),
                order.cpuMilli(),
                order.memoryMib(),
                order.nodes(),
                order.graceSeconds(),
                order.expectedRuntimeSeconds(),
                order.template(),
                order.nics());
    }
}
