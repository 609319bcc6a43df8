package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.JobBook.Steered;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.StartAfter;
import dev.tutti.model.job.StartAfter.When;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberPhase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Pod sets that start after others of their job, on both databases, with all loops turning. */
class StartAfterTest {

    private static final int SOON = 60;
    private static final int READY_SECONDS = 100;

    static Stream<Arguments> databases() {
        return Stream.of(
                Arguments.of(Named.of("in memory", (Supplier<Database>) () -> new MemoryDatabase(World.LEASE))),
                Arguments.of(Named.of("on PostgreSQL", (Supplier<Database>) () -> new SqlDatabase(World.LEASE))));
    }

    private static Stage stage(Database database) {
        Stage stage = new Stage(database, 4);
        stage.watched = true;
        return stage;
    }

    private static PodSet set(String name, int count, int minCount, int maxCount, StartAfter... after) {
        PodTemplate template = new PodTemplate("image", List.of(), List.of(), Map.of());
        return new PodSet(
                        name,
                        count,
                        minCount,
                        new GpuRequest.Whole(1),
                        List.of(),
                        0,
                        0,
                        template,
                        TopologyWish.NONE,
                        null,
                        NodeRules.NONE,
                        List.of(),
                        NicRequest.NONE,
                        maxCount)
                .after(List.of(after));
    }

    /** Master 1, workers 3 after it, so 4 at the least. */
    private static JobId twoStages(Stage stage, When when) {
        return submit(stage, set("master", 1, 1, 1), set("worker", 3, 3, 3, new StartAfter("master", when)));
    }

    private static JobId submit(Stage stage, PodSet... sets) {
        JobSpec spec = stage.spec("J", "team", 1, 1, List.of()).with(List.of(sets));
        return stage.submit(spec.with(
                spec.lane(), spec.priority(), new TimeLimits(null, null, null, READY_SECONDS), spec.labels()));
    }

    private static List<MemberPhase> phases(Stage stage, JobId job) {
        return stage.of(job).members().stream().map(Member::phase).toList();
    }

    private static void untilBound(Stage stage, JobId job) {
        for (int seconds = 0; stage.podsOf(job).isEmpty() && seconds < SOON; seconds++) {
            stage.run(1);
        }
    }

    @ParameterizedTest(name = "B55 step 3: the master starts, then the workers, and all 4 GPUs are held meanwhile, {0}")
    @MethodSource("databases")
    void theMasterStartsThenTheWorkers(Supplier<Database> database) {
        try (Stage stage = stage(database.get())) {
            stage.cluster.faults().missImages("n1", true);
            JobId job = twoStages(stage, When.RUNNING);
            JobId other = stage.submit(stage.spec("K", "team", 1, 1, List.of()));
            stage.run(20);

            assertThat(stage.state(job)).isEqualTo(JobState.ALLOCATED);
            assertThat(stage.podsOf(job))
                    .as("the master's alone")
                    .extracting(PodSighting::name)
                    .containsExactly(stage.pod(job, 0));
            assertThat(phases(stage, job))
                    .containsExactly(MemberPhase.BOUND, MemberPhase.WAITING, MemberPhase.WAITING, MemberPhase.WAITING);
            assertThat(stage.heldMilli()).as("capacity for all 4 is held").isEqualTo(4_000);
            assertThat(stage.state(other)).isEqualTo(JobState.QUEUED);

            stage.cluster.faults().missImages("n1", false);
            stage.until(job, JobState.RUNNING, SOON);
            assertThat(stage.podsOf(job)).hasSize(4).allMatch(pod -> pod.phase() == PodSighting.Phase.RUNNING);
            assertThat(stage.of(job).attempt()).isEqualTo(1);
            stage.run(200);
            assertThat(stage.state(job)).as("no deadlock, no time limit").isEqualTo(JobState.RUNNING);
        }
    }

    @ParameterizedTest(name = "B55 step 3: without room for all 4 nothing starts, and nothing is held, {0}")
    @MethodSource("databases")
    void withoutRoomForAllNothingStarts(Supplier<Database> database) {
        try (Stage stage = stage(database.get())) {
            JobId other = stage.submit(stage.spec("K", "team", 1, 1, List.of()));
            stage.until(other, JobState.RUNNING, SOON);
            JobId job = twoStages(stage, When.RUNNING);
            stage.run(20);
            assertThat(stage.state(job)).isEqualTo(JobState.QUEUED);
            assertThat(stage.podsOf(job)).isEmpty();
            assertThat(stage.heldMilli()).isEqualTo(1_000);
        }
    }

