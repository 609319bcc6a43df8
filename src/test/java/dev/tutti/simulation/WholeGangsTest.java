package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.JobBook;
import dev.tutti.model.JobId;
import dev.tutti.model.PodName;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Reason;
import dev.tutti.model.queue.Quotas;
import dev.tutti.simulator.ClusterTimings;
import dev.tutti.simulator.fleet.NodeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A gang has all it needs or nothing: when two want the same, when it loses a member, when its members end one by one. */
class WholeGangsTest {

    private static final int SOON = 30;
    private static final int EVERY = 9;
    private static final int BETWEEN = 0;

    static final Named<Supplier<Database>> MEMORY = Named.of("in memory", () -> new MemoryDatabase(World.LEASE));
    static final Named<Supplier<Database>> SQL = Named.of("on PostgreSQL", () -> new SqlDatabase(World.LEASE));

    private static List<NodeSpec> nodes(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(n -> Stage.node("n" + n, "h100", 1))
                .toList();
    }

    static Stream<Arguments> repeats() {
        return Stream.of(Arguments.of(200, MEMORY), Arguments.of(20, SQL));
    }

    @ParameterizedTest(name = "B01 two gangs that each need everything, {0} times: one has it whole, {1}")
    @MethodSource("repeats")
    void oneOfTwoGangsHasEverything(int times, Supplier<Database> database) throws Exception {
        try (Stage stage = new Stage(database.get(), nodes(4), ClusterTimings.DEFAULT)) {
            stage.watched = true;
            Random chance = new Random(7);
            stage.chance = chance;
            stage.database.addQueue("q", Quotas.ofGpus(Map.of("h100", 4_000L)));
            for (int i = 0; i < times; i++) {
                List<JobId> two = submitTwo(stage, chance);
                JobId winner = winner(stage, two);
                JobId loser = two.get(1 - two.indexOf(winner));
                stage.until(winner, JobState.RUNNING, SOON);
                if (chance.nextInt(10) == 0) {
                    stage.restart();
                }
                stage.run(3);
                assertThat(stage.podsOf(winner)).hasSize(4).extracting("node").doesNotHaveDuplicates();
                assertThat(stage.podsOf(loser)).as("no pod was made").isEmpty();
                assertThat(stage.of(loser).members()).as("nothing is reserved").isEmpty();
                assertThat(stage.heldMilli()).isEqualTo(4_000);
                Reason reason = reason(stage, loser);
                assertThat(List.of(reason.wanted(), reason.available()))
                        .as("%s", reason)
                        .isEqualTo(List.of(4_000L, 0L));

                end(stage, winner, 4);
                stage.until(loser, JobState.RUNNING, SOON);
                assertThat(stage.state(winner)).isEqualTo(JobState.SUCCEEDED);
                assertThat(stage.podsOf(loser)).hasSize(4);
                end(stage, loser, 4);
                stage.until(loser, JobState.SUCCEEDED, SOON);
                assertThat(stage.used()).as("all is given back").isEmpty();
            }
        }
    }

