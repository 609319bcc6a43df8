package dev.tutti.kubernetes;

import dev.tutti.control.PodOrder;
import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.fleet.TaintEffect;
import dev.tutti.model.fleet.Toleration;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodTemplate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Makes pod orders for tests of the door. */
final class TestOrders {

    static final PodTemplate TEMPLATE =
            new PodTemplate("registry.example/train:1", List.of("train"), List.of("--fast"), Map.of("LR", "0.1"));

    static final NodeRules RULES = new NodeRules(
            Map.of("pool", "training"),
            List.of(
                    new Toleration("dedicated", Toleration.Operator.EQUAL, "training", TaintEffect.NO_SCHEDULE),
                    new Toleration(null, Toleration.Operator.EXISTS, "", null)));

    private TestOrders() {}

    static PodOrder on(String node) {
        return order(node, 1, 0, 30);
    }

    static PodOrder order(String node, int gpus, int gpuMilli, int graceSeconds) {
        return order(node, gpus, gpuMilli, null, graceSeconds);
    }

    static PodOrder order(String node, int gpus, int gpuMilli, @Nullable MigInstance mig, int graceSeconds) {
        return order(node, gpus, gpuMilli, mig, graceSeconds, List.of());
    }

    static PodOrder order(
            String node, int gpus, int gpuMilli, @Nullable MigInstance mig, int graceSeconds, List<NicGroup> nics) {
        JobId job = new JobId(UUID.randomUUID());
        return new PodOrder(
                PodName.of(job, 1, 0),
                new AllocationId(77),
                job,
                "训练 🚀",
                1,
                0,
                "worker",
                1,
                node,
                gpus,
                gpuMilli,
                IntStream.range(0, gpus).boxed().toList(),
                mig,
                1_000,
                1_024,
                RULES,
                graceSeconds,
                3_600,
                TEMPLATE,
                nics);
    }
}
