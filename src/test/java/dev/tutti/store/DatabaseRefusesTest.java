package dev.tutti.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Whatever the code believes: the database agrees to no double allocation (house rule R2). No code of the store here. */
class DatabaseRefusesTest {

    private static final int NODES = 8;
    private static final int DEVICES = 64;

    private TestDatabase database;
    private JdbcClient sql;
    private TransactionTemplate transaction;

    @BeforeEach
    void fleetOf64Devices() {
        database = TestPostgres.freshDatabase();
        sql = database.jdbcClient();
        transaction = new TransactionTemplate(new JdbcTransactionManager(database.dataSource()));
        sql.sql("INSERT INTO clusters (name, kind) VALUES ('c', 'simulated')").update();
        sql.sql("INSERT INTO flavors VALUES ('h100', 'H100', 81920)").update();
        sql.sql("""
                INSERT INTO nodes (cluster_id, name, uid, boot_id, flavor, ready, schedulable, domains, labels,
                                   cpu_milli, memory_mib, pod_slots, nics)
                SELECT 1, 'n' || i, '', '', 'h100', true, true, '{}', '{}', 64000, 65536, 100, 0
                FROM generate_series(1, :nodes) i""").param("nodes", NODES).update();
        sql.sql("""
                INSERT INTO devices (node_id, index, island, healthy)
                SELECT n.id, i, 0, true FROM nodes n, generate_series(0, 7) i ORDER BY n.id, i""").update();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void threeSessionsThatWantAllDevicesGetNoneTwice() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        inParallel(3, session -> {
            Random random = new Random(session);
            for (int i = 0; i < 120; i++) {
                long device = 1 + random.nextInt(DEVICES);
                if (!allocate(1 + (device - 1) / 8, device, 1_000, 1, "h100")) {
                    refused.incrementAndGet();
                }
            }
        });

        int held = number("SELECT count(*) FROM allocation_devices");
        assertThat(held).isEqualTo(360 - refused.get()).isBetween(50, DEVICES);
        assertThat(refused.get()).isGreaterThan(200);
        assertThat(number("SELECT count(*) FROM (SELECT device_id FROM allocation_devices GROUP BY device_id"
                        + " HAVING sum(milli) > 1000) d"))
                .isZero();
        assertThat(number("SELECT count(*) FROM devices d WHERE held_milli <> (SELECT COALESCE(sum(milli), 0)"
                        + " FROM allocation_devices WHERE device_id = d.id)"))
                .isZero();
        assertThat(number("SELECT sum(held_pods) FROM nodes")).isEqualTo(held);
        assertThat(number("SELECT used_milli FROM queue_shares")).isEqualTo(held * 1_000);
    }

    @Test
    void sharesOfADeviceFillItAndNoMore() {
        assertThat(allocate(1, 1, 600, 1, "h100")).isTrue();
        assertThat(allocate(1, 1, 401, 1, "h100")).isFalse();
        assertThat(allocate(1, 1, 400, 1, "h100")).isTrue();
    }

    @Test
    void aNodeIsNeverOverfull() {
        assertThat(allocate(1, 1, 1_000, 64_000, "h100")).isTrue();
        assertThat(allocate(1, 2, 1_000, 1, "h100")).isFalse();
        sql.sql("UPDATE nodes SET pod_slots = 1 WHERE id = 1").update();
        assertThat(allocate(1, 2, 1_000, 0, "h100")).isFalse();
    }

    @Test
    void aNodeThatShrinksIsInDebtAndOnlyGrowthIsRefused() {
        allocate(1, 1, 1_000, 64_000, "h100");
        sql.sql("UPDATE nodes SET cpu_milli = 1000 WHERE id = 1").update();
        assertThat(allocate(1, 2, 1_000, 0, "h100")).as("asks for no CPU").isTrue();
        assertThat(allocate(1, 3, 1_000, 1, "h100")).isFalse();
    }

    @Test
    void racersForTheLastOfAQuotaGetNoMoreThanThereIs() throws Exception {
        sql.sql("INSERT INTO queue_shares (queue_id, flavor, nominal_milli) VALUES (1, 'h100', 5000)")
                .update();
        AtomicInteger won = new AtomicInteger();
        inParallel(8, session -> {
            for (int i = 0; i < 8; i++) {
                long device = 1 + session * 8L + i;
                if (allocate(1 + session, device, 1_000, 1, "h100")) {
                    won.incrementAndGet();
                }
            }
        });
        assertThat(won.get()).isEqualTo(5);
        assertThat(number("SELECT used_milli FROM queue_shares")).isEqualTo(5_000);
    }

