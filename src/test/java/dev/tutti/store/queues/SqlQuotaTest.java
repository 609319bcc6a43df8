package dev.tutti.store.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.Actor;
import dev.tutti.control.QueueBook.Changed;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Quotas;
import dev.tutti.model.queue.Use;
import dev.tutti.store.SqlTransactions;
import dev.tutti.testkit.QuotaOracle;
import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgres;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The database keeps quotas by itself: the same growth is refused, and nothing else, as the rules told plainly say. */
class SqlQuotaTest {

    private static final Actor.Caller ANNA = new Actor.Caller("anna");
    private static final int HISTORIES = 12;
    private static final int STEPS = 60;

    private TestDatabase database;
    private JdbcClient sql;
    private TransactionTemplate transaction;
    private SqlQueueBook book;

    private final Map<String, Long> ids = new TreeMap<>();
    private final Map<String, Quota> quotas = new HashMap<>();
    private final Map<String, Use> use = new HashMap<>();
    private final List<Held> held = new ArrayList<>();

    private record Held(long allocation, String leaf, Lane lane, long milli) {}

    @BeforeEach
    void oneLargeNode() {
        database = TestPostgres.freshDatabase();
        sql = database.jdbcClient();
        transaction = new TransactionTemplate(new JdbcTransactionManager(database.dataSource()));
        book = new SqlQueueBook(new SqlTransactions(database.dataSource()));
        sql.sql("INSERT INTO clusters (name, kind) VALUES ('c', 'simulated')").update();
        sql.sql("INSERT INTO flavors VALUES ('h100', 'H100', 81920)").update();
        sql.sql("""
                INSERT INTO nodes (cluster_id, name, uid, boot_id, flavor, ready, schedulable, domains, labels,
                                   cpu_milli, memory_mib, pod_slots)
                VALUES (1, 'n', '', '', 'h100', true, true, '{}', '{}', 64000, 65536, 1000000)""").update();
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void growthIsRefusedExactlyWhereTheRulesSaySo() {
        int refused = 0;
        int over = 0;
        for (long seed = 1; seed <= HISTORIES; seed++) {
            Random random = new Random(seed);
            for (int step = 0; step < STEPS; step++) {
                int what = random.nextInt(20);
                if (what < 4 || ids.isEmpty()) {
                    create(random);
                } else if (what < 7) {
                    over += changeQuota(random);
                } else if (what < 8) {
                    remove(random);
                } else if (what < 11 && !held.isEmpty()) {
                    release(held.remove(random.nextInt(held.size())));
                } else {
                    refused += allocate(random, "seed " + seed + ", step " + step);
                }
                claimsAreAsFromTheStart("seed " + seed + ", step " + step);
            }
            held.forEach(this::release);
            held.clear();
            while (!ids.isEmpty()) {
                remove(random);
            }
            assertThat(number("SELECT count(*) FROM queue_claims")).isZero();
            assertThat(number("SELECT COALESCE(sum(gpu_milli), 0) FROM queue_use"))
                    .isZero();
        }
        assertThat(refused).as("refused allocations").isGreaterThan(40);
        assertThat(over).as("quotas that promised too much").isGreaterThan(5);
    }

    @Test
    @DisplayName("B10 A removed lender lends no more, and what was lent goes on running")
    void aRemovedLenderLendsNoMore() {
        long q1 = make("q1", Quota.of(4_000));
        make("q2", Quota.of(4_000));
        assertThat(hold("q2", Lane.YELLOW, 6_000)).as("it borrows").isPositive();

        assertThat(book.remove(q1, 0, ANNA)).isInstanceOf(Changed.Done.class);

        assertThat(number("SELECT claim FROM queue_claims WHERE queue_id = 0")).isEqualTo(6_000);
        assertThat(number("SELECT quota FROM queue_claims WHERE queue_id = 0")).isEqualTo(4_000);
        assertThat(hold("q2", Lane.YELLOW, 1_000)).as("over the pool").isNegative();
    }

    @Test
    void quotasOfCpuAndMemoryAreKeptLikeThoseOfGpus() {
        make("q", Quota.of(100_000));
        Quotas cpuAndMemory = new Quotas(Map.of(
                new QuotaKey("h100", QuotaResource.CPU_MILLI), new Quota(1_000, 0L, null),
                new QuotaKey("h100", QuotaResource.MEMORY_MIB), new Quota(10, 0L, null)));
        assertThat(book.change(ids.get("q"), 0, cpuAndMemory, null, ANNA)).isInstanceOf(Changed.Done.class);
        assertThat(hold("q", Lane.YELLOW, 5, 1_001, 0)).as("CPU").isNegative();
        assertThat(hold("q", Lane.YELLOW, 5, 0, 11)).as("memory").isNegative();
        assertThat(hold("q", Lane.YELLOW, 5, 600, 6)).isPositive();
        assertThat(hold("q", Lane.YELLOW, 5, 600, 1)).as("CPU").isNegative();
        assertThat(hold("q", Lane.RED, 5, 600, 1)).as("red stands outside").isPositive();
        assertThat(hold("q", Lane.GREEN, 5, 400, 4)).isPositive();
    }

    private void create(Random random) {
        List<String> above = new ArrayList<>(ids.keySet());
        above.removeIf(path -> held.stream().anyMatch(one -> one.leaf().equals(path)) || path.split("/").length > 4);
        String path = (above.isEmpty() || random.nextInt(3) == 0 ? "" : above.get(random.nextInt(above.size())) + "/")
                + "q" + random.nextInt(1_000);
        Quota quota = random.nextInt(3) == 0 ? null : anyQuota(random);
        Changed changed = book.create(path, quotas(quota), QueueRules.PLAIN, ANNA);
        if (changed instanceof Changed.Done done) {
            ids.put(path, done.id());
            put(path, quota);
        }
    }

    private int changeQuota(Random random) {
        String path = any(random);
        Quota quota = random.nextInt(4) == 0 ? null : anyQuota(random);
        Changed changed = book.change(ids.get(path), version(path), quotas(quota), null, ANNA);
        if (changed instanceof Changed.Done) {
            put(path, quota);
            return 0;
        }
        assertThat(changed)
                .isInstanceOfSatisfying(
                        Changed.Refused.class,
                        refused -> assertThat(refused.field()).isEqualTo("nominalMilli.h100"));
        return 1;
    }

    private void remove(Random random) {
        String path = any(random);
        boolean isFree = held.stream().noneMatch(one -> one.leaf().equals(path))
                && ids.keySet().stream().noneMatch(other -> other.startsWith(path + "/"));
        Changed changed = book.remove(ids.get(path), version(path), ANNA);
        if (changed instanceof Changed.Done) {
            assertThat(isFree).isTrue();
            ids.remove(path);
            quotas.remove(path);
            use.remove(path);
        }
    }

    private int allocate(Random random, String when) {
        List<String> leaves = ids.keySet().stream()
                .filter(path -> ids.keySet().stream().noneMatch(other -> other.startsWith(path + "/")))
                .toList();
        String leaf = leaves.get(random.nextInt(leaves.size()));
        Lane lane = Lane.values()[random.nextInt(3)];
        long milli = random.nextInt(8);
        QuotaOracle before = oracle();
        Map<String, Use> after = new HashMap<>(use);
        after.merge(leaf, Use.NONE.plus(lane, milli), (now, more) -> now.plus(lane, milli));
        List<String> broken = new QuotaOracle(List.copyOf(ids.keySet()), Map.copyOf(quotas), after).brokenSince(before);
        long allocation = hold(leaf, lane, milli);
        assertThat(allocation < 0)
                .as(when + ": " + leaf + " " + lane + " " + milli + " " + broken + " " + before)
                .isEqualTo(!broken.isEmpty());
        if (allocation > 0) {
            use.putAll(after);
            held.add(new Held(allocation, leaf, lane, milli));
        }
        return broken.isEmpty() ? 0 : 1;
    }

    private void release(Held one) {
        sql.sql("UPDATE allocations SET phase = 'GONE', released_at = now() WHERE id = :id")
                .param("id", one.allocation())
                .update();
        sql.sql("UPDATE attempts SET ended_at = now() WHERE job_id = (SELECT job_id FROM allocations WHERE id = :id)")
                .param("id", one.allocation())
                .update();
        sql.sql("UPDATE jobs SET state = 'STOPPING' WHERE id = (SELECT job_id FROM allocations WHERE id = :id)")
                .param("id", one.allocation())
                .update();
        sql.sql("UPDATE jobs SET state = 'CANCELLED', ended_at = now()"
                        + " WHERE id = (SELECT job_id FROM allocations WHERE id = :id)")
                .param("id", one.allocation())
                .update();
        use.computeIfPresent(one.leaf(), (path, now) -> now.plus(one.lane(), -one.milli()));
    }

    private void claimsAreAsFromTheStart(String when) {
        List<Map<String, Object>> counted = claims();
        sql.sql("SELECT settle_claims('{h100}')::text").query((row, n) -> n).single();
        assertThat(claims()).as(when).isEqualTo(counted);
    }

    private List<Map<String, Object>> claims() {
        return sql.sql("SELECT * FROM queue_claims ORDER BY queue_id").query().listOfRows();
    }

    private QuotaOracle oracle() {
        return new QuotaOracle(List.copyOf(ids.keySet()), Map.copyOf(quotas), Map.copyOf(use));
    }

    private long make(String path, Quota quota) {
        long id = ((Changed.Done) book.create(path, quotas(quota), QueueRules.PLAIN, ANNA)).id();
        ids.put(path, id);
        return id;
    }

    /** The allocation's id; -1 when the database refuses it. */
    private long hold(String leaf, Lane lane, long milli) {
        return hold(leaf, lane, milli, 0, 0);
    }

    private long hold(String leaf, Lane lane, long milli, long cpuMilli, long memoryMib) {
        try {
            Long id = transaction.execute(status -> {
                String job = sql.sql("""
                                INSERT INTO jobs (id, queue_id, lane, priority, name, state, max_failures,
                                                  submitted_by, submitted_at, attempt)
                                VALUES (gen_random_uuid(), :queue, :lane, 0, 'j', 'ALLOCATED', 0, 'x', now(), 1)
                                RETURNING id""")
                        .param("queue", ids.get(leaf))
                        .param("lane", lane.word())
                        .query(String.class)
                        .single();
                sql.sql("INSERT INTO attempts (job_id, number, members, gpu_milli) VALUES (:job::uuid, 1, 1, 1)")
                        .param("job", job)
                        .update();
                return sql.sql("""
                                INSERT INTO allocations (job_id, attempt, rank, pod_set, queue_id, lane, node_id, flavor,
                                    gpu_milli, cpu_milli, memory_mib, device_milli)
                                VALUES (:job::uuid, 1, 0, 'w', :queue, :lane, 1, 'h100', :milli, :cpu, :memory, 0)
                                RETURNING id""")
                        .param("job", job)
                        .param("queue", ids.get(leaf))
                        .param("lane", lane.word())
                        .param("milli", milli)
                        .param("cpu", cpuMilli)
                        .param("memory", memoryMib)
                        .query(Long.class)
                        .single();
            });
            return id;
        } catch (DataAccessException refused) {
            assertThat(refused).hasMessageContaining("over its quota");
            return -1;
        }
    }

    private void put(String path, Quota quota) {
        if (quota == null) {
            quotas.remove(path);
        } else {
            quotas.put(path, quota);
        }
    }

    private static Quotas quotas(Quota quota) {
        return quota == null ? Quotas.NONE : new Quotas(Map.of(QuotaKey.gpus("h100"), quota));
    }

    private static Quota anyQuota(Random random) {
        return new Quota(random.nextInt(16), limit(random), limit(random));
    }

    private static Long limit(Random random) {
        return random.nextBoolean() ? null : (Long) (long) random.nextInt(8);
    }

    private String any(Random random) {
        List<String> paths = List.copyOf(ids.keySet());
        return paths.get(random.nextInt(paths.size()));
    }

    private long version(String path) {
        return number("SELECT version FROM queues WHERE id = " + ids.get(path));
    }

    private long number(String query) {
        return sql.sql(query).query(Long.class).single();
    }
}
