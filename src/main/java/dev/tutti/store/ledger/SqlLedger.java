package dev.tutti.store.ledger;

import dev.tutti.allocator.Plan;
import dev.tutti.control.Actor;
import dev.tutti.control.Ledger;
import dev.tutti.control.PlanId;
import dev.tutti.control.Receipt;
import dev.tutti.model.AllocationId;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobRun;
import dev.tutti.store.SqlErrors;
import dev.tutti.store.SqlTransactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** The ledger in PostgreSQL: set-based statements, constraints that agree to no double allocation. */
@Component
public final class SqlLedger implements Ledger {

    /** Rows of one answer: a caller asks again after it has dealt with them. */
    private static final int ROWS = 1_000;

    private static final String UNBOUND = """
            SELECT late.id FROM (
                SELECT j.id, j.allocated_at AS since FROM jobs j
                WHERE j.state = 'ALLOCATED' AND j.allocated_at <= now() - :deadline * interval '1 millisecond'
                  AND EXISTS (SELECT 1 FROM allocations a
                              WHERE a.job_id = j.id AND a.attempt = j.attempt AND a.phase = 'COMMITTED'
                                AND a.leaving IS NULL
                                AND COALESCE(a.called_at, a.allocated_at) <= now() - :deadline * interval '1 millisecond')
                UNION ALL
                SELECT j.id, min(COALESCE(a.called_at, a.allocated_at)) FROM allocations a
                JOIN jobs j ON j.id = a.job_id AND j.attempt = a.attempt AND j.state = 'RUNNING'
                WHERE a.phase = 'COMMITTED' AND a.leaving IS NULL
                  AND a.allocated_at <= now() - :deadline * interval '1 millisecond'
                  AND COALESCE(a.called_at, a.allocated_at) <= now() - :deadline * interval '1 millisecond'
                GROUP BY j.id
            ) late
            ORDER BY late.since, late.id LIMIT :rows""";

    /** Few jobs are ALLOCATED for so long that their members are looked at, and few members of RUNNING ones are BOUND. */
    private static final String NOT_READY = """
            SELECT j.id, j.version, 'NOT_READY_IN_TIME' AS cause
            FROM (SELECT j.id, m.since FROM jobs j
                  CROSS JOIN LATERAL (
                      SELECT max(COALESCE(a.bound_at, a.allocated_at)) AS since, bool_or(a.phase = 'COMMITTED') AS unbound
                      FROM allocations a WHERE a.job_id = j.id AND a.attempt = j.attempt AND a.leaving IS NULL
                        AND a.phase <> 'WAITING') m
                  WHERE j.state = 'ALLOCATED' AND j.allocated_at <= now() - interval '1 second' AND NOT m.unbound
                  UNION ALL
                  SELECT j.id, max(COALESCE(a.bound_at, a.allocated_at))
                  FROM allocations a JOIN jobs j ON j.id = a.job_id AND j.attempt = a.attempt AND j.state = 'RUNNING'
                  WHERE a.phase = 'BOUND' AND a.leaving IS NULL
                  GROUP BY j.id) late
            JOIN jobs j USING (id) JOIN job_specs s ON s.job_id = j.id
            WHERE late.since <= now() - COALESCE(whole_number(s.spec -> 'limits' -> 'readyTimeoutSeconds'), :timeout)
                                        * interval '1 second'
            ORDER BY late.since, j.id LIMIT :rows""";

    /** Each of the three on its own partial index. */
    private static final String OVERDUE = """
            (SELECT j.id, j.version, 'MAX_RUNTIME' AS cause FROM jobs j
             WHERE j.state = 'RUNNING' AND j.max_runtime_seconds IS NOT NULL
               AND micros(now()) - micros(j.started_at) + j.ran_micros >= j.max_runtime_seconds * 1000000::bigint
             ORDER BY j.started_at, j.id LIMIT :rows)
            UNION ALL
            (SELECT j.id, j.version, 'DEADLINE' FROM jobs j
             WHERE j.state IN ('QUEUED', 'SUSPENDED', 'ALLOCATED', 'RUNNING') AND j.deadline <= now()
             ORDER BY j.deadline, j.id LIMIT :rows)
            UNION ALL
            (SELECT j.id, j.version, 'DEADLINE' FROM jobs j
             WHERE j.state = 'QUEUED' AND j.max_queue_seconds IS NOT NULL
               AND micros(now()) - micros(j.queued_since) + j.queued_micros >= j.max_queue_seconds * 1000000::bigint
             ORDER BY j.queued_since, j.id LIMIT :rows)""";

