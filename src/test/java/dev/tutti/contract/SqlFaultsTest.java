package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Plan.Placement;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.control.JobBook.Submitted;
import dev.tutti.control.OutcomeUnknown;
import dev.tutti.control.PlanId;
import dev.tutti.control.Unavailable;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.control.view.ChangeFeed.RecentJob;
import dev.tutti.control.view.FleetMirror;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.ledger.SqlLedger;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What only a real database can do to the store: sessions that cross, replies that are lost. */
class SqlFaultsTest extends QueriesContract {

    @Test
    void oneKeyOfManyCallersAtOnceIsOneJob() throws Exception {
        List<Submitted> answers = inParallel(
                16, i -> store.jobs().submit(submission("key", "body", List.of(job("a", 1, 1)), new ArrayList<>())));

        Set<String> bytes = new HashSet<>();
        for (Submitted answer : answers) {
            assertThat(answer).isInstanceOf(Submitted.Stored.class);
            bytes.add(new String(((Submitted.Stored) answer).answer(), StandardCharsets.UTF_8));
        }
        assertThat(bytes).hasSize(1);
        assertThat(everything().waiting()).hasSize(1);
    }

    @Test
    void whatTheServerGaveUpOnIsTriedAgainAndDamageIsNot() {
        assertThatThrownBy(() -> fail("XX000")).isInstanceOf(Unavailable.class);
        for (String damage : List.of("XX001", "XX002")) {
            assertThatThrownBy(() -> fail(damage)).isNotInstanceOf(Unavailable.class);
        }
    }

    private void fail(String state) {
        ((SqlStore) store)
                .transactions()
                .write(
                        "a change",
                        sql -> sql.sql("DO $$ BEGIN RAISE EXCEPTION 'broken' USING ERRCODE = '" + state + "'; END $$")
                                .update());
    }

    @Test
    void whoeverWaitsForAKeyGivesUpAfterTwoSeconds() throws SQLException {
        try (Connection first = open("INSERT INTO idempotency_keys VALUES ('anna', 'key', 'body', '', now())")) {
            long start = System.nanoTime();
            assertThat(store.jobs().submit(submission("key", "body", List.of(job("a", 1, 1)), new ArrayList<>())))
                    .isEqualTo(new Submitted.KeyBusy());
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isBetween(1_900L, 3_900L);
            first.rollback();
        }
        assertThat(store.jobs().submit(submission("key", "body", List.of(job("a", 1, 1)), new ArrayList<>())))
                .isInstanceOf(Submitted.Stored.class);
    }

    @Test
    void aRowOfATransactionThatCommitsLateIsNeverMissedByTheFeed() throws SQLException {
        JobId early = submit(job("early", 1, 1));
        String cursor;
        try (Connection late = open("UPDATE jobs SET priority = 77")) {
            submit(job("meanwhile", 1, 1));
            cursor = everything().cursor();
            late.commit();
        }
        assertThat(store.changes().since(cursor).waiting())
                .extracting(WaitingJob::job, WaitingJob::priority)
                .contains(tuple(early, 77));
    }

    @Test
    void aJobOfATransactionThatCommitsLateIsRememberedThoughItNeverWaited() throws SQLException {
        JobId pattern = submit(job("late", 2, 1));
        JobId late = new JobId(UUID.randomUUID());
        String cursor;
        try (Connection submit = open("""
                INSERT INTO jobs (id, queue_id, lane, priority, name, state, reason_code, reason, reason_since,
                                  max_failures, queued_since, submitted_by, submitted_at)
                SELECT '%1$s', queue_id, lane, priority, name, state, reason_code, reason, reason_since, 0, now(), 'x',
                       now()
                FROM jobs WHERE id = '%2$s';
                INSERT INTO job_specs SELECT '%1$s', spec FROM job_specs WHERE job_id = '%2$s'""".formatted(late, pattern))) {
            submit(job("meanwhile", 1, 1));
            cursor = everything().cursor();
            submit.commit();
        }
        store.jobs().stop(late, EndCause.CANCELLED_BY_USER, null, ANNA);

        assertThat(store.changes().since(cursor).recent())
                .extracting(RecentJob::job)
                .containsExactly(late);
    }

    @Test
    void afterARestartTheSameJobsAreRememberedHoweverManyThereWere() {
        FleetMirror there = new FleetMirror(SqlStore.LEVELS);
        int batch = ChangeFeed.RECENT_JOBS / 8;
        Random random = new Random(5);
        for (int round = 0; round < 11; round++) {
            List<JobId> jobs = submitAll(IntStream.range(0, batch)
                    .mapToObj(i -> job("j", 1, 65 + random.nextInt(936)))
                    .toList());
            for (int i = 0; i < batch / 16; i++) {
                store.jobs().stop(jobs.get(random.nextInt(batch)), EndCause.CANCELLED_BY_USER, null, ANNA);
            }
            there.take(store.changes().since(there.cursor()));
        }
        FleetMirror anew = new FleetMirror(SqlStore.LEVELS);
        anew.take(everything());

        assertThat(anew.snapshot().mix()).isEqualTo(there.snapshot().mix()).isNotEqualTo(Mix.UNKNOWN);
    }

