package dev.tutti.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.fleet.TaintEffect;
import dev.tutti.model.fleet.Toleration;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.SetAffinity;
import dev.tutti.model.job.TopologySegment;
import dev.tutti.model.job.TopologyWish;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values stored by earlier versions are still read. */
class JsonTest {

    @Test
    void aPodSetWithoutRulesMayUseAnyNode() {
        String stored =
                "{\"name\": \"worker\", \"count\": 2, \"minCount\": 2, \"gpus\": {\"whole\": 8}, \"flavors\": [],"
                        + " \"cpuMilli\": 0, \"memoryMib\": 0, \"template\": {\"image\": \"busybox\", \"command\": [],"
                        + " \"args\": [], \"env\": {}}}";

        PodSet set = Json.read(stored, PodSet.class);

        assertThat(set.nodes()).isEqualTo(NodeRules.NONE);
        assertThat(set.affinity()).isEmpty();
        assertThat(set.nics()).isEqualTo(NicRequest.NONE);
    }

    @Test
    void aMigRequestIsReadAsItWasWritten() {
        GpuRequest request = new GpuRequest.Mig("1g.10gb");

        assertThat(Json.write(request)).isEqualTo("{\"mig\":\"1g.10gb\"}");
        assertThat(Json.read(Json.write(request), GpuRequest.class)).isEqualTo(request);
    }

    @Test
    void whatIsWrittenIsRead() {
        PodSet set = new PodSet(
                "worker",
                2,
                2,
                new GpuRequest.Whole(8),
                List.of("h100"),
                1_000,
                1_024,
                new PodTemplate("busybox", List.of(), List.of(), Map.of()),
                new TopologyWish("rack", null),
                new TopologySegment(2, "rack"),
                new NodeRules(
                        Map.of("pool", "a"),
                        List.of(new Toleration("a", Toleration.Operator.EQUAL, "b", TaintEffect.NO_EXECUTE))),
                List.of(new SetAffinity("ps", "rack", SetAffinity.Kind.APART)),
                new NicRequest(8, "rdma/hca"));

        assertThat(Json.read(Json.write(set), PodSet.class)).isEqualTo(set);
    }

    @Test
    void aJobStoredWithoutAWordOfSuspensionWaitsInItsQueue() {
        JobSpec spec = new JobSpec(
                "train",
                "default",
                Lane.GREEN,
                3,
                List.of(new PodSet(
                        "worker",
                        1,
                        1,
                        new GpuRequest.None(),
                        List.of(),
                        0,
                        0,
                        new PodTemplate("busybox", List.of(), List.of(), Map.of()))),
                TopologyWish.NONE,
                60,
                30,
                0,
                Map.of());
        String stored = Json.write(spec).replace(",\"suspended\":false", "");

        assertThat(stored).doesNotContain("suspended");
        assertThat(Json.read(stored, JobSpec.class)).isEqualTo(spec);
    }
}
