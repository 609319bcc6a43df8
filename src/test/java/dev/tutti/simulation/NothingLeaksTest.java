package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.Actor;
import dev.tutti.control.ClusterGateway;
import dev.tutti.control.JobBook;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Quotas;
import dev.tutti.simulator.ClusterTimings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a job holds is given back once, whatever crosses its end: a cancel, a repeated report, a neighbour that is gone. */
class NothingLeaksTest {

    private static final int SOON = 60;
    private static final TopologyLevels RACKS =
            new TopologyLevels(List.of(new TopologyLevels.Level("rack", List.of("rack"))));
    private static final String ENDS = "SELECT data ->> 'to' FROM events WHERE type = 'job.state' AND subject = '%s'"
            + " AND data ->> 'to' IN ('SUCCEEDED', 'CANCELLED', 'TIMED_OUT', 'FAILED')";

    private static Stage eight(Database database) {
        Stage stage = new Stage(database, 8);
        stage.watched = true;
        database.addQueue("q", Quotas.ofGpus(Map.of("h100", 8_000L)));
        return stage;
    }

    private static JobId submit(Stage stage, String name) {
        return stage.submit(stage.spec(name, "q", 1, 8, List.of()));
    }

    private static void cancel(JobBook book, JobId job) {
        book.stop(job, EndCause.CANCELLED_BY_USER, null, Stage.ANNA);
    }

    /** In the usual order the seventh loop commits and the eighth binds. */
    static Stream<Arguments> moments() {
        return Stream.of(0, 6, 7, 8).flatMap(loop -> Stream.of(0, 1, 2).map(second -> Arguments.of(second, loop)));
    }

    @ParameterizedTest(name = "B06 cancelled in second {0} before loop {1}: all is given back, once, in memory")
    @MethodSource("moments")
    void whatACancelCrossesIsGivenBackOnce(int second, int loop) {
        try (Stage stage = eight(new MemoryDatabase(World.LEASE))) {
            JobId job = submit(stage, "J1");
            stage.run(second);
            stage.between.put(loop, () -> cancel(stage.book, job));
            stage.run(1);
            isOverAndGivenBack(stage, job);
            nextFits(stage);
        }
    }

    @Test
    @DisplayName("B06 cancelled at 450 random moments and in random order of loops: all is given back, once, in memory")
    void randomCancelsInMemory() {
        Random chance = new Random(6);
        try (Stage stage = eight(new MemoryDatabase(World.LEASE))) {
            stage.chance = chance;
            for (int i = 0; i < 450; i++) {
                JobId job = submit(stage, "J1");
                stage.run(chance.nextInt(5));
                stage.between.put(chance.nextInt(9), () -> cancel(stage.book, job));
                stage.run(1);
                if (chance.nextInt(20) == 0) {
                    stage.restart();
                }
                isOverAndGivenBack(stage, job);
                nextFits(stage);
            }
        }
    }

    @Test
    @DisplayName(
            "B06 cancelled 50 times by another client while the loops turn: all is given back, once, on PostgreSQL")
    void concurrentCancelsOnPostgres() throws Exception {
        Random chance = new Random(6);
        ExecutorService client = Executors.newSingleThreadExecutor();
        SqlDatabase database = new SqlDatabase(World.LEASE);
        try (Stage stage = eight(database)) {
            JobBook replica = database.jobBook();
            for (int i = 0; i < 50; i++) {
                JobId job = submit(stage, "J1");
                stage.run(chance.nextInt(5));
                int micros = chance.nextInt(20_000);
                Future<?> cancelled = client.submit(() -> {
                    TimeUnit.MICROSECONDS.sleep(micros);
                    cancel(replica, job);
                    return null;
                });
                stage.run(1);
                cancelled.get(30, TimeUnit.SECONDS);
                isOverAndGivenBack(stage, job);
                assertThat(database.texts(ENDS.formatted(job))).as("one end").containsExactly("CANCELLED");
                nextFits(stage);
            }
        } finally {
            client.shutdownNow();
        }
    }

    /** The answer to the bind, as the service hears it. */
    private enum Answer {
        KNOWN,
        LOST
    }

    static Stream<Arguments> quickEnds() {
        return Stream.of(WholeGangsTest.MEMORY, WholeGangsTest.SQL)
                .flatMap(database -> Stream.of(Answer.values())
                        .flatMap(answer ->
                                IntStream.rangeClosed(0, 3).mapToObj(later -> Arguments.of(later, answer, database))));
    }

