package dev.tutti.store.queues;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A queue's row, locked until the transaction ends: no job enters it and no queue is made below it meanwhile. */
record QueueRow(long id, String path, boolean held, long version) {

    private static final String LOCK = "SELECT id, path, held, version FROM queues WHERE removed_at IS NULL AND ";

    private static final String OPEN_JOBS = """
            SELECT EXISTS (SELECT 1 FROM jobs WHERE queue_id = :id
                           AND state IN ('QUEUED', 'SUSPENDED', 'ALLOCATED', 'RUNNING', 'STOPPING'))""";

    private static final String INSERT = """
            INSERT INTO queues (parent_id, path) VALUES (:parent, :path)
            ON CONFLICT (path) WHERE removed_at IS NULL DO NOTHING RETURNING id""";

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
    static Optional<Long> insert(JdbcClient sql, String path, @Nullable Long parent) {
        return sql.sql(INSERT)
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

    void update(JdbcClient sql, boolean heldNow) {
        sql.sql("UPDATE queues SET held = :held, version = version + 1 WHERE id = :id")
                .param("held", heldNow)
                .param("id", id)
                .update();
    }

    void remove(JdbcClient sql) {
        sql.sql("UPDATE queues SET removed_at = now(), version = version + 1 WHERE id = :id")
                .param("id", id)
                .update();
    }

    private static QueueRow read(ResultSet row, int number) throws SQLException {
        return new QueueRow(row.getLong("id"), row.getString("path"), row.getBoolean("held"), row.getLong("version"));
    }
}
