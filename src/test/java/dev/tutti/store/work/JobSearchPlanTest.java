package dev.tutti.store.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.read.JobFilter;
import dev.tutti.control.read.PageRequest;
import dev.tutti.control.view.VictimRules;
import dev.tutti.model.job.Lane;
import dev.tutti.model.life.JobState;
import dev.tutti.store.Pages;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.stream.SqlChangeFeed;
import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgres;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** No list of jobs reads the whole table, and neither does the head query. 50,000 ended jobs, 400 that wait. */
class JobSearchPlanTest {

    private static TestDatabase database;
    private static JdbcClient sql;

    @BeforeAll
    static void fiftyThousandJobs() {
        database = TestPostgres.freshDatabase();
        sql = database.jdbcClient();
        for (int part = 0; part < 5; part++) {
            sql.sql("""
                    WITH job AS (
                        INSERT INTO jobs (id, queue_id, lane, priority, name, state, reason_code, max_failures,
                                          submitted_by, submitted_at, ended_at, queued_since)
                        SELECT gen_random_uuid(), 1, 'red', 0, 'j', CASE WHEN i <= 80 THEN 'QUEUED' ELSE 'SUCCEEDED' END,
                               CASE WHEN i <= 80 THEN 'TOPOLOGY' END, 0, 'x',
                               now() - (i + :part * 10000) * interval '1 second', CASE WHEN i > 80 THEN now() END,
                               CASE WHEN i <= 80 THEN now() END
                        FROM generate_series(1, 10000) i RETURNING id
                    )
                    INSERT INTO job_specs (job_id, spec)
                    SELECT id, jsonb_build_object('labels', jsonb_build_object('n', (row_number() OVER ())::text))
                    FROM job""").param("part", part).update();
        }
        addAttempts();
        sql.sql("ANALYZE").update();
    }

    /** One of each ended job, with a member. */
    private static void addAttempts() {
        sql.sql("""
                WITH cluster AS (
                    INSERT INTO clusters (name, kind) VALUES ('c', 'simulated') RETURNING id
                ), flavor AS (
                    INSERT INTO flavors (name, gpu_model, memory_mib) VALUES ('h100', 'H100', 1) RETURNING name
                )
                INSERT INTO nodes (cluster_id, name, uid, boot_id, flavor, ready, schedulable, domains, labels, cpu_milli,
                                   memory_mib, pod_slots)
                SELECT c.id, 'n', 'u', 'b', f.name, true, true, '{}', '{}', 0, 0, 100000 FROM cluster c, flavor f""").update();
        sql.sql("""
                INSERT INTO attempts (job_id, number, ended_at, cause, members, gpu_milli)
                SELECT id, 1, now(), 'COMPLETED', 1, 0 FROM jobs WHERE state = 'SUCCEEDED'""").update();
        sql.sql("""
                INSERT INTO allocations (job_id, attempt, rank, pod_set, queue_id, lane, node_id, flavor, gpu_milli,
                                         cpu_milli, memory_mib, device_milli, phase, released_at)
                SELECT t.job_id, 1, 0, 'p', 1, 'red', n.id, n.flavor, 0, 0, 0, 0, 'SUCCEEDED', now()
                FROM attempts t, nodes n""").update();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    static Stream<JobFilter> filters() {
        Set<JobState> none = Set.of();
        return Stream.of(
                new JobFilter(null, none, null, Map.of(), null, false),
                new JobFilter(null, none, null, Map.of(), null, true),
                new JobFilter("default", none, null, Map.of(), null, true),
                new JobFilter("default", Set.of(JobState.QUEUED), Lane.RED, Map.of(), null, false),
                new JobFilter(null, Set.of(JobState.QUEUED), null, Map.of(), null, false),
                new JobFilter(null, Set.of(JobState.RUNNING), null, Map.of(), null, false),
                new JobFilter(null, Set.of(JobState.RUNNING, JobState.STOPPING), null, Map.of(), null, false),
                new JobFilter(null, none, null, Map.of("n", "17"), null, false),
                new JobFilter(null, none, null, Map.of(), Instant.parse("2020-01-01T00:00:00Z"), true));
    }

    @ParameterizedTest
    @MethodSource("filters")
    void everyListIsReadByAnIndex(JobFilter filter) {
        JobSearch search = new JobSearch(filter, new PageRequest(50, null));
        search.addQueue(sql);
        assertThat(plan(search)).doesNotContain("Seq Scan on jobs").contains("Index");
    }

    @Test
    void theSecondPageBeginsAtItsCursor() {
        JobFilter filter = new JobFilter("default", Set.of(), null, Map.of(), null, true);
        JobSearch first = new JobSearch(filter, new PageRequest(50, null));
        String cursor = sql.sql("SELECT submitted_at, id FROM jobs ORDER BY submitted_at LIMIT 1 OFFSET 25000")
                .query((row, n) -> first.cursor(Pages.instant(row, "submitted_at"), row.getObject("id", UUID.class)))
                .single();
        JobSearch second = new JobSearch(filter, new PageRequest(50, cursor));
        second.addQueue(sql);
        assertThat(plan(second)).doesNotContain("Seq Scan on jobs").containsPattern("Index Cond: .*submitted_at");
    }

    @Test
    void theHeadQueryCostsMillisecondsWhenNothingChanged() {
        SqlChangeFeed feed = new SqlChangeFeed(new SqlTransactions(database.dataSource()), VictimRules.NONE);
        String cursor = sql.sql("SELECT pg_snapshot_xmax(pg_current_snapshot())::text || '@' || now_micros()")
                .query(String.class)
                .single();
        for (int i = 0; i < 10; i++) {
            feed.since(cursor);
        }
        String plan = explain(feed.statement(), SqlChangeFeed.parameters(cursor));
        assertThat(plan)
                .doesNotContain("Seq Scan on jobs")
                .doesNotContain("Seq Scan on allocations")
                .contains("jobs_changed");
    }

    private static String plan(JobSearch search) {
        return explain(search.statement(), search.parameters());
    }

    private static String explain(String statement, Map<String, Object> parameters) {
        List<String> lines = sql.sql("EXPLAIN " + statement)
                .params(parameters)
                .query(String.class)
                .list();
        return String.join("\n", lines);
    }
}