    private static final String BOUND = """
            SELECT a.id, a.job_id, a.attempt, a.rank, a.pod_uid
            FROM allocations a JOIN nodes n ON n.id = a.node_id
            WHERE n.cluster_id = :cluster AND a.released_at IS NULL AND a.phase IN ('BOUND', 'RUNNING')
            ORDER BY a.id""";

    /** A grace that nobody can read may be the longest there is. */
    private static final String QUARANTINE_OVER = """
            SELECT a.id FROM allocations a JOIN nodes n ON n.id = a.node_id JOIN job_specs s ON s.job_id = a.job_id
            CROSS JOIN LATERAL (SELECT :quiet + 1000 * COALESCE(whole_number(s.spec -> 'graceSeconds'), 3600) AS ms) needed
            WHERE a.phase = 'LOST' AND n.cluster_id = :cluster AND (n.gone OR n.ready) AND needed.ms <= :watched
              AND CASE WHEN n.gone THEN a.lost_at ELSE GREATEST(n.ready_since, a.lost_at) END
                  <= now() - needed.ms * interval '1 millisecond'
            ORDER BY a.lost_at, a.id LIMIT :rows""";

    private final SqlTransactions transactions;

    public SqlLedger(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Receipt commit(PlanId id, Plan plan, Actor.Leader leader) {
        try {
            return commit(new PlanCommit(id, leader, false), plan, leader);
        } catch (RuntimeException e) {
            if (SqlErrors.isRefusal(e)) {
                return commit(new PlanCommit(id, leader, true), plan, leader);
            }
            throw e;
        }
    }

    private Receipt commit(PlanCommit commit, Plan plan, Actor.Leader leader) {
        return transactions.write("a commit", leader, sql -> commit.run(sql, plan));
    }

    @Override
    public void show(List<Plan.Reservation> reservations, Actor.Leader leader) {
        transactions.write("reservations", leader, sql -> ReservationWriter.write(sql, reservations));
    }

    @Override
    public Optional<Receipt> receipt(PlanId id) {
        return transactions.read("a receipt", sql -> Receipts.find(sql, id));
    }

    @Override
    public List<JobRun> runsOf(Collection<AllocationId> allocations) {
        return transactions.read("runs", sql -> RunReader.runsOf(sql, allocations));
    }

    @Override
    public List<JobRun> runs(Collection<JobId> jobs) {
        return transactions.read("runs", sql -> RunReader.runs(sql, jobs));
    }

    @Override
    public Set<JobId> apply(Collection<Change> changes, Actor actor) {
        return changes.isEmpty()
                ? Set.of()
                : transactions.write("state changes", actor, sql -> RunWriter.write(sql, changes, actor));
    }

    @Override
    public List<JobId> unboundFor(Duration deadline) {
        return transactions.read(
                "unbound jobs",
                sql -> sql.sql(UNBOUND)
                        .param("deadline", deadline.toMillis())
                        .param("rows", ROWS)
                        .query((row, n) -> new JobId(row.getObject(1, UUID.class)))
                        .list());
    }

    @Override
    public List<Overdue> notReadyFor(Duration timeout) {
        return transactions.read(
                "jobs that are not ready",
                sql -> sql.sql(NOT_READY)
                        .param("timeout", timeout.toSeconds())
                        .param("rows", ROWS)
                        .query(SqlLedger::late)
                        .list());
    }

    @Override
    public List<Overdue> overdue() {
        return transactions.read(
                "overdue jobs",
                sql -> sql.sql(OVERDUE)
                        .param("rows", ROWS)
                        .query(SqlLedger::late)
                        .list());
    }

    private static Overdue late(ResultSet row, int number) throws SQLException {
        return new Overdue(
                new JobId(row.getObject("id", UUID.class)),
                row.getLong("version"),
                EndCause.valueOf(row.getString("cause")));
    }

    @Override
    public List<BoundMember> bound(ClusterId cluster) {
        return transactions.read(
                "bound members",
                sql -> sql.sql(BOUND)
                        .param("cluster", cluster.value())
                        .query((row, n) -> new BoundMember(
                                new AllocationId(row.getLong("id")),
                                new JobId(row.getObject("job_id", UUID.class)),
                                row.getInt("attempt"),
                                row.getInt("rank"),
                                row.getString("pod_uid")))
                        .list());
    }

    @Override
    public List<AllocationId> quarantineOver(ClusterId cluster, Duration quietTime, Duration watched) {
        return transactions.read(
                "quarantine",
                sql -> sql.sql(QUARANTINE_OVER)
                        .param("cluster", cluster.value())
                        .param("quiet", quietTime.toMillis())
                        .param("watched", watched.toMillis())
                        .param("rows", ROWS)
                        .query((row, n) -> new AllocationId(row.getLong(1)))
                        .list());
    }
}
