package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.quota.HalfLife;
import dev.tutti.control.Actor;
import dev.tutti.control.Deposed;
import dev.tutti.control.JobBook;
import dev.tutti.control.PlanId;
import dev.tutti.control.QueueBook.Changed;
import dev.tutti.control.Unavailable;
import dev.tutti.control.loop.PastKeeper;
import dev.tutti.control.loop.SchedulingCycle;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.Toleration;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.Reason;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import dev.tutti.store.work.SqlJobBook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two gangs that each need every node, from two clients of two replicas at once, while both replicas decide: on a real
 * PostgreSQL, again and again.
 */
class TwoGangsTest extends StoreContract {

    private static final int ROUNDS = 50;

    private final Random chance = new Random(1);
    private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }

    @ParameterizedTest(name = "B01 two gangs that each need everything, {0} times on PostgreSQL: one has it whole; {1}")
    @CsvSource({"200, both replicas believe that they lead", "40, one of them led before"})
    void oneOfTwoGangsHasEverything(int times, String who) throws Exception {
        for (int i = 1; i <= 4; i++) {
            observe(sighting("n" + i, "uid-n" + i, "boot-1", true, true, 1));
        }
        Quotas four = Quotas.ofGpus(Map.of("h100", 4_000L));
        assertThat(store.queues().create("q", four, QueueRules.PLAIN, ANNA)).isInstanceOf(Changed.Done.class);
        Actor.Leader former = leader;
        if (who.startsWith("one")) {
            store.advance(Duration.ofMinutes(1));
            leader = new Actor.Leader(store.leadership().lead("second").orElseThrow());
        }
        List<SchedulingCycle> replicas = List.of(cycle(leader), cycle(former));
        JobBook otherBook = new SqlJobBook(((SqlStore) store).transactions());
        try {
            for (int i = 0; i < times; i++) {
                List<JobId> two = race(replicas, otherBook);
                settle(replicas);
                JobId winner = two.stream()
                        .filter(job -> state(job) == JobState.ALLOCATED)
                        .findFirst()
                        .orElseThrow();
                JobId loser = two.get(1 - two.indexOf(winner));
                assertHasAll(winner);
                assertThat(state(loser)).isEqualTo(JobState.QUEUED);
                assertThat(run(loser).members()).as("nothing is reserved").isEmpty();
                assertThat(number("allocations WHERE released_at IS NULL"))
                        .as("no more is held")
                        .isEqualTo(4);
                assertThat(number("bind_tasks t JOIN allocations a ON a.id = t.allocation_id AND a.job_id = '" + loser
                                + "'"))
                        .as("no pod is to be made")
                        .isZero();
                assertThat(usedMilli()).isEqualTo(4_000);
                Reason reason = waiting(loser).verdict();
                assertThat(List.of(reason.wanted(), reason.available()))
                        .as("%s", reason)
                        .isEqualTo(List.of(4_000L, 0L));

                end(winner);
                settle(replicas);
                letRest(loser, replicas);
                assertThat(state(loser)).as("after one job's length").isEqualTo(JobState.ALLOCATED);
                assertHasAll(loser);
                end(loser);
                assertThat(usedMilli()).isZero();
            }
        } finally {
            threads.shutdownNow();
            threads.awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    /** Of two that believe that they lead, the database may refuse one decision: that job alone is tried again a bit later. */
    private void letRest(JobId job, List<SchedulingCycle> replicas) {
        if (refusals.stream().anyMatch(words -> words.contains(job.toString()))) {
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                settle(replicas);
                return state(job) == JobState.ALLOCATED;
            });
        }
    }

    /** Two submissions and a turn of each replica, all at once, each some fractions of a millisecond apart. */
    private List<JobId> race(List<SchedulingCycle> replicas, JobBook otherBook) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<JobId> ids = new ArrayList<>();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            String name = "J" + (i + 1);
            JobBook book = i == 0 ? store.jobs() : otherBook;
            all.add(soon(start, () -> {
                List<JobId> made = new ArrayList<>();
                book.submit(submission(null, "body", List.of(gang(name)), made));
                synchronized (ids) {
                    ids.addAll(made);
                }
            }));
        }
        replicas.forEach(replica -> all.add(soon(start, () -> turn(replica))));
        start.countDown();
        for (Future<?> each : all) {
            each.get(30, TimeUnit.SECONDS);
        }
        return ids;
    }

    private Future<?> soon(CountDownLatch start, Runnable step) {
        int micros = chance.nextInt(3_000);
        return threads.submit(() -> {
            start.await();
            TimeUnit.MICROSECONDS.sleep(micros);
            step.run();
            return null;
        });
    }

    /** Both decide at once until two rounds in a row change nothing. */
    private void settle(List<SchedulingCycle> replicas) throws Exception {
        int still = 0;
        for (int round = 0; still < 2; round++) {
            assertThat(round).as("it comes to rest").isLessThan(ROUNDS);
            long before = number("events");
            CountDownLatch start = new CountDownLatch(1);
            List<Future<?>> both = new ArrayList<>();
            replicas.forEach(replica -> both.add(soon(start, () -> turn(replica))));
            start.countDown();
            for (Future<?> each : both) {
                each.get(30, TimeUnit.SECONDS);
            }
            still = number("events") == before ? still + 1 : 0;
        }
    }

    /** A replica that led before is refused, and what the database undid is tried again. */
    private static void turn(SchedulingCycle replica) {
        try {
            replica.turn();
        } catch (Deposed | Unavailable refused) {
            Thread.onSpinWait();
        }
    }

    private SchedulingCycle cycle(Actor.Leader as) {
        return new SchedulingCycle(
                store.changes(),
                new GangAllocator(),
                store.ledger(),
                QueueTrialContract.LEVELS,
                List.of(),
                () -> true,
                () -> new PlanId(UUID.randomUUID()),
                refusals::add,
                as,
                new PastKeeper(store.pasts(), HalfLife.OFF, as));
    }

    private static JobSpec gang(String name) {
        PodTemplate template = new PodTemplate("busybox:1", List.of(), List.of(), Map.of());
        NodeRules anywhere =
                new NodeRules(Map.of(), List.of(new Toleration(null, Toleration.Operator.EXISTS, "", null)));
        PodSet set = new PodSet(
                "worker",
                4,
                4,
                new GpuRequest.Whole(1),
                List.of(),
                1_000,
                1_024,
                template,
                TopologyWish.NONE,
                null,
                anywhere,
                List.of(),
                NicRequest.NONE);
        return new JobSpec(name, "q", Lane.YELLOW, 0, List.of(set), TopologyWish.NONE, 60, 30, 0, Map.of());
    }

    private void end(JobId job) {
        see(job, MemberPhase.RUNNING, null);
        see(job, MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        assertThat(state(job)).isEqualTo(JobState.SUCCEEDED);
    }

    private JobState state(JobId job) {
        return run(job).state();
    }

    private void assertHasAll(JobId job) {
        assertThat(run(job).members()).hasSize(4).extracting(Member::node).doesNotHaveDuplicates();
    }

    private long usedMilli() {
        return sql("SELECT COALESCE(sum(gpu_milli), 0) FROM queue_use");
    }

    private long number(String from) {
        return sql("SELECT count(*) FROM " + from);
    }

    private long sql(String query) {
        return ((SqlStore) store)
                .database()
                .jdbcClient()
                .sql(query)
                .query(Long.class)
                .single();
    }
}
