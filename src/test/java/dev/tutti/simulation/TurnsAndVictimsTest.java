package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.WaitingJob;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Quotas;
import dev.tutti.simulator.ClusterTimings;
import dev.tutti.simulator.fleet.NodeSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whose turn it is and who gives way, in the whole service on the real ledger: every loop turns, and the service ends and
 * starts again between any two steps without a difference in the result.
 */
class TurnsAndVictimsTest {

    private static final int SOON = 50;
    private static final QuotaKey GPUS = QuotaKey.gpus("h100");

    private final SqlDatabase database = new SqlDatabase(World.LEASE);

    private Stage stage(int gpus) {
        return stage(List.of(Stage.node("n1", "h100", gpus)), ClusterTimings.DEFAULT);
    }

    private Stage stage(List<NodeSpec> nodes, ClusterTimings timings) {
        Stage stage = new Stage(database, nodes, timings);
        stage.watched = true;
        return stage;
    }

    private void queue(String path, long nominal, @Nullable Long borrows) {
        database.addQueue(path, new Quotas(Map.of(GPUS, new Quota(nominal, borrows, null))));
    }

    private static JobSpec spec(String queue, int priority, int pods, int least, int gpusEach, String... flavors) {
        PodTemplate template = new PodTemplate("image", List.of(), List.of(), Map.of());
        PodSet set =
                new PodSet("worker", pods, least, new GpuRequest.Whole(gpusEach), List.of(flavors), 0, 0, template);
        return new JobSpec(
                "job", queue, Lane.YELLOW, priority, List.of(set), TopologyWish.NONE, 1_000_000, 60, 2, Map.of());
    }

    private static void step(Stage stage, int restart, int step) {
        if (restart == step) {
            stage.restart();
        }
    }

    private static void end(Stage stage, JobId job, int rank) {
        stage.cluster.faults().endContainers(stage.pod(job, rank), 0);
    }

    private @Nullable Reason reason(JobId job) {
        return database.feed().since(null).waiting().stream()
                .filter(waiting -> waiting.job().equals(job))
                .map(WaitingJob::verdict)
                .findFirst()
                .orElse(null);
    }

    /** C7 and C8: who was asked to leave for whom, once for each attempt that stopped or lost members. */
    private List<String> evictions() {
        return database.texts("""
                SELECT e.victim || ' for ' || e.beneficiary FROM (
                    SELECT job_id AS victim, stopped_for AS beneficiary, number FROM attempts WHERE stopped_for IS NOT NULL
                    UNION ALL
                    SELECT DISTINCT job_id, leaving_for, attempt FROM allocations WHERE leaving_for IS NOT NULL
                    UNION ALL
                    SELECT id, stopping_for, attempt FROM jobs WHERE stopping_for IS NOT NULL) e""");
    }

    /** C6: the history of every job is a legal path, with one end at the most. */
    private void checkHistories() {
        Map<String, JobState> last = new HashMap<>();
        for (String event :
                database.texts("SELECT subject || ' ' || COALESCE(data ->> 'from', '-') || ' ' || (data ->> 'to')"
                        + " FROM events WHERE type = 'job.state' AND data ->> 'from' IS NOT NULL ORDER BY xid, id")) {
            String[] words = event.split(" ");
            JobState from = JobState.valueOf(words[1]);
            JobState to = JobState.valueOf(words[2]);
            JobState before = last.put(words[0], to);
            assertThat(from.isFinal()).as("nothing follows an end: " + event).isFalse();
            assertThat(before == null || before == from)
                    .as(event + " after " + before)
                    .isTrue();
            assertThat(JobLife.allows(from, to)).as(event).isTrue();
        }
    }

    /** Nothing moves any more, and nothing of what happened was one time too many. */
    private void checkEnd(Stage stage) {
        stage.run(SOON);
        checkHistories();
        assertThat(evictions()).as("C8: nobody twice for the same").doesNotHaveDuplicates();
    }

    @ParameterizedTest(name = "B12 reclaim takes the straddling victim once, and it does not come back, restart at {0}")
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void reclaimReachesAFixedPoint(int restart) {
        try (Stage stage = stage(8)) {
            queue("all", 8_000, null);
            queue("all/qa", 3_000, null);
            queue("all/qb", 5_000, null);
            JobId p1 = stage.submit(spec("all/qa", 0, 1, 1, 4));
            JobId p2 = stage.submit(spec("all/qb", 0, 1, 1, 1));
            stage.until(p1, JobState.RUNNING, SOON);
            stage.until(p2, JobState.RUNNING, SOON);
            step(stage, restart, 1);
            JobId p3 = stage.submit(spec("all/qb", 0, 1, 1, 4));
            step(stage, restart, 2);
            stage.until(p1, JobState.STOPPING, SOON);
            step(stage, restart, 3);
            stage.until(p1, JobState.QUEUED, 2 * SOON);
            step(stage, restart, 4);
            stage.until(p3, JobState.RUNNING, SOON);
            stage.run(SOON);

            assertThat(List.of(stage.state(p1), stage.state(p2), stage.state(p3)))
                    .containsExactly(JobState.QUEUED, JobState.RUNNING, JobState.RUNNING);
            assertThat(reason(p1).code()).isEqualTo(ReasonCode.WAITING_FOR_QUOTA);
            assertThat(evictions()).containsExactly(p1 + " for " + p3);
            checkEnd(stage);
        }
    }

