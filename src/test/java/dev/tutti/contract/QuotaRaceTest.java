package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Allocator;
import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.quota.HalfLife;
import dev.tutti.control.JobBook.Submitted;
import dev.tutti.control.PlanId;
import dev.tutti.control.QueueBook.Changed;
import dev.tutti.control.Unavailable;
import dev.tutti.control.loop.PastKeeper;
import dev.tutti.control.loop.SchedulingCycle;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Quotas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Many clients at once for the last GPU of a quota, on a real PostgreSQL, with two replicas that both believe that they lead:
 * no reading of what is held, at any instant, is above the quota.
 */
class QuotaRaceTest extends StoreContract {

    private static final int CLIENTS = 64;
    private static final long QUOTA_MILLI = 8_000;
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final AtomicBoolean isOver = new AtomicBoolean();
    private final Set<JobId> ended = ConcurrentHashMap.newKeySet();
    private final List<String> alarms = new ArrayList<>();

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("Quota race: 64 clients on the last GPU and two replicas that lead, 0 over at any instant")
    void theLastGpuIsNeverGivenTwice(long seed) throws Exception {
        nodes(2);
        long queue = queueOf(QUOTA_MILLI);
        JobId rest = submit(QueueTrialContract.plain("team", 7));
        commit(place(rest, "n0", 0, 1, 2, 3, 4, 5, 6));
        see(rest, MemberPhase.RUNNING, null);

        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<Sample> sample = threads.submit(() -> sample(queue));
            Future<?> first = threads.submit(replica(new GangAllocator(), seed));
            Future<?> second = threads.submit(replica(new OfSome(), seed + 100));
            Future<?> cluster = threads.submit(() -> endWhatRuns(rest, new Random(seed)));
            List<Future<Submitted>> clients = clients(threads);
            for (Future<Submitted> client : clients) {
                assertThat(client.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(Submitted.Stored.class);
            }
            Awaitility.await().atMost(LIMIT).until(() -> ended.size() == CLIENTS);
            isOver.set(true);
            for (Future<?> each : List.of(first, second, cluster)) {
                each.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            Sample seen = sample.get(LIMIT.toSeconds(), TimeUnit.SECONDS);

            assertThat(seen.over()).as("readings above the quota").isZero();
            assertThat(seen.full())
                    .as("readings at which the last GPU was held")
                    .isPositive();
            assertThat(ended).as("jobs that had the last GPU").hasSize(CLIENTS);
            assertThat(alarms)
                    .as("two chose different jobs, and the database took one")
                    .isNotEmpty();
            System.out.println("=== quota race, seed " + seed + ": " + seen + ", " + alarms.size()
                    + " commits refused by the database");
        } finally {
            isOver.set(true);
            threads.shutdownNow();
            threads.awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    /** The sampler can fail: it sees what a database without its rule would let happen. */
    @Test
    void aReadingAboveTheQuotaIsCounted() {
        nodes(2);
        long queue = queueOf(QUOTA_MILLI);
        JobId job = submit(QueueTrialContract.plain("team", 8));
        commit(place(job, "n0", 0, 1, 2, 3, 4, 5, 6, 7));
        store.queues().change(queue, 0, quotas(7_000), null, ANNA);

        isOver.set(true);
        assertThat(sample(queue, 7_000).over()).isEqualTo(1);
    }

    private long queueOf(long milli) {
        return ((Changed.Done) store.queues().create("team", quotas(milli), QueueRules.PLAIN, ANNA)).id();
    }

    private static Quotas quotas(long milli) {
        return new Quotas(Map.of(QuotaKey.gpus("h100"), new Quota(milli, 0L, null)));
    }

    private List<Future<Submitted>> clients(ExecutorService threads) {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Submitted>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            String key = "client-" + i;
            clients.add(threads.submit(() -> {
                start.await();
                return store.jobs()
                        .submit(submission(key, key, List.of(QueueTrialContract.plain("team", 1)), new ArrayList<>()));
            }));
        }
        start.countDown();
        return clients;
    }

    /** A replica that decides again and again. */
    private Callable<Void> replica(Allocator allocator, long seed) {
        Random ids = new Random(seed);
        SchedulingCycle cycle = new SchedulingCycle(
                store.changes(),
                allocator,
                store.ledger(),
                QueueTrialContract.LEVELS,
                List.of(),
                () -> true,
                () -> new PlanId(new UUID(ids.nextLong(), ids.nextLong())),
                alarm -> {
                    synchronized (alarms) {
                        alarms.add(alarm);
                    }
                },
                leader,
                new PastKeeper(store.pasts(), HalfLife.OFF, leader));
        return () -> {
            while (!isOver.get()) {
                tryAgain(cycle::turn);
                Thread.sleep(2);
            }
            return null;
        };
    }

    /** Ends each job some milliseconds after it got its place, as its cluster would; lets back-offs pass when all rest. */
    private Void endWhatRuns(JobId but, Random random) throws InterruptedException {
        int idle = 0;
        while (!isOver.get()) {
            List<RunningJob> running = everything().running();
            idle = running.size() > 1 ? 0 : idle + 1;
            if (idle == 100) {
                store.advance(Duration.ofMinutes(10));
                idle = 0;
            }
            for (RunningJob job : running) {
                if (!job.job().equals(but)) {
                    Thread.sleep(random.nextInt(4));
                    tryAgain(() -> end(job.job()));
                }
            }
            Thread.sleep(2);
        }
        return null;
    }

    private void end(JobId job) {
        if (run(job).state() != JobState.STOPPING) {
            stop(job, EndCause.CANCELLED_BY_USER);
        }
        see(job, MemberPhase.GONE, null);
        ended.add(job);
    }

    /** As the loops of the service do: what the database undid, because two waited for each other, is tried again later. */
    private static void tryAgain(Runnable step) {
        try {
            step.run();
        } catch (Unavailable undone) {
            Thread.onSpinWait();
        }
    }

    /** Reads what is held until all is over: from the rows of members, and as the queue's sum says. */
    private Sample sample(long queue) {
        return sample(queue, QUOTA_MILLI);
    }

    private Sample sample(long queue, long quotaMilli) {
        JdbcClient sql = ((SqlStore) store).database().jdbcClient();
        int readings = 0;
        int over = 0;
        int full = 0;
        do {
            long held = sql.sql("""
                    SELECT GREATEST((SELECT COALESCE(sum(gpu_milli), 0) FROM allocations
                                     WHERE queue_id = :queue AND released_at IS NULL),
                                    (SELECT COALESCE(sum(gpu_milli), 0) FROM queue_use WHERE queue_id = :queue))""").param("queue", queue).query(Long.class).single();
            readings++;
            over += held > quotaMilli ? 1 : 0;
            full += held == quotaMilli ? 1 : 0;
        } while (!isOver.get());
        return new Sample(readings, full, over);
    }

    /** Knows of every other job only, so that it chooses others than one that knows of all. */
    private static final class OfSome implements Allocator {
        @Override
        public Plan decide(Snapshot snapshot, Collection<WaitingJob> waiting, long nowMicros) {
            return new GangAllocator()
                    .decide(
                            snapshot,
                            waiting.stream()
                                    .filter(job -> job.job().hashCode() % 2 == 0)
                                    .toList(),
                            nowMicros);
        }
    }

    private record Sample(int readings, int full, int over) {}
}
