package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.JobBook.Steered;
import dev.tutti.model.JobId;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How long a job may take, counted through suspensions, restarts and preemptions: one GPU, two jobs. */
class SuspendedTimeTest {

    private static final int GRACE_AND_TURNS = 5 + 5;
    private static final TimeLimits HUNDRED = new TimeLimits(100, null, null);
    private static final TimeLimits QUEUE_SIXTY = new TimeLimits(null, null, 60);

    static Stream<Arguments> databases() {
        return Stream.of(
                Arguments.of(Named.of("in memory", (Supplier<Database>) () -> new MemoryDatabase(World.LEASE))),
                Arguments.of(Named.of("on PostgreSQL", (Supplier<Database>) () -> new SqlDatabase(World.LEASE))));
    }

    @ParameterizedTest(name = "B56 run time stops with a suspension and goes on after it, {0}")
    @MethodSource("databases")
    void runTimeStopsWithASuspension(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 1)) {
            JobId job = stage.submit(stage.spec("J", 1, 10_000, HUNDRED));
            stage.until(job, JobState.RUNNING, 20);
            JobId other = stage.submit(stage.spec("K", 1, 100, TimeLimits.NONE));
            stage.run(40);
            assertThat(stage.state(other)).isEqualTo(JobState.QUEUED);

            assertThat(stage.suspend(job)).isInstanceOf(Steered.Now.class);
            assertThat(stage.heldMilli()).as("until its end is confirmed").isEqualTo(1_000);
            stage.until(job, JobState.SUSPENDED, GRACE_AND_TURNS);
            assertThat(stage.of(job).failures()).isZero();
            assertThat(stage.suspend(job))
                    .as("suspend twice")
                    .isEqualTo(new Steered.Now(JobState.SUSPENDED, stage.of(job).version(), false));
            stage.until(other, JobState.RUNNING, 20);
            assertThat(stage.heldMilli()).as("K's").isEqualTo(1_000);
            stage.until(other, JobState.SUCCEEDED, 120);
            stage.run(5);
            assertThat(stage.heldMilli()).isZero();
            assertThat(stage.used()).isEmpty();
            stage.run(300);
            stage.restart();
            stage.run(60);
            assertThat(stage.state(job)).isEqualTo(JobState.SUSPENDED);

            stage.resume(job);
            stage.until(job, JobState.RUNNING, 20);
            assertThat(stage.of(job).attempt()).isEqualTo(2);
            int left = stage.until(job, JobState.STOPPING, 100);
            assertThat(left).as("60 s are left").isBetween(58, 61);
            assertThat(stage.of(job).stopping()).isEqualTo(EndCause.MAX_RUNTIME);
            assertThat(stage.heldMilli()).as("its grace is respected").isEqualTo(1_000);
            stage.until(job, JobState.TIMED_OUT, GRACE_AND_TURNS);
            assertThat(stage.of(job).stopping()).isEqualTo(EndCause.MAX_RUNTIME);
            assertThat(stage.of(job).failures()).isZero();
            assertThat(stage.resume(job))
                    .as("resume of a finished job")
                    .isEqualTo(new Steered.Over(JobState.TIMED_OUT, EndCause.MAX_RUNTIME));
            assertThat(stage.suspend(job)).isInstanceOf(Steered.Over.class);
            assertThat(stage.heldMilli()).isZero();
        }
    }

    @ParameterizedTest(name = "B56 run time begins anew after a preemption and survives a restart, {0}")
    @MethodSource("databases")
    void runTimeBeginsAnewAfterAPreemption(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 1)) {
            JobId job = stage.submit(stage.spec("J", 1, 10_000, HUNDRED));
            stage.until(job, JobState.RUNNING, 20);
            stage.run(80);
            stage.preempt(job);
            while (stage.of(job).attempt() == 1) {
                stage.run(1);
            }
            stage.until(job, JobState.RUNNING, 20);
            stage.run(50);
            assertThat(stage.state(job)).as("80 s before and 50 s now").isEqualTo(JobState.RUNNING);
            stage.restart();

            int left = stage.until(job, JobState.STOPPING, 100);
            assertThat(left).as("of 100 s; the restart took 11").isBetween(100 - 50 - 11 - 3, 100 - 50 - 11 + 1);
            stage.until(job, JobState.TIMED_OUT, GRACE_AND_TURNS);
        }
    }

    @ParameterizedTest(name = "B56 a preempted job that is suspended on its way begins anew too, {0}")
    @MethodSource("databases")
    void aPreemptedJobThatIsSuspendedBeginsAnewToo(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 1)) {
            JobId job = stage.submit(stage.spec("J", 1, 10_000, HUNDRED));
            stage.until(job, JobState.RUNNING, 20);
            stage.run(80);
            stage.preempt(job);
            stage.suspend(job);
            stage.until(job, JobState.SUSPENDED, GRACE_AND_TURNS);
            stage.resume(job);
            stage.until(job, JobState.RUNNING, 20);

            assertThat(stage.until(job, JobState.STOPPING, 110)).isBetween(98, 101);
        }
    }

    @ParameterizedTest(name = "B56 queue time does not run while suspended, {0}")
    @MethodSource("databases")
    void queueTimeDoesNotRunWhileSuspended(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 1)) {
            JobId first = stage.submit(stage.spec("first", 1, 10_000, TimeLimits.NONE));
            stage.until(first, JobState.RUNNING, 20);
            JobId job = stage.submit(stage.spec("J", 1, 10, QUEUE_SIXTY));
            stage.run(30);
            stage.suspend(job);
            assertThat(stage.state(job)).as("suspended while waiting: at once").isEqualTo(JobState.SUSPENDED);
            stage.run(500);
            assertThat(stage.state(job)).isEqualTo(JobState.SUSPENDED);
            stage.restart();
            stage.resume(job);
            stage.run(25);
            assertThat(stage.state(job)).as("30 s and 25 s").isEqualTo(JobState.QUEUED);

            assertThat(stage.until(job, JobState.TIMED_OUT, 20)).isBetween(4, 7);
            assertThat(stage.of(job).stopping()).isEqualTo(EndCause.DEADLINE);
        }
    }

    @ParameterizedTest(name = "B56 queue time that is set on a suspended job runs from its resume, {0}")
    @MethodSource("databases")
    void queueTimeSetOnASuspendedJobRunsFromItsResume(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 1)) {
            JobId first = stage.submit(stage.spec("first", 1, 10_000, TimeLimits.NONE));
            stage.until(first, JobState.RUNNING, 20);
            JobId job = stage.submit(stage.spec("J", 1, 10, TimeLimits.NONE));
            stage.suspend(job);
            stage.run(100);
            assertThat(stage.book.change(
                            job,
                            spec -> spec.with(spec.lane(), spec.priority(), QUEUE_SIXTY, spec.labels()),
                            null,
                            Stage.ANNA))
                    .isInstanceOf(Steered.Now.class);
            stage.run(300);
            assertThat(stage.state(job)).isEqualTo(JobState.SUSPENDED);
            stage.resume(job);
            assertThat(stage.until(job, JobState.TIMED_OUT, 70)).isBetween(58, 62);
            assertThat(stage.of(job).stopping()).isEqualTo(EndCause.DEADLINE);
        }
    }

    @ParameterizedTest(name = "queue time counts from the return to the queue, {0}")
    @MethodSource("databases")
    void queueTimeCountsFromTheReturnToTheQueue(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 1)) {
            JobId first = stage.submit(stage.spec("first", 1, 40, TimeLimits.NONE));
            stage.until(first, JobState.RUNNING, 20);
            JobId job = stage.submit(stage.spec("J", 1, 10_000, QUEUE_SIXTY));
            assertThat(stage.until(job, JobState.RUNNING, 55)).as("waits").isGreaterThan(30);
            stage.run(100);
            assertThat(stage.state(job)).as("running is no waiting").isEqualTo(JobState.RUNNING);
            JobId other = stage.submit(stage.spec("stronger", 1, 1, 10_000, TimeLimits.NONE));
            stage.preempt(job);
            stage.until(job, JobState.QUEUED, GRACE_AND_TURNS);
            stage.until(other, JobState.RUNNING, 5);

            assertThat(stage.until(job, JobState.TIMED_OUT, 70)).isBetween(54, 61);
            assertThat(stage.of(job).stopping()).isEqualTo(EndCause.DEADLINE);
        }
    }

    @ParameterizedTest(name = "a deadline ends a job whether it waits, is suspended or runs, {0}")
    @MethodSource("databases")
    void aDeadlineEndsAJobWhateverItDoes(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 1)) {
            TimeLimits soon = new TimeLimits(null, stage.clock.instant().plus(Duration.ofSeconds(100)), null);
            JobId running = stage.submit(stage.spec("runs", 1, 10_000, soon));
            JobId waiting = stage.submit(stage.spec("waits", 1, 10_000, soon));
            JobId suspended = stage.submit(stage.spec("sleeps", 1, 10_000, soon));
            stage.suspend(suspended);
            stage.until(running, JobState.RUNNING, 20);
            stage.run(60);
            assertThat(List.of(stage.state(running), stage.state(waiting), stage.state(suspended)))
                    .containsExactly(JobState.RUNNING, JobState.QUEUED, JobState.SUSPENDED);
            stage.run(40);

            for (JobId job : List.of(running, waiting, suspended)) {
                stage.until(job, JobState.TIMED_OUT, GRACE_AND_TURNS);
                assertThat(stage.of(job).stopping()).isEqualTo(EndCause.DEADLINE);
                assertThat(stage.of(job).failures()).isZero();
            }
            assertThat(stage.heldMilli()).isZero();
        }
    }

    @ParameterizedTest(name = "a job that was suspended before its deadline ends when it has stopped, {0}")
    @MethodSource("databases")
    void aDeadlineDuringAStopWaitsForIt(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 1)) {
            TimeLimits soon = new TimeLimits(null, stage.clock.instant().plus(Duration.ofSeconds(62)), null);
            JobId job = stage.submit(stage.spec("J", 1, 10_000, soon));
            stage.until(job, JobState.RUNNING, 20);
            while (stage.clock.instant().isBefore(soon.deadline().minusSeconds(1))) {
                stage.run(1);
            }
            stage.suspend(job);

            stage.until(job, JobState.TIMED_OUT, GRACE_AND_TURNS + 5);
            assertThat(stage.of(job).stopping()).isEqualTo(EndCause.DEADLINE);
        }
    }
}
