package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.JobBook.Steered;
import dev.tutti.model.JobId;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberPhase;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs that change size while they run, with all loops, on a virtual clock. */
class ElasticTest {

    private static final int GRACE_AND_TURNS = 5 + 5;

    static Stream<Arguments> databases() {
        return Stream.of(
                Arguments.of(Named.of("in memory", (Supplier<Database>) () -> new MemoryDatabase(World.LEASE))),
                Arguments.of(Named.of("on PostgreSQL", (Supplier<Database>) () -> new SqlDatabase(World.LEASE))));
    }

    static JobSpec elastic(Stage stage, int count, int min, int max, int runSeconds) {
        JobSpec spec = stage.spec("E", count, runSeconds, TimeLimits.NONE);
        PodSet set = spec.podSets().get(0);
        return spec.with(List.of(new PodSet(
                set.name(),
                count,
                min,
                new GpuRequest.Whole(1),
                set.flavors(),
                0,
                0,
                set.template(),
                set.topology(),
                null,
                set.nodes(),
                set.affinity(),
                set.nics(),
                max)));
    }

    static Steered scale(Stage stage, JobId job, int count) {
        return stage.book.scale(job, "worker", count, null, Stage.ANNA);
    }

    /** Ranks of the pods that run for the job and are not asked to leave. */
    static List<Integer> running(Stage stage, JobId job) {
        return stage.of(job)
                .staying()
                .filter(member -> member.phase() == MemberPhase.RUNNING)
                .map(Member::rank)
                .toList();
    }

    @ParameterizedTest(name = "a running job becomes smaller from its highest rank on, {0}")
    @MethodSource("databases")
    void aRunningJobBecomesSmaller(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 4)) {
            JobId job = stage.submit(elastic(stage, 4, 1, 4, 100));
            stage.until(job, JobState.RUNNING, 20);
            JobId other = stage.submit(stage.spec("K", 2, 10_000, TimeLimits.NONE));

            assertThat(scale(stage, job, 2)).isInstanceOf(Steered.Now.class);

            assertThat(stage.heldMilli()).as("until their end is confirmed").isEqualTo(4_000);
            stage.until(other, JobState.RUNNING, GRACE_AND_TURNS);
            assertThat(stage.state(job)).isEqualTo(JobState.RUNNING);
            assertThat(running(stage, job)).containsExactly(0, 1);
            assertThat(stage.of(job).members())
                    .filteredOn(member -> !member.stays())
                    .allMatch(member -> member.cause() == EndCause.CANCELLED_BY_USER);
            assertThat(stage.heldMilli()).isEqualTo(4_000);
            stage.until(job, JobState.SUCCEEDED, 120);
            assertThat(stage.of(job).failures()).isZero();
            assertThat(stage.of(job).attempt()).isEqualTo(1);
            assertThat(stage.heldMilli()).as("K's").isEqualTo(2_000);
        }
    }

    @ParameterizedTest(name = "fast wishes one after the other end at the last one, through a restart, {0}")
    @MethodSource("databases")
    void theLastOfManyWishesWins(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 4)) {
            JobId job = stage.submit(elastic(stage, 4, 1, 4, 10_000));
            stage.until(job, JobState.RUNNING, 20);

            for (int count : new int[] {3, 2, 2, 1}) {
                assertThat(scale(stage, job, count)).isInstanceOf(Steered.Now.class);
            }
            stage.restart();
            stage.run(GRACE_AND_TURNS);

            assertThat(running(stage, job)).containsExactly(0);
            assertThat(stage.heldMilli()).isEqualTo(1_000);
            assertThat(stage.of(job).attempt()).isEqualTo(1);
            stage.book.stop(job, EndCause.CANCELLED_BY_USER, null, Stage.ANNA);
            stage.until(job, JobState.CANCELLED, GRACE_AND_TURNS);
            assertThat(stage.heldMilli()).isZero();
            assertThat(stage.used()).isEmpty();
        }
    }
}
