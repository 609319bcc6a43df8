package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.JobId;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.Preemption;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.simulator.ClusterTimings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job that fell back stays where it runs, and begins with the flavor it likes best whenever it begins again. */
class PromotedBackTest {

    private static final int AFTER = 40;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoFellBackBeginsWithItsFirstFlavorAgain(boolean onSql) {
        Database database = onSql ? new SqlDatabase(World.LEASE) : new MemoryDatabase(World.LEASE);
        try (Stage stage = new Stage(
                database, List.of(Stage.node("n1", "h100", 1), Stage.node("n2", "a100", 1)), ClusterTimings.DEFAULT)) {
            JobId first = stage.submit(spec("first", 0, 100, null, "h100"));
            stage.until(first, JobState.RUNNING, 20);
            JobId patient = stage.submit(spec("patient", 0, 100_000, AFTER, "h100", "a100"));
            assertThat(stage.until(patient, JobState.RUNNING, 2 * AFTER)).isGreaterThanOrEqualTo(AFTER);
            assertThat(flavor(stage, patient)).isEqualTo("a100");

            stage.until(first, JobState.SUCCEEDED, 120);
            stage.run(AFTER);
            assertThat(flavor(stage, patient)).as("nobody moves it").isEqualTo("a100");
            assertThat(stage.of(patient).attempt()).isEqualTo(1);

            stage.preempt(patient);
            untilRunning(stage, patient, 2, AFTER / 2);
            assertThat(flavor(stage, patient)).as("the first is free").isEqualTo("h100");

            JobId strong = stage.submit(spec("strong", 9, 1_000, null, "h100"));
            stage.until(strong, JobState.RUNNING, 30);
            assertThat(flavor(stage, strong)).isEqualTo("h100");
            stage.until(patient, JobState.QUEUED, 10);
            stage.run(AFTER / 2);
            assertThat(stage.state(patient))
                    .as("it waits anew, though a100 is free")
                    .isEqualTo(JobState.QUEUED);
            untilRunning(stage, patient, 3, AFTER);
            assertThat(flavor(stage, patient)).isEqualTo("a100");

            stage.book.stop(strong, EndCause.CANCELLED_BY_USER, null, Stage.ANNA);
            stage.until(strong, JobState.CANCELLED, 30);
            stage.suspend(patient);
            stage.until(patient, JobState.SUSPENDED, 30);
            stage.resume(patient);
            untilRunning(stage, patient, 4, AFTER / 2);
            assertThat(flavor(stage, patient)).as("its user moves it").isEqualTo("h100");
        }
    }

    private static void untilRunning(Stage stage, JobId job, int attempt, int most) {
        for (int i = 0; i < most && stage.of(job).attempt() < attempt; i++) {
            stage.run(1);
        }
        stage.until(job, JobState.RUNNING, 20);
        assertThat(stage.of(job).attempt()).isEqualTo(attempt);
    }

    private static String flavor(Stage stage, JobId job) {
        return stage.database.truth().live().stream()
                .filter(one -> one.id().equals(job))
                .findFirst()
                .orElseThrow()
                .members()
                .get(0)
                .flavor();
    }

    private static JobSpec spec(String name, int priority, int seconds, @Nullable Integer fallback, String... flavors) {
        PodTemplate template = new PodTemplate("image", List.of(), List.of(), Map.of());
        PodSet set = new PodSet("worker", 1, 1, new GpuRequest.Whole(1), List.of(flavors), 0, 0, template);
        return new JobSpec(
                name,
                "team",
                Lane.YELLOW,
                priority,
                List.of(set),
                TopologyWish.NONE,
                seconds,
                5,
                2,
                Map.of(),
                new TimeLimits(null, null, null, null, fallback),
                false,
                List.of(),
                Preemption.ALWAYS);
    }
}