    /** Pods take the whole of their grace to end. */
    private static ClusterTimings slow() {
        ClusterTimings usual = ClusterTimings.DEFAULT;
        return new ClusterTimings(
                usual.notice(),
                usual.start(),
                Duration.ofSeconds(60),
                usual.remove(),
                usual.notReady(),
                usual.forceDelete(),
                usual.orphan(),
                usual.runtime(),
                usual.retention());
    }

    @ParameterizedTest(
            name =
                    "B13 who can never fit evicts nobody, the next one asks once; a stronger one comes: {0}, restart at {1}")
    @CsvSource({"false, 0", "false, 1", "false, 2", "false, 3", "true, 0", "true, 1", "true, 2", "true, 3"})
    void whoCanNeverFitEvictsNobody(boolean stronger, int restart) {
        try (Stage stage = stage(List.of(Stage.node("n1", "h100", 3)), slow())) {
            queue("all", 3_000, null);
            queue("all/qa", 3_000, 0L);
            queue("all/qb", 0, 3_000L);
            JobId w1 = stage.submit(spec("all/qb", 0, 1, 1, 1));
            stage.until(w1, JobState.RUNNING, SOON);
            JobId w2 = stage.submit(spec("all/qa", 0, 4, 4, 1));
            JobId w3 = stage.submit(spec("all/qa", 0, 3, 3, 1));
            step(stage, restart, 1);
            stage.until(w1, JobState.STOPPING, SOON);
            stage.run(10);
            step(stage, restart, 2);
            JobId first = w3;
            if (stronger) {
                first = stage.submit(spec("all/qa", 5, 3, 3, 1));
                stage.run(5);
            }
            assertThat(stage.state(w1)).as("it drains").isEqualTo(JobState.STOPPING);
            step(stage, restart, 3);
            stage.until(first, JobState.RUNNING, 120);
            stage.run(180);

            assertThat(stage.state(first)).isEqualTo(JobState.RUNNING);
            assertThat(stage.state(w1)).isEqualTo(JobState.QUEUED);
            assertThat(stage.state(w2)).isEqualTo(JobState.QUEUED);
            assertThat(reason(w2).code()).isEqualTo(ReasonCode.EXCEEDS_LIMIT);
            assertThat(List.of(reason(w2).wanted(), reason(w2).available())).containsExactly(4_000L, 3_000L);
            if (stronger) {
                assertThat(stage.state(w3)).isEqualTo(JobState.QUEUED);
            }
            assertThat(evictions()).as("one eviction in all").containsExactly(w1 + " for " + w3);
            checkEnd(stage);
        }
    }

    @ParameterizedTest(name = "B14 {0} GPUs are wanted and as many members leave, the highest ranks, restart at {1}")
    @CsvSource({"1, 0", "1, 1", "4, 0", "4, 1", "4, 2", "10, 0", "10, 2"})
    void asManyMembersLeaveAsAreWanted(int pods, int restart) {
        try (Stage stage = stage(11)) {
            JobId v = stage.submit(spec("team", 10, 11, 1, 1));
            stage.until(v, JobState.RUNNING, SOON);
            JobId p = stage.submit(spec("team", 100, pods, pods, 1));
            step(stage, restart, 1);
            while (database.texts("SELECT 1::text FROM allocations WHERE leaving IS NOT NULL")
                    .isEmpty()) {
                stage.run(1);
            }
            step(stage, restart, 2);
            stage.until(p, JobState.RUNNING, 2 * SOON);
            stage.run(SOON);

            assertThat(stage.state(v)).isEqualTo(JobState.RUNNING);
            assertThat(stage.of(v).attempt()).isEqualTo(1);
            assertThat(stage.podsOf(v)).hasSize(11 - pods);
            assertThat(stage.podsOf(p)).hasSize(pods);
            assertThat(stage.heldMilli()).isEqualTo(11_000);
            assertThat(
                            database.texts(
                                    "SELECT rank || ' for ' || leaving_for FROM allocations WHERE leaving IS NOT NULL ORDER BY rank"))
                    .isEqualTo(IntStream.range(11 - pods, 11)
                            .mapToObj(rank -> rank + " for " + p)
                            .toList());
            checkEnd(stage);
        }
    }

