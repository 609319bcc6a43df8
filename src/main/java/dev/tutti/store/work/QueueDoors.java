package dev.tutti.store.work;

import dev.tutti.control.intake.QueueDoor;
import dev.tutti.model.Violation;
import dev.tutti.model.queue.QueueLimits;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.store.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The doors of the queues that new jobs are to enter. Queues with a limit are locked until the transaction ends, so that two
 * submissions never count the same free place; any other queue costs no more than a look at its row.
 */
final class QueueDoors {

    private static final String GUARDED = """
            SELECT leaf.id AS leaf, q.id, q.path, q.draining, q.max_waiting_jobs, q.user_max_waiting_jobs
            FROM queues leaf JOIN queues q ON q.id = ANY (leaf.lineage)
            WHERE leaf.id = ANY (:leaves)
              AND (q.draining OR q.max_waiting_jobs IS NOT NULL OR q.user_max_waiting_jobs IS NOT NULL)
            ORDER BY q.id""";

    private static final String LOCKED = GUARDED + " FOR NO KEY UPDATE OF q";

    /** A statement of its own, after the lock: it sees what those who held the lock before have stored. */
    private static final String WAITING = """
            SELECT count(*) AS jobs, count(*) FILTER (WHERE j.submitted_by = :user) AS of_user
            FROM queues b JOIN jobs j ON j.queue_id = b.id AND j.state IN ('QUEUED', 'SUSPENDED')
            WHERE b.lineage @> ARRAY[:queue::bigint]""";

    private final Map<Long, List<QueueDoor>> ofLeaf = new HashMap<>();

    private QueueDoors() {}

    /**
     * Why the queues do not take the jobs in.
     *
     * @param leaves the leaf that each job is to enter
     * @return one list per job, in order; empty for a job that is taken in
     */
    static List<List<Violation>> refuse(JdbcClient sql, List<Long> leaves, String user) {
        return enter(sql, LOCKED, leaves, user);
    }

    /** The same for nobody who really enters: nothing is locked, and what is free may be taken the next moment. */
    static List<List<Violation>> look(JdbcClient sql, List<Long> leaves, String user) {
        return enter(sql, GUARDED, leaves, user);
    }

    private static List<List<Violation>> enter(JdbcClient sql, String guarded, List<Long> leaves, String user) {
        QueueDoors doors = new QueueDoors();
        doors.open(sql, guarded, leaves, user);
        return leaves.stream()
                .map(leaf -> QueueDoor.enter(doors.ofLeaf.getOrDefault(leaf, List.of())))
                .toList();
    }

    private void open(JdbcClient sql, String statement, List<Long> leaves, String user) {
        List<Guarded> guarded = sql.sql(statement)
                .param("leaves", Columns.longs(leaves, id -> id))
                .query(QueueDoors::guarded)
                .list();
        Map<Long, QueueDoor> doors = new HashMap<>();
        for (Guarded one : guarded) {
            QueueDoor door = doors.computeIfAbsent(one.queue(), queue -> door(sql, one, user));
            ofLeaf.computeIfAbsent(one.leaf(), leaf -> new ArrayList<>()).add(door);
        }
    }

    private static QueueDoor door(JdbcClient sql, Guarded one, String user) {
        if (one.rules().draining()) {
            return new QueueDoor(one.path(), one.rules(), user, 0, 0);
        }
        return sql.sql(WAITING)
                .param("queue", one.queue())
                .param("user", user)
                .query((row, n) ->
                        new QueueDoor(one.path(), one.rules(), user, row.getLong("jobs"), row.getLong("of_user")))
                .single();
    }

    private static Guarded guarded(ResultSet row, int number) throws SQLException {
        QueueLimits limits = new QueueLimits(
                row.getObject("max_waiting_jobs", Integer.class),
                row.getObject("user_max_waiting_jobs", Integer.class));
        QueueRules rules =
                QueueRules.PLAIN.withDraining(row.getBoolean("draining")).withLimits(limits);
        return new Guarded(row.getLong("leaf"), row.getLong("id"), row.getString("path"), rules);
    }

    private record Guarded(long leaf, long queue, String path, QueueRules rules) {}
}