    @Test
    void whatIsReleasedFreesAllAndNeverComesBack() {
        allocate(1, 1, 1_000, 5, "h100");
        sql.sql("UPDATE allocations SET phase = 'GONE', released_at = now()").update();
        assertThat(number("SELECT sum(held_milli) FROM devices")).isZero();
        assertThat(number("SELECT sum(held_pods) + sum(held_cpu_milli) + sum(held_memory_mib) FROM nodes"))
                .isZero();
        assertThat(number("SELECT sum(used_milli) FROM queue_shares")).isZero();
        assertRefused("UPDATE allocations SET phase = 'RUNNING', released_at = NULL");
        assertRefused("UPDATE allocations SET released_at = now() + interval '1 hour'");
    }

    @Test
    void rowsOfTheLedgerAreNeitherMovedNorRemovedWhileHeld() {
        allocate(1, 1, 1_000, 5, "h100");
        assertRefused("UPDATE allocation_devices SET milli = 500");
        assertRefused("DELETE FROM allocations");
        assertRefused("DELETE FROM jobs");
        assertRefused("UPDATE allocations SET phase = 'GONE'");
    }

    @Test
    void aJobHasOneLiveAttempt() {
        allocate(1, 1, 1_000, 5, "h100");
        assertRefused("INSERT INTO attempts (job_id, number, members, gpu_milli) SELECT id, 2, 1, 1000 FROM jobs");
    }

    @Test
    void aStateChangeThatTheJobsLifeDoesNotKnowIsRefused() {
        allocate(1, 1, 1_000, 5, "h100");
        assertRefused("UPDATE jobs SET state = 'SUCCEEDED', ended_at = now()");
        sql.sql("UPDATE jobs SET state = 'STOPPING'").update();
        sql.sql("UPDATE jobs SET state = 'CANCELLED', ended_at = now()").update();
        assertRefused("UPDATE jobs SET state = 'RUNNING', ended_at = NULL");
    }

    private void assertRefused(String statement) {
        assertThatThrownBy(() -> sql.sql(statement).update()).isInstanceOf(DataAccessException.class);
    }

    /** What careless code would do: no look at what is free. */
    private boolean allocate(long node, long device, int milli, long cpuMilli, String flavor) {
        try {
            transaction.executeWithoutResult(status -> {
                String job = sql.sql("""
                                INSERT INTO jobs (id, queue_id, lane, priority, name, state, max_failures,
                                                  submitted_by, submitted_at, attempt)
                                VALUES (gen_random_uuid(), 1, 'red', 0, 'j', 'ALLOCATED', 0, 'x', now(), 1)
                                RETURNING id""").query(String.class).single();
                sql.sql("INSERT INTO attempts (job_id, number, members, gpu_milli) VALUES (:job::uuid, 1, 1, 1)")
                        .param("job", job)
                        .update();
                long allocation = sql.sql("""
                                INSERT INTO allocations (job_id, attempt, rank, pod_set, queue_id, node_id, flavor,
                                    gpu_milli, cpu_milli, memory_mib, device_ids, device_milli)
                                VALUES (:job::uuid, 1, 0, 'w', 1, :node, :flavor, :milli, :cpu, 1,
                                        ARRAY[:device]::bigint[], :milli)
                                RETURNING id""")
                        .param("job", job)
                        .param("node", node)
                        .param("flavor", flavor)
                        .param("milli", milli)
                        .param("cpu", cpuMilli)
                        .param("device", device)
                        .query(Long.class)
                        .single();
                sql.sql("INSERT INTO allocation_devices VALUES (:allocation, :device, :milli)")
                        .param("allocation", allocation)
                        .param("device", device)
                        .param("milli", milli)
                        .update();
            });
            return true;
        } catch (DataAccessException e) {
            return false;
        }
    }

    private int number(String query) {
        return sql.sql(query).query(Integer.class).single();
    }

    private static void inParallel(int sessions, Session work) throws ExecutionException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(sessions);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < sessions; i++) {
                int session = i;
                Callable<?> call = () -> {
                    work.run(session);
                    return null;
                };
                all.add(threads.submit(call));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** What one session does. */
    private interface Session {
        void run(int number);
    }
}