    @ParameterizedTest(name = "B19 the small weak job does not slip in front of the large strong one, restart at {0}")
    @ValueSource(ints = {0, 1, 2, 3})
    void theSmallJobDoesNotSlipInFront(int restart) {
        try (Stage stage = stage(8)) {
            database.addQueue("q", Quotas.ofGpus(Map.of("h100", 8_000L)), new QueueRules(false, true, 1));
            JobId j1 = stage.submit(spec("q", 5, 8, 8, 1));
            stage.until(j1, JobState.RUNNING, SOON);
            JobId j2 = stage.submit(spec("q", 0, 8, 8, 1));
            JobId j3 = stage.submit(spec("q", 0, 1, 1, 1));
            JobId j4 = stage.submit(spec("q", 5, 8, 8, 1));
            stage.run(5);
            step(stage, restart, 1);
            endOneByOne(stage, j1, j2, j3, j4);
            stage.until(j4, JobState.RUNNING, SOON);
            step(stage, restart, 2);
            endOneByOne(stage, j4, j2, j3);
            stage.until(j2, JobState.RUNNING, SOON);
            assertThat(stage.state(j3)).isEqualTo(JobState.QUEUED);
            step(stage, restart, 3);
            endOneByOne(stage, j2);
            stage.until(j3, JobState.RUNNING, SOON);
            end(stage, j3, 0);
            stage.until(j3, JobState.SUCCEEDED, SOON);
            assertThat(stage.used()).isEmpty();
            assertThat(evictions()).isEmpty();
            checkEnd(stage);
        }
    }

    /** While a gang of eight ends one by one, those that wait stay waiting and have no pods. */
    private static void endOneByOne(Stage stage, JobId running, JobId... waiting) {
        for (int rank = 0; rank < 8; rank++) {
            for (JobId job : waiting) {
                assertThat(stage.state(job)).isEqualTo(JobState.QUEUED);
                assertThat(stage.podsOf(job)).isEmpty();
            }
            end(stage, running, rank);
            if (rank < 7) {
                stage.run(2);
            }
        }
        stage.until(running, JobState.SUCCEEDED, SOON);
    }

    @ParameterizedTest(name = "B21 the head that waits for one GPU type blocks that type alone, restart at {0}")
    @ValueSource(ints = {0, 1, 2})
    void theHeadBlocksOnlyWhatItWaitsFor(int restart) {
        try (Stage stage =
                stage(List.of(Stage.node("n1", "h100", 8), Stage.node("n2", "a100", 8)), ClusterTimings.DEFAULT)) {
            database.addQueue("q", Quotas.NONE, new QueueRules(false, true, 1));
            JobId busy = stage.submit(spec("team", 0, 8, 8, 1, "h100"));
            stage.until(busy, JobState.RUNNING, SOON);
            JobId j1 = stage.submit(spec("q", 0, 1, 1, 8, "h100"));
            JobId j2 = stage.submit(spec("q", 0, 1, 1, 8, "a100"));
            JobId j3 = stage.submit(spec("q", 0, 1, 1, 1, "h100"));
            JobId j4 = stage.submit(spec("q", 0, 1, 1, 2));
            step(stage, restart, 1);
            stage.until(j2, JobState.RUNNING, SOON);
            assertThat(stage.podsOf(j2)).extracting(PodSighting::node).containsExactly("n2");
            end(stage, busy, 0);
            end(stage, busy, 1);
            end(stage, busy, 2);
            stage.run(20);
            step(stage, restart, 2);
            stage.run(5);
            assertThat(List.of(stage.state(j1), stage.state(j3), stage.state(j4)))
                    .as("three h100 are free, and not for those behind the head")
                    .containsOnly(JobState.QUEUED);
            assertThat(reason(j1).code()).isEqualTo(ReasonCode.WAITING_FOR_CAPACITY);
            assertThat(reason(j3).code()).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
            assertThat(reason(j3).detail()).as("what blocks it").contains("a job before it");

            for (int rank = 3; rank < 8; rank++) {
                end(stage, busy, rank);
            }
            stage.until(j1, JobState.RUNNING, SOON);
            assertThat(stage.state(j3)).isEqualTo(JobState.QUEUED);
            end(stage, j2, 0);
            stage.until(j4, JobState.RUNNING, SOON);
            end(stage, j1, 0);
            stage.until(j3, JobState.RUNNING, SOON);
            assertThat(evictions()).isEmpty();
            checkEnd(stage);
        }
    }
}
