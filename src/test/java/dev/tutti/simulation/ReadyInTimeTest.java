package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.Backoff;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Quotas;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A gang that has all it asked for and does not run gives it back, and is tried again later. */
class ReadyInTimeTest {

    private static final int SOON = 60;
    private static final int TIMEOUT = 300;
    private static final int GRACE_AND_TURNS = 5 + 5;

    static Stream<Arguments> databases() {
        return Stream.of(
                Arguments.of(Named.of("in memory", (Supplier<Database>) () -> new MemoryDatabase(World.LEASE))),
                Arguments.of(Named.of("on PostgreSQL", (Supplier<Database>) () -> new SqlDatabase(World.LEASE))));
    }

    private static Stage stage(Database database) {
        Stage stage = new Stage(database, 8);
        stage.watched = true;
        QuotaKey gpus = QuotaKey.gpus("h100");
        database.addQueue("all", new Quotas(Map.of(gpus, Quota.of(8_000))));
        database.addQueue("all/qa", new Quotas(Map.of(gpus, Quota.of(4_000))));
        database.addQueue("all/qb", new Quotas(Map.of(gpus, Quota.of(4_000))));
        return stage;
    }

    private static JobId submit(Stage stage, String name, String queue, int pods, Integer readySeconds) {
        JobSpec spec = stage.spec(name, queue, pods, 1, List.of());
        return stage.submit(
                spec.with(spec.lane(), spec.priority(), new TimeLimits(null, null, null, readySeconds), spec.labels()));
    }

    @ParameterizedTest(name = "B08 a gang whose pods are made anew and are not ready in 300 s holds nothing, {0}")
    @MethodSource("databases")
    void whoIsNotReadyInTimeHoldsNothing(Supplier<Database> database) {
        try (Stage stage = stage(database.get())) {
            JobId job = submit(stage, "J", "all/qa", 8, TIMEOUT);
            stage.until(job, JobState.RUNNING, SOON);
            stage.leap(Duration.ofHours(20));
            stage.run(5);
            assertThat(stage.state(job)).as("it runs on").isEqualTo(JobState.RUNNING);

            stage.cluster.faults().missImages("n1", true);
            stage.cluster.faults().endContainers(stage.pod(job, 3), 1);
            while (stage.of(job).attempt() == 1) {
                stage.run(1);
            }
            stage.run(3);
            assertThat(stage.podsOf(job).stream().filter(pod -> pod.phase() == PodSighting.Phase.PENDING))
                    .as("all are made anew")
                    .hasSize(8)
                    .allMatch(pod -> "n1".equals(pod.node()));
            int ready = stage.until(job, JobState.STOPPING, TIMEOUT + 5);
            assertThat(ready + 3).as("counted from the last binding").isBetween(TIMEOUT - 1, TIMEOUT + 3);
            assertThat(stage.of(job).stopping()).isEqualTo(EndCause.NOT_READY_IN_TIME);
            JobId other = submit(stage, "K", "all/qb", 4, null);
            stage.until(job, JobState.QUEUED, GRACE_AND_TURNS);

            assertThat(stage.of(job).members())
                    .as("no other flag says it holds anything")
                    .isEmpty();
            assertThat(stage.of(job).suspend()).isFalse();
            assertThat(stage.podsOf(job)).noneMatch(pod -> pod.exitCode() == null);
            assertThat(stage.until(other, JobState.ALLOCATED, 1))
                    .as("K starts in the next cycle")
                    .isLessThanOrEqualTo(1);
            assertThat(stage.heldMilli()).as("K's alone").isEqualTo(4_000);
            assertThat(stage.used().keySet().stream().map(Object::toString))
                    .as("nothing of qa's")
                    .noneMatch(key -> key.contains("qa"));

            stage.cluster.faults().missImages("n1", false);
            stage.until(other, JobState.RUNNING, SOON);
            for (int rank = 0; rank < 4; rank++) {
                stage.cluster.faults().endContainers(stage.pod(other, rank), 0);
            }
            stage.until(other, JobState.SUCCEEDED, SOON);
            stage.until(job, JobState.RUNNING, 180);
            assertThat(stage.of(job).attempt())
                    .as("tried again after the requeue time")
                    .isEqualTo(3);
            assertThat(stage.of(job).failures()).as("the crash alone").isEqualTo(1);
            assertThat(stage.heldMilli()).isEqualTo(8_000);
        }
    }

