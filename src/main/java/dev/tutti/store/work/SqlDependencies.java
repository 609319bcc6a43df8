package dev.tutti.store.work;

import dev.tutti.control.Actor;
import dev.tutti.control.Dependencies;
import dev.tutti.model.JobId;
import dev.tutti.store.Columns;
import dev.tutti.store.Json;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.ledger.Reasons;
import dev.tutti.store.stream.Journal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Dependencies in PostgreSQL: a partial index names what is due; jobs are locked before the rows about them. */
@Component
public final class SqlDependencies implements Dependencies {

    private static final int ROWS = 1_000;

    private static final String BROKEN = """
            SELECT DISTINCT child_id FROM job_parents WHERE outcome = 'BADLY' ORDER BY child_id LIMIT :rows""";

    private static final String DUE = """
            SELECT j.id FROM jobs j
            WHERE j.id IN (SELECT child_id FROM job_parents WHERE outcome = 'WELL' ORDER BY child_id LIMIT :rows)
            ORDER BY j.id FOR NO KEY UPDATE""";

    private static final String MET = """
            DELETE FROM job_parents WHERE child_id = ANY (:jobs::uuid[]) AND outcome = 'WELL'""";

    private static final String RELEASE = """
            UPDATE jobs j SET version = version + 1, waits_for_parents = false,
                parents_micros = queued_micros
                    + CASE state WHEN 'QUEUED' THEN micros(now()) - micros(queued_since) ELSE 0 END,
                reason_code = CASE state WHEN 'QUEUED' THEN 'NOT_YET_EVALUATED' ELSE reason_code END,
                reason = CASE state WHEN 'QUEUED' THEN :reason::jsonb ELSE reason END,
                reason_since = CASE state WHEN 'QUEUED' THEN now() ELSE reason_since END
            WHERE id = ANY (:jobs::uuid[]) AND waits_for_parents
              AND NOT EXISTS (SELECT 1 FROM job_parents p WHERE p.child_id = j.id)
            RETURNING id, version, reason_code""";

    private final SqlTransactions transactions;

    public SqlDependencies(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public List<JobId> broken() {
        return transactions.read(
                "broken dependencies",
                sql -> sql.sql(BROKEN)
                        .param("rows", ROWS)
                        .query((row, n) -> new JobId(row.getObject(1, UUID.class)))
                        .list());
    }

    @Override
    public int release(Actor.Leader leader) {
        boolean any = transactions.read(
                "met dependencies",
                sql -> sql.sql("SELECT EXISTS (SELECT 1 FROM job_parents WHERE outcome = 'WELL')")
                        .query(Boolean.class)
                        .single());
        return any ? transactions.write("met dependencies", leader, SqlDependencies::release) : 0;
    }

    private static int release(JdbcClient sql) {
        List<UUID> due = sql.sql(DUE).param("rows", ROWS).query(UUID.class).list();
        String[] jobs = Columns.texts(due, id -> id);
        int met = sql.sql(MET).param("jobs", jobs).update();
        Journal journal = new Journal();
        sql.sql(RELEASE)
                .param("jobs", jobs)
                .param("reason", Json.write(Reasons.NOT_YET_EVALUATED))
                .query(row -> {
                    journal.event(
                            "job.reason",
                            row.getString("id"),
                            Map.of("code", row.getString("reason_code"), "version", row.getLong("version")));
                });
        journal.write(sql);
        return met;
    }
}
