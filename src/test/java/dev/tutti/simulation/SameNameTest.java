package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.Actor;
import dev.tutti.control.JobBook.Steered;
import dev.tutti.model.JobId;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.simulator.ClusterTimings;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two jobs of one name: whatever is meant for the old one never meets the new one. */
class SameNameTest {

    private static final int SLOW_SECONDS = 60;

    private static JobSpec train(Stage stage) {
        JobSpec spec = stage.spec("train", 2, 10_000, TimeLimits.NONE);
        return new JobSpec(
                spec.name(),
                spec.queue(),
                spec.lane(),
                spec.priority(),
                spec.podSets(),
                spec.topology(),
                spec.expectedRuntimeSeconds(),
                SLOW_SECONDS,
                spec.maxFailures(),
                spec.labels());
    }

    /** Pods take the whole of their grace to end. */
    private static ClusterTimings slow() {
        ClusterTimings usual = ClusterTimings.DEFAULT;
        return new ClusterTimings(
                usual.notice(),
                usual.start(),
                Duration.ofSeconds(SLOW_SECONDS),
                usual.remove(),
                usual.notReady(),
                usual.forceDelete(),
                usual.orphan(),
                usual.runtime(),
                usual.retention());
    }

    @Test
    @DisplayName("B54 a late cancel, a late report and the cleanup of a job leave the next one of its name alone")
    void nothingMeantForTheOldJobMeetsTheNewOne() {
        SqlDatabase database = new SqlDatabase(World.LEASE);
        try (Stage stage = new Stage(database, 4, slow())) {
            JobId old = stage.submit(train(stage));
            stage.until(old, JobState.RUNNING, 20);
            Set<String> oldPods = Set.of(stage.pod(old, 0), stage.pod(old, 1));
            stage.book.stop(old, EndCause.CANCELLED_BY_USER, null, Stage.ANNA);
            JobId fresh = stage.submit(train(stage));
            assertThat(fresh).isNotEqualTo(old);
            stage.until(fresh, JobState.RUNNING, 20);
            assertThat(stage.state(old)).as("its pods still end").isEqualTo(JobState.STOPPING);
            assertThat(stage.heldMilli()).as("each has its own GPUs").isEqualTo(4_000);
            assertThat(oldPods).doesNotContain(stage.pod(fresh, 0), stage.pod(fresh, 1));
            stage.until(old, JobState.CANCELLED, 2 * SLOW_SECONDS);
            JobRun before = stage.of(fresh);

            Steered late = stage.book.stop(old, EndCause.CANCELLED_BY_USER, null, Stage.ANNA);
            assertThat(late)
                    .as("already done")
                    .isEqualTo(new Steered.Now(JobState.CANCELLED, stage.of(old).version(), false));
            oldPods.forEach(pod -> stage.sayAgain(PreemptedRunsTest.gone(stage.sightings.get(pod))));
            stage.run(5);
            long oldVersion = stage.of(old).version();
            assertThat(oldVersion).isNotEqualTo(before.version());
            assertThat(stage.book.stop(fresh, EndCause.CANCELLED_BY_USER, oldVersion, Stage.ANNA))
                    .as("the new job with the old one's version")
                    .isEqualTo(new Steered.Stale(before.version()));
            assertThat(database.texts("SELECT id::text FROM jobs WHERE name = 'train' ORDER BY id"))
                    .as("history shows two jobs")
                    .containsExactly(old.toString(), fresh.toString());
            assertThat(database.retention().pruneJobs(Duration.ofSeconds(1), 100, new Actor.Leader(stage.term())))
                    .as("cleanup of the old one")
                    .isEqualTo(1);
            assertThat(stage.book.stop(old, EndCause.CANCELLED_BY_USER, null, Stage.ANNA))
                    .isEqualTo(new Steered.NotFound());
            stage.run(5);

            assertThat(stage.of(fresh)).as("nothing changed the new one").isEqualTo(before);
            assertThat(stage.heldMilli()).isEqualTo(2_000);
        }
    }
}