    @ParameterizedTest(name = "B08 a restart of the service in the middle changes nothing, {0}")
    @MethodSource("databases")
    void aRestartChangesNothing(Supplier<Database> database) {
        try (Stage stage = stage(database.get())) {
            stage.cluster.faults().missImages("n1", true);
            JobId job = submit(stage, "J", "all/qa", 8, TIMEOUT);
            stage.run(100);
            stage.restart();
            int left = stage.until(job, JobState.STOPPING, TIMEOUT);
            assertThat(left + 100 + World.LEASE.toSeconds()).isBetween(TIMEOUT - 3L, TIMEOUT + 6L);
        }
    }

    @ParameterizedTest(
            name = "one that never gets ready holds less and less, and is left alone for an hour at most, {0}")
    @MethodSource("databases")
    void whoNeverGetsReadyHoldsLessAndLess(Supplier<Database> database) {
        try (Stage stage = stage(database.get())) {
            stage.watched = false;
            stage.cluster.faults().missImages("n1", true);
            JobId job = submit(stage, "J", "all/qa", 8, 10);
            long waited = 0;
            for (int tries = 1; tries <= 3; tries++) {
                stage.until(job, JobState.STOPPING, SOON);
                stage.until(job, JobState.QUEUED, GRACE_AND_TURNS);
                long next = stage.until(job, JobState.ALLOCATED, 600);
                assertThat(next).isBetween(60L << (tries - 1), (60L << (tries - 1)) + 3);
                assertThat(next).isGreaterThan(waited);
                waited = next;
            }
            assertThat(Backoff.ofJob(EndCause.NOT_READY_IN_TIME, 1_000)).isEqualTo(Duration.ofHours(1));
            assertThat(stage.of(job).failures())
                    .as("nobody knows whose fault it is")
                    .isZero();
        }
    }

    @ParameterizedTest(
            name = "one that gets ready in time is left alone, and so is one without a limit of its own, {0}")
    @MethodSource("databases")
    void whoIsReadyInTimeIsLeftAlone(Supplier<Database> database) {
        try (Stage stage = stage(database.get())) {
            stage.cluster.faults().missImages("n1", true);
            JobId quick = submit(stage, "J", "all/qa", 4, TIMEOUT);
            JobId plain = submit(stage, "K", "all/qb", 4, null);
            stage.run(TIMEOUT - 10);
            stage.cluster.faults().missImages("n1", false);
            stage.until(quick, JobState.RUNNING, 5);
            stage.run(2 * TIMEOUT);
            assertThat(stage.state(quick)).isEqualTo(JobState.RUNNING);
            assertThat(stage.state(plain)).isEqualTo(JobState.RUNNING);
            assertThat(stage.of(quick).attempt()).isEqualTo(1);
            assertThat(stage.of(plain).attempt()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("B08 the end is told once, with its cause and how long the job is left alone, on PostgreSQL")
    void theEndIsTold() {
        SqlDatabase database = new SqlDatabase(World.LEASE);
        try (Stage stage = stage(database)) {
            stage.cluster.faults().missImages("n1", true);
            JobId job = submit(stage, "J", "all/qa", 8, 10);
            stage.until(job, JobState.STOPPING, SOON);
            stage.until(job, JobState.QUEUED, GRACE_AND_TURNS);
            assertThat(database.texts("SELECT (data ->> 'to') || ' ' || (data ->> 'cause') || ' '"
                            + " || COALESCE(data ->> 'backOffSeconds', '-') FROM events WHERE type = 'job.state'"
                            + " AND subject = '" + job + "' AND data ->> 'cause' IS NOT NULL ORDER BY xid, id"))
                    .containsExactly("STOPPING NOT_READY_IN_TIME -", "QUEUED NOT_READY_IN_TIME 60");
            assertThat(database.texts("SELECT cause FROM attempts WHERE job_id = '%s'".formatted(job)))
                    .containsExactly("NOT_READY_IN_TIME");
        }
    }
}