    @ParameterizedTest(name = "B55 a restart of the service in the middle changes nothing, {0}")
    @MethodSource("databases")
    void aRestartChangesNothing(Supplier<Database> database) {
        try (Stage stage = stage(database.get())) {
            stage.cluster.faults().missImages("n1", true);
            JobId job = twoStages(stage, When.RUNNING);
            stage.run(10);
            stage.restart();
            stage.run(5);
            assertThat(stage.podsOf(job)).hasSize(1);
            stage.cluster.faults().missImages("n1", false);
            stage.until(job, JobState.RUNNING, SOON);
            assertThat(stage.of(job).attempt()).isEqualTo(1);
        }
    }

    @ParameterizedTest(name = "B55 a pod set after one that has ended well waits for as long as that runs, {0}")
    @MethodSource("databases")
    void whoWaitsForAnEndWaitsForAsLongAsItTakes(Supplier<Database> database) {
        try (Stage stage = stage(database.get())) {
            JobId job = twoStages(stage, When.SUCCEEDED);
            stage.until(job, JobState.RUNNING, SOON);
            stage.run(3 * READY_SECONDS);
            assertThat(stage.state(job))
                    .as("nobody's time is over while the workers wait")
                    .isEqualTo(JobState.RUNNING);
            assertThat(stage.podsOf(job)).hasSize(1);
            assertThat(stage.heldMilli()).isEqualTo(4_000);

            stage.cluster.faults().endContainers(stage.pod(job, 0), 0);
            stage.run(10);
            assertThat(phases(stage, job))
                    .containsExactly(
                            MemberPhase.SUCCEEDED, MemberPhase.RUNNING, MemberPhase.RUNNING, MemberPhase.RUNNING);
            assertThat(stage.heldMilli()).isEqualTo(3_000);
            for (int rank = 1; rank < 4; rank++) {
                stage.cluster.faults().endContainers(stage.pod(job, rank), 0);
            }
            stage.until(job, JobState.SUCCEEDED, SOON);
            assertThat(stage.heldMilli()).isZero();
        }
    }

    @ParameterizedTest(
            name = "B55 a later stage has the ready time from its own last binding, then all begins anew, {0}")
    @MethodSource("databases")
    void aLaterStageHasItsOwnReadyTime(Supplier<Database> database) {
        for (When when : When.values()) {
            try (Stage stage = stage(database.get())) {
                JobId job = twoStages(stage, when);
                untilBound(stage, job);
                stage.run(when == When.RUNNING ? 1 : 2 * READY_SECONDS);
                stage.cluster.faults().missImages("n1", true);
                if (when == When.SUCCEEDED) {
                    stage.cluster.faults().endContainers(stage.pod(job, 0), 0);
                }
                int stopped = stage.until(job, JobState.STOPPING, 2 * READY_SECONDS);
                assertThat(stopped).as(when.name()).isBetween(READY_SECONDS - 2, READY_SECONDS + 10);
                assertThat(stage.of(job).stopping()).isEqualTo(EndCause.NOT_READY_IN_TIME);
                stage.until(job, JobState.QUEUED, SOON);
                assertThat(stage.heldMilli()).isZero();

                stage.until(job, JobState.ALLOCATED, 2 * SOON);
                untilBound(stage, job);
                assertThat(phases(stage, job).subList(1, 4)).containsOnly(MemberPhase.WAITING);
                stage.cluster.faults().missImages("n1", false);
                stage.until(job, JobState.RUNNING, SOON);
            }
        }
    }

    @ParameterizedTest(name = "B55 after a failure the gang begins anew from its first stage, {0}")
    @MethodSource("databases")
    void afterAFailureItBeginsAnewFromItsFirstStage(Supplier<Database> database) {
        try (Stage stage = stage(database.get())) {
            JobId job = twoStages(stage, When.RUNNING);
            stage.until(job, JobState.RUNNING, SOON);
            stage.cluster.faults().endContainers(stage.pod(job, 2), 1);
            stage.until(job, JobState.QUEUED, SOON);
            stage.cluster.faults().missImages("n1", true);
            stage.until(job, JobState.ALLOCATED, SOON);
            stage.run(10);
            assertThat(stage.of(job).attempt()).isEqualTo(2);
            assertThat(phases(stage, job))
                    .containsExactly(MemberPhase.BOUND, MemberPhase.WAITING, MemberPhase.WAITING, MemberPhase.WAITING);
            stage.cluster.faults().missImages("n1", false);
            stage.until(job, JobState.RUNNING, SOON);
            assertThat(stage.of(job).failures()).isEqualTo(1);
        }
    }

