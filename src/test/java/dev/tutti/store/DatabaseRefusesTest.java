package dev.tutti.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgres;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Whatever the code believes: the database agrees to no double allocation (house rule R2). No code of the store here. */
class DatabaseRefusesTest {

    private static final String QUEUED =
            "UPDATE jobs SET state = 'QUEUED', queued_since = now(), reason_code = 'NOT_YET_EVALUATED'";
    private static final String SECOND =
            "INSERT INTO attempts (job_id, number, members, gpu_milli) SELECT id, 2, 1, 1000 FROM jobs";

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
                                   cpu_milli, memory_mib, pod_slots)
                SELECT 1, 'n' || i, '', '', 'h100', true, true, '{}', '{}', 64000, 65536, 100
                FROM generate_series(1, :nodes) i""").param("nodes", NODES).update();
        sql.sql("""
                INSERT INTO devices (node_id, index, island, healthy)
                SELECT n.id, i, 0, true FROM nodes n, generate_series(0, 7) i ORDER BY n.id, i""").update();
        sql.sql(
                        "INSERT INTO nic_groups (node_id, resource, place, count) SELECT id, 'rdma/hca', '', 2 FROM nodes ORDER BY id")
                .update();
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
        assertThat(number("SELECT sum(gpu_milli) FROM queue_use")).isEqualTo(held * 1_000);
    }

    @Test
    void sharesOfADeviceFillItAndNoMore() {
        assertThat(allocate(1, 1, 600, 1, "h100")).isTrue();
        assertThat(allocate(1, 1, 401, 1, "h100")).isFalse();
        assertThat(allocate(1, 1, 400, 1, "h100")).isTrue();
    }

    @Test
    void noUnitOfADeviceIsGivenTwice() {
        assertThat(cut(1, 1, 4, 4)).isTrue();
        assertThat(cut(1, 1, 3, 2)).isFalse();
        assertThat(cut(1, 1, 4, 4)).isFalse();
        assertThat(cut(1, 1, 7, 1)).isFalse();
        assertThat(cut(1, 1, 0, 4)).isTrue();
        assertThat(cut(1, 2, 0, 4)).as("the same units of another device").isTrue();
        assertThat(number("SELECT held_units FROM devices WHERE id = 1")).isEqualTo(255);
        sql.sql("UPDATE allocations SET phase = 'GONE', released_at = now()").update();
        assertThat(number("SELECT sum(held_units + held_milli + held_mig_milli) FROM devices"))
                .isZero();
        assertThat(cut(1, 1, 3, 2)).isTrue();
    }

    @Test
    void anInstanceIsWithinItsDeviceAndCountsAsItsUnits() {
        assertThat(cut(1, 1, 6, 4)).as("over the end, into the next device").isFalse();
        assertThat(cut(1, 1, -1, 2)).isFalse();
        assertThat(cut(1, 1, 0, 0)).isFalse();
        assertThat(allocate(1, 1, 200, 1, "h100", 0, 2)).as("two units are 250").isFalse();
        assertRefused(
                "INSERT INTO allocation_devices (allocation_id, device_id, milli, mig_start) VALUES (1, 1, 125, 0)");
    }

    @Test
    void aDeviceServesInstancesOrAllElse() {
        cut(1, 1, 0, 2);
        assertThat(allocate(1, 1, 100, 1, "h100")).isFalse();
        allocate(1, 2, 100, 1, "h100");
        assertThat(cut(1, 2, 4, 2)).isFalse();
        allocate(1, 3, 1_000, 1, "h100");
        assertThat(cut(1, 3, 0, 1)).isFalse();
    }

    @Test
    void racersForTheUnitsOfOneNodeGetNoneTwice() throws Exception {
        AtomicInteger won = new AtomicInteger();
        AtomicInteger shares = new AtomicInteger();
        inParallel(4, session -> {
            Random random = new Random(session);
            for (int i = 0; i < 60; i++) {
                int units = 1 << random.nextInt(3);
                int device = 1 + random.nextInt(4);
                if (random.nextInt(6) == 0) {
                    shares.addAndGet(allocate(1, device, 300, 1, "h100") ? 1 : 0);
                } else {
                    won.addAndGet(cut(1, device, random.nextInt(8 / units) * units, units) ? 1 : 0);
                }
            }
        });

        assertThat(won.get()).isBetween(4, 32);
        assertThat(number("SELECT count(*) FROM allocation_devices WHERE mig_start IS NOT NULL"))
                .isEqualTo(won.get());
        assertThat(number("SELECT count(*) FROM allocation_devices WHERE mig_start IS NULL"))
                .isEqualTo(shares.get());
        assertThat(number("""
                        SELECT count(*) FROM allocation_devices a JOIN allocation_devices b
                        ON a.device_id = b.device_id AND a.allocation_id < b.allocation_id
                        WHERE (a.mig_start IS NULL) <> (b.mig_start IS NULL)
                           OR (a.mig_start < b.mig_start + b.mig_units AND b.mig_start < a.mig_start + a.mig_units)""")).isZero();
        assertThat(number("""
                        SELECT count(*) FROM devices d WHERE held_units <> (
                            SELECT COALESCE(sum(((1 << mig_units) - 1) << mig_start), 0)
                            FROM allocation_devices WHERE device_id = d.id)""")).isZero();
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
        sql.sql("INSERT INTO queue_quotas (queue_id, flavor, resource, nominal) VALUES (1, 'h100', 'gpuMilli', 5000)")
                .update();
        sql.sql("SELECT settle_claims('{h100}')::text").query((row, n) -> n).single();
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
        assertThat(number("SELECT sum(gpu_milli) FROM queue_use")).isEqualTo(5_000);
    }

    @Test
    void noNicIsGivenTwice() {
        for (int device = 1; device <= 4; device++) {
            assertThat(allocate(1, device, 1_000, 1, "h100")).isTrue();
        }
        assertThat(hold(1, 1, 1)).isTrue();
        assertThat(hold(2, 1, 2)).as("two where one is left").isFalse();
        assertThat(hold(2, 1, 1)).isTrue();
        assertThat(hold(3, 1, 1)).as("none is left").isFalse();
        assertThat(hold(3, 2, 2)).as("another group").isTrue();
        assertThat(hold(4, 3, 0)).as("none at all").isFalse();
        assertThat(number("SELECT sum(held) FROM nic_groups")).isEqualTo(4);
        assertRefused("UPDATE allocation_nics SET count = 1 WHERE allocation_id = 3");
    }

    @Test
    void aGroupOfNicsThatShrinksIsInDebtAndPaysBackAsMembersEnd() {
        allocate(1, 1, 1_000, 1, "h100");
        allocate(1, 2, 1_000, 1, "h100");
        hold(1, 1, 2);
        sql.sql("UPDATE nic_groups SET count = 1 WHERE id = 1").update();
        assertThat(hold(2, 1, 1)).isFalse();
        assertThat(number("SELECT held FROM nic_groups WHERE id = 1")).isEqualTo(2);
        sql.sql("UPDATE allocations SET phase = 'GONE', released_at = now() WHERE id = 1")
                .update();
        assertThat(number("SELECT held FROM nic_groups WHERE id = 1")).isZero();
        assertThat(hold(2, 1, 1)).isTrue();
    }

    @Test
    void racersForTheNicsOfOneNodeGetNoneTwice() throws Exception {
        int jobs = 32;
        for (int i = 0; i < jobs; i++) {
            assertThat(allocate(1 + i / 8, 1 + i, 1_000, 1, "h100")).isTrue();
        }
        AtomicInteger won = new AtomicInteger();
        inParallel(4, session -> {
            for (int i = 0; i < jobs / 4; i++) {
                if (hold(1 + session * (jobs / 4L) + i, 1 + i % 2, 1)) {
                    won.incrementAndGet();
                }
            }
        });
        assertThat(won.get()).isEqualTo(4);
        assertThat(number("SELECT sum(held) FROM nic_groups")).isEqualTo(4);
    }

    @Test
    void whatIsReleasedFreesAllAndNeverComesBack() {
        allocate(1, 1, 1_000, 5, "h100");
        sql.sql("UPDATE allocations SET phase = 'GONE', released_at = now()").update();
        assertThat(number("SELECT sum(held_milli) FROM devices")).isZero();
        assertThat(number("SELECT sum(held_pods) + sum(held_cpu_milli) + sum(held_memory_mib) FROM nodes"))
                .isZero();
        assertThat(number("SELECT sum(gpu_milli) FROM queue_use")).isZero();
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
        end();
        sql.sql("UPDATE jobs SET state = 'CANCELLED', ended_at = now()").update();
        assertRefused("UPDATE jobs SET state = 'RUNNING', ended_at = NULL");
    }

    @Test
    @DisplayName(
            "B08 a job that waits or is over and holds something is refused, whichever of the two is written first")
    void whoWaitsOrIsOverHoldsNothing() {
        allocate(1, 1, 1_000, 5, "h100");
        sql.sql("UPDATE jobs SET state = 'STOPPING'").update();
        assertHolds(QUEUED);
        assertHolds("UPDATE jobs SET state = 'SUSPENDED', suspend = true, reason_code = 'SUSPENDED'");
        assertHolds("UPDATE jobs SET state = 'CANCELLED', ended_at = now()");
        sql.sql("UPDATE allocations SET phase = 'GONE', released_at = now()").update();
        assertHolds(QUEUED);
        transaction.executeWithoutResult(status -> {
            sql.sql(QUEUED).update();
            sql.sql("UPDATE attempts SET ended_at = now()").update();
        });
        assertThatThrownBy(() -> sql.sql(SECOND).update()).hasMessageContaining("has an attempt and is not live");
        transaction.executeWithoutResult(status -> {
            sql.sql(SECOND).update();
            sql.sql("UPDATE jobs SET state = 'ALLOCATED', attempt = 2, reason_code = NULL, queued_since = NULL")
                    .update();
        });
        assertThat(number("SELECT count(*) FROM jobs WHERE state = 'ALLOCATED'"))
                .isEqualTo(1);
    }

    private void assertHolds(String statement) {
        assertThatThrownBy(() -> sql.sql(statement).update()).hasMessageContaining("holds something");
    }

    /** The attempt of every job is over, and nothing of it is held. */
    private void end() {
        sql.sql("UPDATE allocations SET phase = 'GONE', released_at = now()").update();
        sql.sql("UPDATE attempts SET ended_at = now()").update();
    }

    private void assertRefused(String statement) {
        assertThatThrownBy(() -> sql.sql(statement).update()).isInstanceOf(DataAccessException.class);
    }

    /** What careless code would do: no look at what is free. */
    private boolean allocate(long node, long device, int milli, long cpuMilli, String flavor) {
        return allocate(node, device, milli, cpuMilli, flavor, null, null);
    }

    /** A MIG instance. */
    private boolean cut(long node, long device, int start, int units) {
        return allocate(node, device, 125 * units, 1, "h100", start, units);
    }

    private boolean allocate(
            long node,
            long device,
            int milli,
            long cpuMilli,
            String flavor,
            @Nullable Integer start,
            @Nullable Integer units) {
        try {
            transaction.executeWithoutResult(status -> {
                String job = sql.sql("""
                                INSERT INTO jobs (id, queue_id, lane, priority, name, state, max_failures,
                                                  submitted_by, submitted_at, attempt)
                                VALUES (gen_random_uuid(), 1, 'yellow', 0, 'j', 'ALLOCATED', 0, 'x', now(), 1)
                                RETURNING id""").query(String.class).single();
                sql.sql("INSERT INTO attempts (job_id, number, members, gpu_milli) VALUES (:job::uuid, 1, 1, 1)")
                        .param("job", job)
                        .update();
                long allocation = sql.sql("""
                                INSERT INTO allocations (job_id, attempt, rank, pod_set, queue_id, lane, node_id, flavor,
                                    gpu_milli, cpu_milli, memory_mib, device_ids, device_milli)
                                VALUES (:job::uuid, 1, 0, 'w', 1, 'yellow', :node, :flavor, :milli, :cpu, 1,
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
                sql.sql("INSERT INTO allocation_devices (allocation_id, device_id, milli, mig_start, mig_units)"
                                + " VALUES (:allocation, :device, :milli, :start, :units)")
                        .param("start", start, Types.INTEGER)
                        .param("units", units, Types.INTEGER)
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

    /** The member holds NICs of the group, and says so in its own row as the ledger does. */
    private boolean hold(long allocation, long group, int nics) {
        try {
            transaction.executeWithoutResult(status -> {
                sql.sql(
                                "UPDATE allocations SET nic_group_ids = array_fill(:group::bigint, ARRAY[:nics]) WHERE id = :id")
                        .param("group", group)
                        .param("nics", nics)
                        .param("id", allocation)
                        .update();
                sql.sql("INSERT INTO allocation_nics (allocation_id, nic_group_id, count) VALUES (:id, :group, :nics)")
                        .param("group", group)
                        .param("nics", nics)
                        .param("id", allocation)
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