    @ParameterizedTest(
            name =
                    "B06 its pod ends {0} s after its containers started, the answer to its bind is {1}: all is given back, once, {2}")
    @MethodSource("quickEnds")
    void anEndThatCrossesTheBindIsGivenBackOnce(int later, Answer answer, Supplier<Database> database) {
        try (Stage stage = eight(database.get())) {
            int[] binds = {0};
            stage.onBind = (pod, call) -> {
                binds[0]++;
                ClusterGateway.Outcome known = call.get();
                return answer == Answer.LOST && binds[0] == 1 ? new ClusterGateway.Outcome.Unknown("timeout") : known;
            };
            JobId job = submit(stage, "J1");
            while (binds[0] == 0) {
                stage.run(1);
            }
            stage.run(later);
            stage.between.put(0, () -> stage.cluster.faults().endContainers(stage.pod(job, 0), 0));
            isOverAndGivenBack(stage, job, JobState.SUCCEEDED);
            assertThat(stage.of(job).attempt()).isEqualTo(1);
            assertThat(stage.of(job).failures()).isZero();
            if (stage.database instanceof SqlDatabase sql) {
                assertThat(sql.texts(ENDS.formatted(job))).as("one end").containsExactly("SUCCEEDED");
            }
            nextFits(stage);
        }
    }

    private static void isOverAndGivenBack(Stage stage, JobId job) {
        isOverAndGivenBack(stage, job, JobState.CANCELLED);
    }

    /** Its end is told, and told again, and that its pod is gone, twice: nothing is given back twice. */
    private static void isOverAndGivenBack(Stage stage, JobId job, JobState end) {
        stage.until(job, end, SOON);
        PodSighting pod = stage.sightings.get(stage.pod(job, 0));
        if (pod != null) {
            PodSighting ended = with(pod, PodSighting.Phase.SUCCEEDED, false, 0);
            PodSighting gone = with(pod, PodSighting.Phase.SUCCEEDED, true, 0);
            List.of(ended, ended, gone, gone).forEach(stage::sayAgain);
        }
        stage.run(2);
        assertThat(stage.state(job)).isEqualTo(end);
        assertThat(stage.heldMilli()).isZero();
        assertThat(stage.used()).isEmpty();
    }

    private static PodSighting with(PodSighting pod, PodSighting.Phase phase, boolean deleted, int exitCode) {
        return new PodSighting(
                pod.name(),
                pod.uid(),
                pod.resourceVersion(),
                pod.allocation(),
                pod.node(),
                phase,
                deleted,
                deleted,
                exitCode,
                "");
    }

    /** Eight are free, not sixteen. */
    private static void nextFits(Stage stage) {
        JobId next = submit(stage, "J2");
        stage.until(next, JobState.RUNNING, SOON);
        JobId one = submit(stage, "J3");
        stage.run(2);
        assertThat(stage.state(one)).isEqualTo(JobState.QUEUED);
        assertThat(stage.heldMilli()).isEqualTo(8_000);
        cancel(stage.book, one);
        stage.cluster.faults().endContainers(stage.pod(next, 0), 0);
        stage.until(next, JobState.SUCCEEDED, SOON);
    }

    /** What of pool B goes: its node, its flavor, its level of the network, its quota; or the same of pool A itself. */
    private enum Missing {
        NODE_OF_B,
        FLAVOR_OF_B,
        FLAVOR_OF_A,
        EVERY_LEVEL,
        QUOTA_OF_B,
        QUOTA_OF_A,
        EVERY_QUOTA
    }

    /** How what J holds is given back. */
    private enum End {
        FINISHED,
        CANCELLED,
        PRUNED
    }

    static Stream<Arguments> missing() {
        return Stream.of(Missing.values())
                .flatMap(what -> Stream.of(End.values()).map(end -> Arguments.of(what, end)));
    }

