package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.JobId;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.life.JobState;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Quotas;
import dev.tutti.simulator.ClusterTimings;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs without GPUs, in a queue that has none, on a node with GPUs and one without. */
class CpuOnlyJobTest {

    private static final int SOON = 30;
    /** Of the 64 cores of a node: two do not fit on one. */
    private static final long CORES_MILLI = 40_000;

    private static JobSpec spec(Stage stage, GpuRequest gpus) {
        PodTemplate template = new PodTemplate("image", List.of(), List.of(), Map.of());
        PodSet set = new PodSet("worker", 1, 1, gpus, List.of(), CORES_MILLI, 1_024, template);
        return stage.spec("J", "none", 1, 1, List.of()).with(List.of(set));
    }

    @ParameterizedTest(name = "B51 a CPU-only job runs with a GPU quota of 0, on the node without GPUs too, {0}")
    @MethodSource("dev.tutti.simulation.ReadyInTimeTest#databases")
    void aCpuOnlyJobMayUseANodeWithoutGpus(Supplier<Database> database) {
        try (Stage stage = new Stage(
                database.get(),
                List.of(Stage.node("n1", "h100", 8), Stage.node("n2", "cpu", 0)),
                ClusterTimings.DEFAULT)) {
            stage.watched = true;
            stage.database.addQueue("none", new Quotas(Map.of(QuotaKey.gpus("h100"), new Quota(0, 0L, null))));
            JobId gpu = stage.submit(spec(stage, new GpuRequest.Whole(1)));
            List<JobId> two = List.of(
                    stage.submit(spec(stage, new GpuRequest.None())), stage.submit(spec(stage, new GpuRequest.None())));
            two.forEach(job -> stage.until(job, JobState.RUNNING, SOON));

            assertThat(two.stream().flatMap(job -> stage.podsOf(job).stream()).map(PodSighting::node))
                    .containsExactlyInAnyOrder("n1", "n2");
            assertThat(stage.heldMilli()).as("no GPU is held").isZero();
            assertThat(stage.state(gpu)).as("one with a GPU has no quota").isEqualTo(JobState.QUEUED);
        }
    }
}
