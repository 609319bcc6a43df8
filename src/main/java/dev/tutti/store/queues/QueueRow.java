package dev.tutti.store.queues;

import dev.tutti.model.queue.QueueLimits;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.store.Json;
import dev.tutti.store.stream.QuotaRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** A queue's row, locked until the transaction ends: no job enters it and no queue is made below it meanwhile. */
record QueueRow(long id, String path, QueueRules rules, long version) {

    /** Columns of {@link #rules}. */
    static final String RULES = "held, draining, strict, fair_share_weight, max_waiting_jobs, user_max_waiting_jobs,"
            + " max_running_jobs, user_max_running_jobs, user_max_gpu_milli, max_whole_nodes::text AS max_whole_nodes";

    private static final String LOCK =
            "SELECT id, path, " + RULES + ", version FROM queues WHERE removed_at IS NULL AND ";

    private static final String OPEN_JOBS = """
            SELECT EXISTS (SELECT 1 FROM jobs WHERE queue_id = :id
                           AND state IN ('QUEUED', 'SUSPENDED', 'ALLOCATED', 'RUNNING', 'STOPPING'))""";

    private static final String INSERT = """
            INSERT INTO queues (parent_id, path, held, draining, strict, fair_share_weight, max_waiting_jobs,
                                user_max_waiting_jobs, max_running_jobs, user_max_running_jobs, user_max_gpu_milli,
                                max_whole_nodes)
            VALUES (:parent, :path, :held, :draining, :strict, :weight, :waiting, :userWaiting, :running, :userRunning,
                    :userGpus, CAST(:wholeNodes AS jsonb))
            ON CONFLICT (path) WHERE removed_at IS NULL DO NOTHING RETURNING id""";

    private static final String UPDATE = """
            UPDATE queues SET held = :held, draining = :draining, strict = :strict, fair_share_weight = :weight,
                max_waiting_jobs = :waiting, user_max_waiting_jobs = :userWaiting, max_running_jobs = :running,
                user_max_running_jobs = :userRunning, user_max_gpu_milli = :userGpus,
                max_whole_nodes = CAST(:wholeNodes AS jsonb), version = version + 1
            WHERE id = :id""";

    static Optional<QueueRow> lock(JdbcClient sql, String path) {
        return sql.sql(LOCK + "path = :path FOR UPDATE")
                .param("path", path)
                .query(QueueRow::read)
                .optional();
    }

    static Optional<QueueRow> lock(JdbcClient sql, long id) {
        return sql.sql(LOCK + "id = :id FOR UPDATE")
                .param("id", id)
                .query(QueueRow::read)
                .optional();
    }

    /** The new queue's id; empty when there is one of this path. */
    static Optional<Long> insert(JdbcClient sql, String path, @Nullable Long parent, QueueRules rules) {
        return with(rules, sql.sql(INSERT))
                .param("parent", parent)
                .param("path", path)
                .query(Long.class)
                .optional();
    }

    boolean hasOpenJobs(JdbcClient sql) {
        return sql.sql(OPEN_JOBS).param("id", id).query(Boolean.class).single();
    }

    boolean isDivided(JdbcClient sql) {
        return sql.sql("SELECT EXISTS (SELECT 1 FROM queues WHERE parent_id = :id AND removed_at IS NULL)")
                .param("id", id)
                .query(Boolean.class)
                .single();
    }

    void update(JdbcClient sql, QueueRules now) {
        with(now, sql.sql(UPDATE)).param("id", id).update();
    }

    private static StatementSpec with(QueueRules rules, StatementSpec statement) {
        return statement
                .param("held", rules.held())
                .param("draining", rules.draining())
                .param("strict", rules.strict())
                .param("weight", rules.fairShareWeight())
                .param("waiting", rules.limits().maxWaitingJobs(), Types.INTEGER)
                .param("userWaiting", rules.limits().userMaxWaitingJobs(), Types.INTEGER)
                .param("running", rules.limits().maxRunningJobs(), Types.INTEGER)
                .param("userRunning", rules.limits().userMaxRunningJobs(), Types.INTEGER)
                .param("userGpus", rules.limits().userMaxGpuMilli(), Types.BIGINT)
                .param("wholeNodes", Json.write(rules.limits().maxWholeNodes()));
    }

    void remove(JdbcClient sql) {
        sql.sql("UPDATE queues SET removed_at = now(), version = version + 1 WHERE id = :id")
                .param("id", id)
                .update();
    }

    static QueueRules rules(ResultSet row) throws SQLException {
        return new QueueRules(
                row.getBoolean("held"),
                row.getBoolean("draining"),
                row.getBoolean("strict"),
                row.getInt("fair_share_weight"),
                new QueueLimits(
                        row.getObject("max_waiting_jobs", Integer.class),
                        row.getObject("user_max_waiting_jobs", Integer.class),
                        row.getObject("max_running_jobs", Integer.class),
                        row.getObject("user_max_running_jobs", Integer.class),
                        row.getObject("user_max_gpu_milli", Long.class),
                        QuotaRows.wholeNodes(row.getString("max_whole_nodes"))));
    }

    private static QueueRow read(ResultSet row, int number) throws SQLException {
        return new QueueRow(row.getLong("id"), row.getString("path"), rules(row), row.getLong("version"));
    }
}