    @ParameterizedTest(name = "B07 {0} is gone when the job on pool A is {1}: pool A has everything back")
    @MethodSource("missing")
    void aMissingNeighbourKeepsNothingBack(Missing what, End end) {
        SqlDatabase database = new SqlDatabase(World.LEASE);
        try (Stage stage = new Stage(
                database, List.of(Stage.node("n1", "h100", 8), Stage.node("n2", "a100", 8)), ClusterTimings.DEFAULT)) {
            stage.watched = true;
            Quotas both = Quotas.ofGpus(Map.of("h100", 8_000L, "a100", 8_000L));
            database.addQueue("q", both);
            JobId job = stage.submit(stage.spec("J", "q", 1, 8, List.of("h100")));
            stage.until(job, JobState.RUNNING, SOON);
            take(stage, database, what);
            stage.run(40);
            assertThat(stage.state(job)).isEqualTo(JobState.RUNNING);

            if (end == End.CANCELLED) {
                cancel(stage.book, job);
            } else {
                stage.cluster.faults().endContainers(stage.pod(job, 0), 0);
            }
            stage.until(job, end == End.CANCELLED ? JobState.CANCELLED : JobState.SUCCEEDED, SOON);
            if (end == End.PRUNED) {
                stage.run(10);
                assertThat(database.retention().pruneJobs(Duration.ofSeconds(1), 100, new Actor.Leader(stage.term())))
                        .isEqualTo(1);
            }
            assertThat(stage.heldMilli()).isZero();
            assertThat(stage.used()).isEmpty();
            isTold(stage, database, what);

            putBack(stage, database, what, both);
            JobId next = stage.submit(stage.spec("K", "q", 1, 8, List.of("h100")));
            stage.until(next, JobState.RUNNING, SOON);
            assertThat(stage.podsOf(next)).extracting(PodSighting::node).containsExactly("n1");
        }
    }

    private static void take(Stage stage, SqlDatabase database, Missing what) {
        switch (what) {
            case NODE_OF_B -> stage.cluster.faults().removeNodeObject("n2");
            case FLAVOR_OF_B -> relabel(stage, "n2");
            case FLAVOR_OF_A -> relabel(stage, "n1");
            case EVERY_LEVEL -> {
                stage.levels = new TopologyLevels(List.of());
                stage.restart();
            }
            case QUOTA_OF_B -> database.changeQuotas("q", Quotas.ofGpus(Map.of("h100", 8_000L)));
            case QUOTA_OF_A -> database.changeQuotas("q", Quotas.ofGpus(Map.of("a100", 8_000L)));
            case EVERY_QUOTA -> database.changeQuotas("q", Quotas.NONE);
        }
    }

    /** Its product name is gone, and with it the flavor that jobs and quotas name. */
    private static void relabel(Stage stage, String name) {
        stage.seesNode = node -> node.name().equals(name) ? without(node) : node;
        stage.cluster.faults().cordon(name, false);
        stage.restart();
    }

    private static NodeSighting without(NodeSighting node) {
        return new NodeSighting(
                node.name(),
                node.uid(),
                node.bootId(),
                node.ready(),
                node.schedulable(),
                node.deleted(),
                "unknown",
                "",
                0,
                node.cpuMilli(),
                node.memoryMib(),
                node.podSlots(),
                node.nics(),
                node.labels(),
                node.taints(),
                node.devices(),
                List.of("its product label is missing"));
    }

    private static void putBack(Stage stage, SqlDatabase database, Missing what, Quotas both) {
        stage.cluster.faults().returnNode("n2");
        database.changeQuotas("q", both);
        if (what == Missing.FLAVOR_OF_A || what == Missing.FLAVOR_OF_B) {
            stage.seesNode = node -> node;
            stage.restart();
        }
        if (what == Missing.EVERY_LEVEL) {
            stage.levels = RACKS;
            stage.restart();
        }
    }

    /** What is missing is shown: by an event, at the node, or to the jobs that ask for it. */
    private static void isTold(Stage stage, SqlDatabase database, Missing what) {
        switch (what) {
            case NODE_OF_B ->
                assertThat(database.texts("SELECT (data ->> 'name') || ' ' || (data ->> 'to') FROM events"
                                + " WHERE type = 'node.state' ORDER BY xid, id"))
                        .last()
                        .isEqualTo("n2 gone");
            case FLAVOR_OF_A ->
                waitsFor(
                        stage,
                        required(stage, "h100", null),
                        ReasonCode.NO_MATCHING_FLAVOR,
                        "no node is of flavor h100");
            case FLAVOR_OF_B ->
                waitsFor(
                        stage,
                        required(stage, "a100", null),
                        ReasonCode.NO_MATCHING_FLAVOR,
                        "no node is of flavor a100");
            case EVERY_LEVEL ->
                waitsFor(stage, required(stage, "a100", "rack"), ReasonCode.MISCONFIGURED, "not configured: rack");
            case QUOTA_OF_B, QUOTA_OF_A, EVERY_QUOTA ->
                assertThat(database.texts("SELECT type FROM events WHERE type LIKE 'queue.%' ORDER BY xid, id"))
                        .last()
                        .isEqualTo("queue.change");
        }
    }