    /** Two clients of two replicas at once where the store takes calls at once; else between any two loops. */
    private static List<JobId> submitTwo(Stage stage, Random chance) throws Exception {
        List<JobSpec> specs = List.of(stage.spec("J1", "q", 4, 1, List.of()), stage.spec("J2", "q", 4, 1, List.of()));
        if (stage.database instanceof MemoryDatabase) {
            List<JobId> two = new ArrayList<>();
            stage.between.put(chance.nextInt(4), () -> two.add(stage.submit(specs.get(0))));
            stage.between.put(4 + chance.nextInt(5), () -> two.add(stage.submit(specs.get(1))));
            stage.run(1);
            return two;
        }
        ExecutorService clients = Executors.newFixedThreadPool(2);
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<JobId>> ids = new ArrayList<>();
            for (JobSpec spec : specs) {
                JobBook replica = stage.database.jobBook();
                ids.add(clients.submit(() -> {
                    start.await();
                    return Stage.submit(replica, spec);
                }));
            }
            start.countDown();
            stage.run(1);
            return List.of(ids.get(0).get(30, TimeUnit.SECONDS), ids.get(1).get(30, TimeUnit.SECONDS));
        } finally {
            clients.shutdownNow();
        }
    }

    private static JobId winner(Stage stage, List<JobId> two) {
        for (int i = 0; i < SOON; i++) {
            for (JobId job : two) {
                if (stage.state(job).isLive()) {
                    return job;
                }
            }
            stage.run(1);
        }
        throw new AssertionError("none of " + two + " began");
    }

    private static Reason reason(Stage stage, JobId job) {
        return stage.database.feed().since(null).waiting().stream()
                .filter(waiting -> waiting.job().equals(job))
                .map(WaitingJob::verdict)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
    }

    private static void end(Stage stage, JobId job, int pods) {
        for (int rank = 0; rank < pods; rank++) {
            stage.cluster.faults().endContainers(stage.pod(job, rank), 0);
        }
        stage.run(1);
    }

    @ParameterizedTest(name = "B01 two roles of one job, and room for one of them: neither is bound, {0}")
    @MethodSource("databases")
    void neitherOfTwoRolesIsBound(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 8)) {
            stage.watched = true;
            PodTemplate template = new PodTemplate("image", List.of(), List.of(), Map.of());
            List<PodSet> roles = Stream.of("master", "worker")
                    .map(role -> new PodSet(role, 1, 1, new GpuRequest.Whole(8), List.of(), 0, 0, template))
                    .toList();
            JobId job = stage.submit(
                    new JobSpec("J", "team", Lane.YELLOW, 0, roles, TopologyWish.NONE, 100, 5, 2, Map.of()));
            stage.run(20);
            assertThat(stage.state(job)).isEqualTo(JobState.QUEUED);
            assertThat(stage.podsOf(job)).isEmpty();
            assertThat(stage.used()).isEmpty();
            Reason reason = reason(stage, job);
            assertThat(reason.wanted()).as("%s", reason).isGreaterThan(reason.available());
        }
    }

    /** Between two seconds, or killed before one of the nine loops of a second. */
    static Stream<Arguments> restarts() {
        return Stream.of(
                        IntStream.rangeClosed(0, 4).mapToObj(step -> Arguments.of(step, BETWEEN, MEMORY)),
                        IntStream.rangeClosed(1, 8).mapToObj(loop -> Arguments.of(3, loop, MEMORY)),
                        Stream.of(Arguments.of(EVERY, 7, MEMORY), Arguments.of(EVERY, 7, SQL)))
                .flatMap(each -> each);
    }

    @ParameterizedTest(
            name =
                    "B03 a gang that loses a node gives back the rest and keeps its place, restart at {0} before {1}, {2}")
    @MethodSource("restarts")
    void aGangThatLosesANodeGivesBackTheRest(int restart, int loop, Supplier<Database> database) {
        ClusterTimings timings = ClusterTimings.DEFAULT.withForceDelete(Duration.ofSeconds(60));
        try (Stage stage = new Stage(database.get(), nodes(3), timings)) {
            stage.watched = true;
            JobId gang = stage.submit(stage.spec("G", "team", 3, 1, List.of()));
            stage.until(gang, JobState.RUNNING, SOON);
            step(stage, restart, loop, 1);
            JobId other = stage.submit(stage.spec("X", "team", 1, 1, List.of()));
            stage.run(5);
            assertThat(stage.state(other)).isEqualTo(JobState.QUEUED);
            step(stage, restart, loop, 2);
            stage.cluster.faults().losePower("n3");
            stage.until(gang, JobState.STOPPING, 200);
            step(stage, restart, loop, 3);
            stage.until(other, JobState.RUNNING, SOON);
            assertThat(stage.podsOf(gang)).as("the rest is taken off").isEmpty();
            assertThat(stage.heldMilli()).as("X's, and that on the silent node").isEqualTo(2_000);
            stage.cluster.faults().returnNode("n3");
            step(stage, restart, loop, 4);
            stage.until(gang, JobState.QUEUED, 200);
            JobId later = stage.submit(stage.spec("Y", "team", 3, 1, List.of()));
            for (int second = 0; second < 600; second++) {
                stage.run(1);
                assertThat(stage.heldMilli()).as("X's alone").isEqualTo(1_000);
            }
            assertThat(stage.state(gang)).isEqualTo(JobState.QUEUED);
            assertThat(stage.of(gang).failures()).isZero();
            assertThat(reason(stage, gang).wanted())
                    .isGreaterThan(reason(stage, gang).available());

            end(stage, other, 1);
            stage.until(gang, JobState.RUNNING, SOON);
            assertThat(stage.podsOf(gang)).hasSize(3);
            assertThat(stage.state(later)).as("it came later").isEqualTo(JobState.QUEUED);
        }
    }

    private static void step(Stage stage, int restart, int loop, int step) {
        if ((restart == step || restart == EVERY) && loop == BETWEEN) {
            stage.restart();
        } else if (restart == step || restart == EVERY) {
            stage.killedBefore = loop;
            stage.run(1);
        }
    }

    static Stream<Arguments> databases() {
        return Stream.of(Arguments.of(MEMORY), Arguments.of(SQL));
    }

    @ParameterizedTest(name = "B04 A: a gang whose members end one by one is let be, {0}")
    @MethodSource("databases")
    void aGangWhoseMembersEndOneByOneIsLetBe(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 4)) {
            JobId gang = fourOfWhichTwoEnded(stage);
            stage.run(79);
            stage.restart();
            stage.run(169);
            assertThat(stage.state(gang)).as("at 280 s").isEqualTo(JobState.RUNNING);
            assertThat(stage.heldMilli()).isEqualTo(2_000);
            stage.cluster.faults().endContainers(stage.pod(gang, 2), 0);
            stage.cluster.faults().endContainers(stage.pod(gang, 3), 0);
            stage.until(gang, JobState.SUCCEEDED, 5);
            assertThat(stage.heldMilli()).isZero();
            assertThat(stage.used()).isEmpty();
            assertThat(stage.of(gang).attempt()).as("nobody was evicted").isEqualTo(1);
        }
    }

    @ParameterizedTest(name = "B04 B: a member that crashes is replaced once, and with it the whole gang, {0}")
    @MethodSource("databases")
    void aMemberThatCrashesIsReplacedWithItsGang(Supplier<Database> database) {
        try (Stage stage = new Stage(database.get(), 4)) {
            JobId gang = fourOfWhichTwoEnded(stage);
            stage.run(80);
            stage.cluster.faults().endContainers(stage.pod(gang, 2), 1);
            stage.until(gang, JobState.STOPPING, 5);
            assertThat(stage.of(gang).stopping()).isEqualTo(EndCause.EXIT_CODE);
            stage.until(gang, JobState.RUNNING, SOON);
            stage.run(120);
            assertThat(stage.state(gang)).isEqualTo(JobState.RUNNING);
            assertThat(stage.of(gang).attempt()).isEqualTo(2);
            assertThat(stage.of(gang).failures()).isEqualTo(1);
            assertThat(stage.heldMilli()).isEqualTo(4_000);
            assertThat(stage.sightings.keySet().stream()
                            .map(name -> PodName.parse(name).orElseThrow())
                            .filter(name -> name.rank() == 2))
                    .as("one pod, and one for it")
                    .hasSize(2);
            end(stage, gang, 4);
            stage.until(gang, JobState.SUCCEEDED, 5);
            assertThat(stage.used()).isEmpty();
        }
    }

    /** A gang of four, ten seconds after its second member has ended; in seconds since it ran: now it is 30. */
    private static JobId fourOfWhichTwoEnded(Stage stage) {
        stage.watched = true;
        JobId gang = stage.submit(stage.spec("G", 4, 10_000, TimeLimits.NONE));
        stage.until(gang, JobState.RUNNING, SOON);
        stage.run(10);
        assertThat(stage.heldMilli()).isEqualTo(4_000);
        stage.cluster.faults().endContainers(stage.pod(gang, 0), 0);
        stage.run(10);
        assertThat(stage.heldMilli()).isEqualTo(3_000);
        stage.cluster.faults().endContainers(stage.pod(gang, 1), 0);
        stage.run(10);
        assertThat(stage.heldMilli()).isEqualTo(2_000);
        assertThat(stage.state(gang)).isEqualTo(JobState.RUNNING);
        return gang;
    }
}