    @ParameterizedTest(name = "B55 who is suspended, evicted or cancelled in its first stage gives back all, {0}")
    @MethodSource("databases")
    void whoLeavesInItsFirstStageGivesBackAll(Supplier<Database> database) {
        try (Stage stage = stage(database.get())) {
            JobId job = twoStages(stage, When.SUCCEEDED);
            stage.until(job, JobState.RUNNING, SOON);
            stage.suspend(job);
            stage.until(job, JobState.SUSPENDED, SOON);
            assertThat(stage.heldMilli()).isZero();

            stage.resume(job);
            stage.until(job, JobState.RUNNING, SOON);
            assertThat(stage.podsOf(job).stream().filter(pod -> pod.exitCode() == null))
                    .hasSize(1);
            stage.preempt(job);
            for (int seconds = 0; stage.of(job).attempt() < 3 && seconds < SOON; seconds++) {
                stage.run(1);
            }
            assertThat(stage.podsOf(job).stream().filter(pod -> !pod.name().equals(stage.pod(job, 0))))
                    .as("nothing runs of the attempts before")
                    .allMatch(pod -> pod.exitCode() != null);

            stage.until(job, JobState.RUNNING, SOON);
            assertThat(stage.of(job).attempt()).isEqualTo(3);
            assertThat(phases(stage, job).subList(1, 4)).containsOnly(MemberPhase.WAITING);
            stage.book.stop(job, EndCause.CANCELLED_BY_USER, null, Stage.ANNA);
            stage.until(job, JobState.CANCELLED, SOON);
            assertThat(stage.heldMilli()).isZero();
            assertThat(stage.used()).isEmpty();
        }
    }

    @ParameterizedTest(name = "B55 an elastic stage shrinks and grows while it waits, and starts whole, {0}")
    @MethodSource("databases")
    void anElasticStageChangesSizeWhileItWaits(Supplier<Database> database) {
        try (Stage stage = stage(database.get())) {
            JobId job = submit(
                    stage, set("prepare", 1, 1, 1), set("worker", 2, 1, 3, new StartAfter("prepare", When.SUCCEEDED)));
            stage.until(job, JobState.RUNNING, SOON);
            assertThat(scale(stage, job, 1)).isInstanceOf(Steered.Now.class);
            stage.run(10);
            assertThat(stage.heldMilli()).isEqualTo(2_000);
            scale(stage, job, 3);
            stage.run(10);
            assertThat(stage.heldMilli()).isEqualTo(4_000);
            assertThat(stage.podsOf(job)).as("who comes later waits too").hasSize(1);

            stage.cluster.faults().endContainers(stage.pod(job, 0), 0);
            stage.run(10);
            assertThat(stage.of(job)
                            .staying()
                            .filter(member -> member.podSet().equals("worker"))
                            .map(Member::phase))
                    .hasSize(3)
                    .containsOnly(MemberPhase.RUNNING);
        }
    }

    @ParameterizedTest(name = "B55 a chain of stages starts one by one, and one that waits for two waits for both, {0}")
    @MethodSource("databases")
    void aChainStartsOneByOne(Supplier<Database> database) {
        try (Stage stage = stage(database.get())) {
            JobId job = submit(
                    stage,
                    set("d", 1, 1, 1, new StartAfter("b", When.SUCCEEDED), new StartAfter("c", When.RUNNING)),
                    set("c", 1, 1, 1, new StartAfter("a", When.RUNNING)),
                    set("b", 1, 1, 1),
                    set("a", 1, 1, 1));
            stage.until(job, JobState.RUNNING, SOON);
            stage.run(20);
            assertThat(phases(stage, job))
                    .containsExactly(
                            MemberPhase.WAITING, MemberPhase.RUNNING, MemberPhase.RUNNING, MemberPhase.RUNNING);
            stage.cluster.faults().endContainers(stage.pod(job, 2), 0);
            stage.run(10);
            assertThat(phases(stage, job))
                    .containsExactly(
                            MemberPhase.RUNNING, MemberPhase.RUNNING, MemberPhase.SUCCEEDED, MemberPhase.RUNNING);
            stage.leap(Duration.ofHours(1));
            stage.run(5);
            assertThat(stage.of(job).attempt()).isEqualTo(1);
        }
    }

    private static Steered scale(Stage stage, JobId job, int count) {
        return stage.book.scale(job, "worker", count, null, Stage.ANNA);
    }
}