    private static void waitsFor(Stage stage, JobSpec spec, ReasonCode code, String detail) {
        JobId job = stage.submit(spec);
        stage.run(3);
        Reason reason = stage.database.feed().since(null).waiting().stream()
                .filter(waiting -> waiting.job().equals(job))
                .map(WaitingJob::verdict)
                .findFirst()
                .orElseThrow();
        assertThat(reason.code()).as("%s", reason).isEqualTo(code);
        assertThat(reason.detail()).contains(detail);
        cancel(stage.book, job);
        stage.until(job, JobState.CANCELLED, SOON);
    }

    private static JobSpec required(Stage stage, String flavor, @Nullable String level) {
        JobSpec spec = stage.spec("asks", "q", 1, 1, List.of(flavor));
        return new JobSpec(
                spec.name(),
                spec.queue(),
                spec.lane(),
                spec.priority(),
                spec.podSets(),
                new TopologyWish(level, null),
                spec.expectedRuntimeSeconds(),
                spec.graceSeconds(),
                spec.maxFailures(),
                spec.labels());
    }

    @Test
    @DisplayName(
            "B08 a gang that is not bound in time after a restart holds nothing, others start, and it is tried again")
    void whatIsNotReadyInTimeHoldsNothing() {
        SqlDatabase database = new SqlDatabase(World.LEASE);
        try (Stage stage = new Stage(database, 8)) {
            stage.watched = true;
            QuotaKey gpus = QuotaKey.gpus("h100");
            database.addQueue("all", new Quotas(Map.of(gpus, Quota.of(8_000))));
            database.addQueue("all/qa", new Quotas(Map.of(gpus, Quota.of(4_000))));
            database.addQueue("all/qb", new Quotas(Map.of(gpus, Quota.of(4_000))));
            JobId job = stage.submit(stage.spec("J", "all/qa", 8, 1, List.of()));
            stage.until(job, JobState.RUNNING, SOON);
            stage.leap(Duration.ofHours(20));
            stage.run(5);
            assertThat(stage.state(job)).isEqualTo(JobState.RUNNING);

            stage.refusesBinds = true;
            stage.cluster.faults().endContainers(stage.pod(job, 3), 1);
            while (stage.of(job).attempt() == 1) {
                stage.run(1);
            }
            stage.until(job, JobState.QUEUED, 100);
            JobId other = stage.submit(stage.spec("K", "all/qb", 4, 1, List.of()));
            assertThat(database.texts("SELECT cause FROM attempts WHERE job_id = '%s' ORDER BY number".formatted(job)))
                    .containsExactly("EXIT_CODE", "NOT_READY_IN_TIME");
            assertThat(stage.of(job).members()).isEmpty();
            assertThat(database.texts("SELECT count(*)::text FROM allocations WHERE job_id = '%s'".formatted(job)
                            + " AND released_at IS NULL"))
                    .containsExactly("0");
            assertThat(stage.until(other, JobState.ALLOCATED, 1))
                    .as("in the next cycle")
                    .isLessThanOrEqualTo(1);

            stage.refusesBinds = false;
            stage.until(other, JobState.RUNNING, SOON);
            for (int rank = 0; rank < 4; rank++) {
                stage.cluster.faults().endContainers(stage.pod(other, rank), 0);
            }
            stage.until(other, JobState.SUCCEEDED, SOON);
            stage.until(job, JobState.RUNNING, 600);
            assertThat(stage.of(job).failures()).as("the crash alone").isEqualTo(1);
            assertThat(stage.heldMilli()).isEqualTo(8_000);
        }
    }

    @Test
    @DisplayName("B08 members that hold GPUs and have no pod are found, and what they hold is given back")
    void whatHoldsAndHasNoPodIsFound() {
        try (Stage stage = new Stage(new SqlDatabase(World.LEASE), 8)) {
            stage.watched = true;
            JobId job = stage.submit(stage.spec("J", "team", 8, 1, List.of()));
            stage.until(job, JobState.RUNNING, SOON);
            stage.deaf = true;
            for (int rank = 0; rank < 8; rank++) {
                stage.cluster.faults().forceDelete(stage.pod(job, rank));
            }
            stage.until(job, JobState.STOPPING, 400);
            stage.until(job, JobState.QUEUED, 400);
            assertThat(stage.of(job).members()).isEmpty();
            stage.until(job, JobState.RUNNING, SOON);
            assertThat(stage.of(job).attempt()).isEqualTo(2);
        }
    }
}
