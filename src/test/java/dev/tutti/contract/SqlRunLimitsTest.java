package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.control.Receipt;
import dev.tutti.control.Unavailable;
import dev.tutti.control.read.PageRequest;
import dev.tutti.control.read.QueueQueries.QueueView;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.queue.QueueRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

class SqlRunLimitsTest extends RunLimitsContract {

    private static final int COMMITTERS = 64;
    private static final String HELD = """
            SELECT GREATEST((SELECT count(DISTINCT job_id) FROM allocations WHERE released_at IS NULL),
                            (SELECT max(jobs) FROM queue_runs), (SELECT max(jobs) FROM queue_user_runs),
                            (SELECT max(gpu_milli) / (SELECT max(gpu_milli) FROM allocations)
                             FROM queue_user_runs))""";

    private final AtomicBoolean isOver = new AtomicBoolean();

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }

    private JdbcClient sql() {
        return ((SqlStore) store).database().jdbcClient();
    }

    @ParameterizedTest(name = "a limit of {0}")
    @ValueSource(strings = {"the queue", "one user", "a queue above", "GPUs of one user", "whole nodes"})
    @DisplayName(
            "Limit race: 64 committers on the last running job of a queue or a user, or its last whole node, 0 over at any instant")
    void theLastPlaceIsNeverGivenTwice(String limit) throws Exception {
        boolean isWhole = limit.equals("whole nodes");
        nodes(isWhole ? COMMITTERS + 2 : 9);
        create(
                "top",
                limit.equals("a queue above")
                        ? limited(3, null)
                        : isWhole ? WholeNodeLimitsContract.limited(3) : QueueRules.PLAIN);
        create(
                "top/team",
                limit.equals("the queue")
                        ? limited(3, null)
                        : limit.equals("one user")
                                ? limited(null, 3)
                                : limit.equals("GPUs of one user") ? limited(null, null, 3_500L) : QueueRules.PLAIN);
        List<JobId> jobs = submitAll(IntStream.range(0, COMMITTERS + 2)
                .mapToObj(
                        i -> isWhole ? WholeNodeLimitsContract.whole("j" + i, "top/team", 1) : job("j" + i, "top/team"))
                .toList());
        List<PodPlacement> pods = IntStream.range(0, COMMITTERS + 2)
                .mapToObj(i -> isWhole
                        ? pod(jobs.get(i), 0, "n" + i, WholeNodeLimitsContract.ALL)
                        : pod(jobs.get(i), 0, "n" + i / 8, i % 8))
                .toList();
        for (int i = COMMITTERS; i < COMMITTERS + 2; i++) {
            commit(place(jobs.get(i), waiting(jobs.get(i)).version(), List.of(pods.get(i))));
        }
        AtomicInteger refused = new AtomicInteger();
        AtomicInteger undone = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<Integer> most = threads.submit(this::mostHeld);
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < COMMITTERS; i++) {
                int n = i;
                all.add(threads.submit(() -> {
                    start.await();
                    runOnce(jobs.get(n), pods.get(n), new Random(n), refused, undone);
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> one : all) {
                one.get(120, TimeUnit.SECONDS);
            }
            isOver.set(true);
            assertThat(most.get(10, TimeUnit.SECONDS))
                    .as("most that held something at once")
                    .isEqualTo(3);
        } finally {
            isOver.set(true);
            threads.shutdownNow();
            threads.awaitTermination(10, TimeUnit.SECONDS);
        }
        assertThat(refused.get()).isPositive();
        assertThat(sql().sql(HELD).query(Integer.class).single()).isEqualTo(2);
        System.out.println("=== limit race, " + limit + ": " + refused + " refused, " + undone + " undone");
    }

    /** Tries until the job has run. */
    private void runOnce(JobId job, PodPlacement pod, Random random, AtomicInteger refused, AtomicInteger undone)
            throws InterruptedException {
        boolean ran = false;
        while (!ran) {
            try {
                long version = sql().sql("SELECT version FROM jobs WHERE id = :id")
                        .param("id", job.value())
                        .query(Long.class)
                        .single();
                Receipt receipt = commit(place(job, version, List.of(pod)));
                ran = receipt.committed().contains(job);
                refused.addAndGet(receipt.refused().size());
            } catch (Unavailable e) {
                undone.incrementAndGet();
            }
            Thread.sleep(random.nextInt(20));
        }
        for (int steps = 0; steps < 2; ) {
            try {
                if (steps == 0) {
                    stop(job, EndCause.CANCELLED_BY_USER);
                } else {
                    see(job, MemberPhase.GONE, null);
                }
                steps++;
            } catch (Unavailable e) {
                undone.incrementAndGet();
            }
        }
    }

    private int mostHeld() {
        int most = 0;
        while (!isOver.get()) {
            most = Math.max(most, sql().sql(HELD).query(Integer.class).single());
        }
        return most;
    }

    @Test
    void whoChangesALimitWaitsForThoseWhoStartAndTheyForIt() throws Exception {
        nodes(1);
        long queue = create("team", QueueRules.PLAIN);
        JobId job = submit(job("a", "team"));
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<Receipt> starts = ((SqlStore) store).transactions().write("a change", sql -> {
                sql.sql("UPDATE queues SET max_running_jobs = 0 WHERE id = :id")
                        .param("id", queue)
                        .update();
                Future<Receipt> late = threads.submit(() -> commit(place(job, "n0", 0)));
                try {
                    Thread.sleep(300);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                assertThat(late.isDone()).as("waits for the change").isFalse();
                return late;
            });
            assertThat(starts.get(10, TimeUnit.SECONDS).refused()).containsOnlyKeys(job);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void whatRunsIsCountedForPagesAndAUserWhoHasNothingLeavesNoRow() {
        nodes(1);
        create("top", QueueRules.PLAIN);
        create("top/team", QueueRules.PLAIN);
        JobId job = submit(job("a", "top/team"));
        commit(place(job, "n0", 0));

        assertThat(((SqlStore) store).queueQueries().queue("top").map(QueueView::running))
                .as("one that is bound holds something")
                .contains(1L);
        assertThat(rows()).isEqualTo(2);
        see(job, MemberPhase.GONE, null);
        assertThat(((SqlStore) store)
                        .queueQueries()
                        .queues(new PageRequest(10, null))
                        .items())
                .allMatch(view -> view.running() == 0);
        assertThat(rows()).isZero();
    }

    private int rows() {
        return sql().sql("SELECT count(*) FROM queue_user_runs")
                .query(Integer.class)
                .single();
    }
}