    @Test
    void aTakeoverWaitsForTheWriterOfTheOldTerm() throws SQLException {
        store.advance(store.lease().multipliedBy(2));
        try (Connection writer = open("SELECT term FROM leadership WHERE one FOR SHARE")) {
            assertThatThrownBy(() -> store.leadership().lead("second")).isInstanceOf(Unavailable.class);
            writer.rollback();
        }
        assertThat(store.leadership().lead("second")).hasValue(leader.term() + 1);
    }

    @Test
    void aCommitWithoutAReplyIsUnknownAndIsReadBack() {
        nodes(1);
        JobId job = submit(job("job", 1, 1));
        Plan plan = new Plan(1, List.of(place(job, "n0", 0)), List.of());
        PlanId id = new PlanId(UUID.randomUUID());
        FaultyDataSource faulty = new FaultyDataSource(sql().database().dataSource());
        SqlLedger ledger = new SqlLedger(new SqlTransactions(faulty.dataSource()));
        faulty.loseTheReplyOfTheNextCommit();

        assertThatThrownBy(() -> ledger.commit(id, plan, leader)).isInstanceOf(OutcomeUnknown.class);

        assertThat(store.ledger().receipt(id).orElseThrow().committed()).containsExactly(job);
        assertThat(store.ledger().commit(id, plan, leader).committed()).containsExactly(job);
        assertThat(heldMilli("n0")).isEqualTo(1_000);
    }

    @Test
    void aConnectionLostBeforeTheCommitStoredNothing() {
        nodes(1);
        JobId job = submit(job("job", 1, 1));
        Plan plan = new Plan(1, List.of(place(job, "n0", 0)), List.of());
        FaultyDataSource faulty = new FaultyDataSource(sql().database().dataSource());
        SqlLedger ledger = new SqlLedger(new SqlTransactions(faulty.dataSource()));
        faulty.breakAtStatement(3);

        assertThatThrownBy(() -> ledger.commit(new PlanId(UUID.randomUUID()), plan, leader))
                .isInstanceOf(Unavailable.class);
        assertThat(heldMilli("n0")).isZero();
        assertThat(waits(job)).isTrue();
    }

    @Test
    void aCommitIsAsManyStatementsForFortyJobsAsForOne() {
        nodes(8);
        FaultyDataSource counting = new FaultyDataSource(sql().database().dataSource());
        SqlLedger ledger = new SqlLedger(new SqlTransactions(counting.dataSource()));
        List<JobId> jobs = submitAll(
                IntStream.range(0, 41).mapToObj(i -> job("j" + i, 1, 1)).toList());
        List<Placement> placements = new ArrayList<>();
        for (int i = 0; i < 41; i++) {
            placements.add(place(jobs.get(i), "n" + i / 8, i % 8));
        }

        ledger.commit(new PlanId(UUID.randomUUID()), new Plan(1, placements.subList(0, 1), List.of()), leader);
        int forOne = counting.statements();
        ledger.commit(new PlanId(UUID.randomUUID()), new Plan(1, placements.subList(1, 41), List.of()), leader);

        assertThat(counting.statements() - forOne).isEqualTo(forOne).isLessThanOrEqualTo(8);
    }

    @Test
    void threeCommittersOfTheSamePlacementsHoldEachDeviceOnce() throws Exception {
        nodes(8);
        List<JobId> jobs = submitAll(
                IntStream.range(0, 64).mapToObj(i -> job("j" + i, 1, 1)).toList());
        List<Placement> all = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            all.add(place(jobs.get(i), "n" + i / 8, i % 8));
        }
        inParallel(3, i -> {
            for (int round = 0; round < 20; round++) {
                List<Placement> part = all.subList(round * 3, round * 3 + 3);
                store.ledger().commit(new PlanId(UUID.randomUUID()), new Plan(1, part, List.of()), leader);
            }
            return i;
        });
        int held = IntStream.range(0, 8).map(i -> heldMilli("n" + i)).sum();
        assertThat(held).isEqualTo(60_000);
        assertThat(everything().waiting()).hasSize(4);
    }

    private Connection open(String statement) throws SQLException {
        Connection connection = sql().database().dataSource().getConnection();
        connection.setAutoCommit(false);
        try (Statement one = connection.createStatement()) {
            one.execute(statement);
        }
        return connection;
    }

    private static <T> List<T> inParallel(int threads, Work<T> work) throws ExecutionException, InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<T>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                all.add(executor.submit(() -> work.run(number)));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : all) {
                results.add(one.get());
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }

    /** What one thread does. */
    private interface Work<T> {
        T run(int number) throws Exception;
    }
}
