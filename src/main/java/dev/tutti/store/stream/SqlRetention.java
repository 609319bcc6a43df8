package dev.tutti.store.stream;

import dev.tutti.control.Actor;
import dev.tutti.control.Retention;
import dev.tutti.store.SqlTransactions;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Retention in PostgreSQL: each step is one short transaction of the leader, on the indexes by age. */
@Component
public final class SqlRetention implements Retention {

    private static final String KEYS = """
            DELETE FROM idempotency_keys WHERE (caller, key) IN (
                SELECT caller, key FROM idempotency_keys WHERE created_at <= now() - interval '24 hours'
                ORDER BY created_at LIMIT :rows)""";

    private static final String PLANS = """
            DELETE FROM plans WHERE id IN (
                SELECT id FROM plans WHERE committed_at <= now() - interval '24 hours'
                ORDER BY committed_at LIMIT :rows)""";

    /** From the oldest on in stream order, so that what is left has no gap; the last one removed is remembered. */
    private static final String EVENTS = """
            WITH oldest AS MATERIALIZED (
                SELECT xid, id, at FROM events ORDER BY xid, id LIMIT :rows
            ), last AS MATERIALIZED (
                SELECT xid, id FROM oldest WHERE at <= now() - interval '7 days' ORDER BY xid DESC, id DESC LIMIT 1
            ), noted AS (
                UPDATE events_removed r SET xid = last.xid, id = last.id FROM last
            )
            DELETE FROM events e USING last WHERE (e.xid, e.id) <= (last.xid, last.id)""";

    /** Locked by id, as jobs are everywhere; what somebody else holds is left for the next step. */
    private static final String JOBS = """
            WITH old AS MATERIALIZED (
                SELECT j.id, j.ended_at, 1 + COALESCE((SELECT sum(a.members) FROM attempts a WHERE a.job_id = j.id), 0)
                    AS size
                FROM jobs j
                WHERE j.ended_at <= now() - :age * interval '1 second'
                  AND NOT EXISTS (SELECT 1 FROM job_parents p WHERE p.parent_id = j.id)
                ORDER BY j.ended_at, j.id LIMIT :rows
            ), counted AS MATERIALIZED (
                SELECT id, row_number() OVER w AS place, sum(size) OVER w AS size FROM old
                WINDOW w AS (ORDER BY ended_at, id)
            ), taken AS MATERIALIZED (
                SELECT j.id FROM jobs j JOIN counted c ON c.id = j.id WHERE c.place = 1 OR c.size <= :rows
                ORDER BY j.id FOR UPDATE OF j SKIP LOCKED
            )
            DELETE FROM jobs j USING taken WHERE j.id = taken.id""";

    private final SqlTransactions transactions;

    public SqlRetention(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public int prune(int rows, Actor.Leader leader) {
        return prune(KEYS, rows, leader) + prune(PLANS, rows, leader) + prune(EVENTS, rows, leader);
    }

    @Override
    public int pruneJobs(Duration age, int rows, Actor.Leader leader) {
        return transactions.write(
                "retention",
                leader,
                sql -> sql.sql(JOBS)
                        .param("age", age.toSeconds())
                        .param("rows", rows)
                        .update());
    }

    private int prune(String statement, int rows, Actor.Leader leader) {
        return transactions.write("retention", leader, sql -> prune(sql, statement, rows));
    }

    private static int prune(JdbcClient sql, String statement, int rows) {
        return sql.sql(statement).param("rows", rows).update();
    }
}
