package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.JobBook.Steered;
import dev.tutti.model.InvalidInput;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Quotas;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs that change size while they run, with all loops, on a virtual clock. */
class ElasticTest {

    private static final int GRACE_AND_TURNS = 5 + 5;
    /** A limit of four: nominal quota, and no borrowing. */
    private static final Quotas TEAM_OF_FOUR = new Quotas(Map.of(QuotaKey.gpus("h100"), new Quota(4_000, 0L, null)));

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

    @ParameterizedTest(name = "B52 more pods start when quota and room are there for them, and never before, {0}")
    @MethodSource("databases")
    void morePodsStartWhenThereIsRoom(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 4, TEAM_OF_FOUR)) {
            stage.watched = true;
            JobId job = stage.submit(elastic(stage, 2, 1, 4, 10_000));
            stage.until(job, JobState.RUNNING, 20);
            JobId other = stage.submit(stage.spec("K", 2, 60, TimeLimits.NONE));
            stage.until(other, JobState.RUNNING, 20);

            assertThat(scale(stage, job, 4)).isInstanceOf(Steered.Now.class);
            for (int second = 0; second < 20; second++) {
                stage.run(1);
                assertThat(running(stage, job))
                        .as("step 1: two bound, two held back")
                        .containsExactly(0, 1);
                assertUseIsLivePods(stage, 4, job, other);
            }
            stage.until(other, JobState.SUCCEEDED, 80);
            stage.run(20);
            assertThat(running(stage, job)).as("step 2").containsExactly(0, 1, 2, 3);
            assertThat(stage.state(job)).isEqualTo(JobState.RUNNING);
            assertUseIsLivePods(stage, 4, job, other);

            for (int count : new int[] {4, 2, 3, 1, 4}) {
                assertThat(scale(stage, job, count)).isInstanceOf(Steered.Now.class);
            }
            for (int second = 0; second < 30; second++) {
                stage.run(1);
                assertUseIsLivePods(stage, held(stage, job), job, other);
            }
            assertThat(running(stage, job))
                    .as("step 3: the lowest stayed")
                    .hasSize(4)
                    .startsWith(0);
            assertThat(held(stage, job)).as("one reservation").isEqualTo(4);
            assertThat(stage.of(job).attempt()).isEqualTo(1);
            assertThat(stage.of(job).failures()).isZero();

            assertThatThrownBy(() -> scale(stage, job, 6))
                    .as("step 4")
                    .isInstanceOf(InvalidInput.class)
                    .hasMessageContaining("count: is 6; give a whole number from 1 (minCount) to 4 (maxCount)");
            stage.run(5);
            assertThat(running(stage, job)).hasSize(4);
            int lowest = running(stage, job).get(0);
            scale(stage, job, 1);
            stage.run(GRACE_AND_TURNS);
            assertThat(running(stage, job)).as("the highest leave first").containsExactly(lowest);
            stage.book.stop(job, EndCause.CANCELLED_BY_USER, null, Stage.ANNA);
            stage.until(job, JobState.CANCELLED, GRACE_AND_TURNS);
            assertThat(stage.heldMilli()).isZero();
            assertThat(stage.used()).isEmpty();
        }
    }

    @ParameterizedTest(name = "B52 quota alone holds more pods back too, {0}")
    @MethodSource("databases")
    void quotaHoldsMorePodsBack(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 8, TEAM_OF_FOUR)) {
            stage.watched = true;
            JobId job = stage.submit(elastic(stage, 2, 1, 4, 10_000));
            JobId other = stage.submit(stage.spec("K", 2, 60, TimeLimits.NONE));
            stage.until(job, JobState.RUNNING, 20);
            stage.until(other, JobState.RUNNING, 20);
            scale(stage, job, 4);
            stage.run(20);
            assertThat(running(stage, job)).containsExactly(0, 1);
            assertThat(stage.heldMilli()).isEqualTo(4_000);

            stage.until(other, JobState.SUCCEEDED, 80);
            stage.run(20);
            assertThat(running(stage, job)).containsExactly(0, 1, 2, 3);
            assertThat(stage.heldMilli()).isEqualTo(4_000);
        }
    }

    @ParameterizedTest(name = "a job that started with less than it wants gets the rest later, through a restart, {0}")
    @MethodSource("databases")
    void aJobThatStartedSmallGrows(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 4)) {
            JobId other = stage.submit(stage.spec("K", 3, 60, TimeLimits.NONE));
            stage.until(other, JobState.RUNNING, 20);
            JobId job = stage.submit(elastic(stage, 3, 1, 3, 200));
            stage.until(job, JobState.RUNNING, 20);
            assertThat(running(stage, job)).containsExactly(0);
            stage.restart();
            stage.until(other, JobState.SUCCEEDED, 80);
            stage.run(20);
            assertThat(running(stage, job)).containsExactly(0, 1, 2);
            stage.until(job, JobState.SUCCEEDED, 300);
            assertThat(stage.of(job).attempt()).isEqualTo(1);
            assertThat(stage.heldMilli()).isZero();
        }
    }

    @ParameterizedTest(name = "B52 whenever the wishes come, in whatever order the loops turn, the last one wins, {0}")
    @MethodSource("databases")
    void wishesAtAnyMoment(Supplier<Database> database) {
        for (int seed = 0; seed < 3; seed++) {
            try (Stage stage = new Stage(database.get(), 4, TEAM_OF_FOUR)) {
                stage.watched = true;
                Random random = new Random(seed);
                JobId job = stage.submit(elastic(stage, 2, 1, 4, 10_000));
                stage.until(job, JobState.RUNNING, 20);
                stage.chance = random;
                for (int second = 0; second < 25; second++) {
                    for (int wishes = random.nextInt(3); wishes > 0; wishes--) {
                        int count = 1 + random.nextInt(4);
                        stage.between.put(random.nextInt(9), () -> scale(stage, job, count));
                    }
                    stage.run(1);
                    assertThat(held(stage, job)).isBetween(1, 4);
                }
                int last = 1 + random.nextInt(4);
                scale(stage, job, last);
                stage.run(3 * GRACE_AND_TURNS);

                assertThat(running(stage, job)).as("seed %d", seed).hasSize(last);
                assertThat(stage.heldMilli()).isEqualTo(last * 1_000L);
                assertThat(stage.podsOf(job))
                        .filteredOn(pod -> pod.phase() == PodSighting.Phase.RUNNING)
                        .hasSize(last);
                assertThat(stage.of(job).attempt()).isEqualTo(1);
                assertThat(stage.state(job)).isEqualTo(JobState.RUNNING);
            }
        }
    }

    @ParameterizedTest(name = "members that gave way to a stronger job come back when it has ended, {0}")
    @MethodSource("databases")
    void thoseWhoGaveWayComeBack(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 4)) {
            stage.watched = true;
            JobId job = stage.submit(elastic(stage, 4, 1, 4, 10_000));
            stage.until(job, JobState.RUNNING, 20);
            JobId strong = stage.submit(stage.spec("K", 100, 2, 60, TimeLimits.NONE));
            stage.until(strong, JobState.RUNNING, 30);
            stage.run(20);
            assertThat(running(stage, job)).containsExactly(0, 1);
            assertThat(stage.heldMilli()).as("nobody leaves for the growth").isEqualTo(4_000);

            stage.until(strong, JobState.SUCCEEDED, 80);
            stage.run(20);

            assertThat(running(stage, job)).containsExactly(0, 1, 4, 5);
            assertThat(stage.of(job).attempt()).isEqualTo(1);
            assertThat(stage.of(job).failures()).isZero();
        }
    }

    @ParameterizedTest(name = "a pod that came later and cannot be bound is taken back, and the job runs on, {0}")
    @MethodSource("databases")
    void aLaterPodThatCannotBeBoundStopsNobody(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 4)) {
            stage.watched = true;
            JobId job = stage.submit(elastic(stage, 2, 2, 3, 10_000));
            stage.until(job, JobState.RUNNING, 20);
            stage.refusesBinds = true;
            scale(stage, job, 3);
            int mostMembers = 0;
            for (int second = 0; second < 200; second++) {
                stage.run(1);
                assertThat(running(stage, job)).containsExactly(0, 1);
                assertThat(stage.state(job)).isEqualTo(JobState.RUNNING);
                mostMembers = stage.of(job).members().size();
            }
            assertThat(mostMembers).as("tried, and left alone between").isBetween(4, 2 + 200 / 90 + 1);
            assertThat(stage.of(job).failures()).isZero();

            stage.refusesBinds = false;
            stage.run(120);
            assertThat(running(stage, job)).hasSize(3).startsWith(0, 1);
            assertThat(stage.of(job).attempt()).isEqualTo(1);
            assertThat(stage.heldMilli()).isEqualTo(3_000);
        }
    }

    @ParameterizedTest(name = "a pod that came later and never runs gives back what it holds, and the job runs on, {0}")
    @MethodSource("databases")
    void aLaterPodThatNeverRunsHoldsNothingForLong(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 4)) {
            stage.watched = true;
            JobSpec spec = elastic(stage, 2, 2, 3, 10_000);
            JobId job = stage.submit(
                    spec.with(spec.lane(), spec.priority(), new TimeLimits(null, null, null, 60), spec.labels()));
            stage.until(job, JobState.RUNNING, 20);
            stage.cluster.faults().missImages("n1", true);
            scale(stage, job, 3);
            stage.run(20);
            assertThat(stage.heldMilli()).isEqualTo(3_000);
            stage.run(60);

            assertThat(stage.heldMilli()).as("left alone for a while").isEqualTo(2_000);
            assertThat(running(stage, job)).containsExactly(0, 1);
            assertThat(stage.state(job)).isEqualTo(JobState.RUNNING);
            stage.cluster.faults().missImages("n1", false);
            stage.run(60);
            assertThat(running(stage, job)).hasSize(3).startsWith(0, 1);
            assertThat(stage.of(job).failures()).isZero();
            assertThat(stage.of(job).attempt()).isEqualTo(1);
        }
    }

    private static int held(Stage stage, JobId job) {
        return (int) stage.of(job).members().stream()
                .filter(member -> !member.phase().isReleased())
                .count();
    }

    /** C3: what the ledger and the queue have in use is what their pods that are not gone hold. */
    private static void assertUseIsLivePods(Stage stage, int pods, JobId... jobs) {
        int live = 0;
        for (JobId job : jobs) {
            live += held(stage, job);
        }
        assertThat(live).isEqualTo(pods);
        assertThat(stage.heldMilli()).isEqualTo(pods * 1_000L).isLessThanOrEqualTo(4_000);
    }
}
