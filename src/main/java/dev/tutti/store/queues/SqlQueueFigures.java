package dev.tutti.store.queues;

import dev.tutti.control.read.QueueFigures;
import dev.tutti.store.SqlTransactions;
import java.util.List;
import org.springframework.stereotype.Component;

/** The figures of queues: one statement, and so of one snapshot. */
@Component
public final class SqlQueueFigures implements QueueFigures {

    private static final String FIGURES = """
            WITH living AS (SELECT id, path FROM queues WHERE removed_at IS NULL),
            pending AS (
                SELECT queue_id, lane, reason_code, count(*) AS jobs, min(submitted_at) AS oldest
                FROM jobs WHERE state = 'QUEUED' GROUP BY queue_id, lane, reason_code
            )
            SELECT 'QUOTA' AS kind, q.path, s.flavor AS first, k.name AS second, k.amount AS value
            FROM queue_quotas s JOIN living q ON q.id = s.queue_id
            CROSS JOIN LATERAL (VALUES ('nominal', s.nominal), ('borrowing', s.borrowing_limit),
                                       ('lending', s.lending_limit)) AS k (name, amount)
            WHERE s.resource = 'gpuMilli' AND k.amount IS NOT NULL
            UNION ALL
            SELECT 'ALLOCATED', q.path, u.flavor, u.lane, u.gpu_milli
            FROM queue_use u JOIN living q ON q.id = u.queue_id
            UNION ALL
            SELECT 'PENDING', q.path, p.lane, p.reason_code, p.jobs FROM pending p JOIN living q ON q.id = p.queue_id
            UNION ALL
            SELECT 'OLDEST', q.path, p.lane, '', (extract(epoch FROM now() - min(p.oldest)) * 1000)::bigint
            FROM pending p JOIN living q ON q.id = p.queue_id GROUP BY q.path, p.lane
            UNION ALL
            SELECT 'PAST', q.path, k.name, '', k.amount
            FROM queue_pasts p JOIN living q ON q.id = p.queue_id
            CROSS JOIN LATERAL (VALUES ('surplus', p.surplus), ('red', p.red)) AS k (name, amount)
            UNION ALL
            SELECT 'PREEMPTIONS', q.path, c.lane, c.cause, c.runs
            FROM preemption_counts c JOIN living q ON q.id = c.queue_id
            UNION ALL
            SELECT 'WAITED', q.path, l.lane, b.at_most_seconds::text, COALESCE(c.jobs, 0)
            FROM (SELECT DISTINCT queue_id, lane FROM job_wait_counts) l JOIN living q ON q.id = l.queue_id
            CROSS JOIN job_wait_bounds b
            LEFT JOIN job_wait_counts c USING (queue_id, lane, at_most_seconds)
            UNION ALL
            SELECT 'WAITED_IN_ALL', q.path, c.lane, '', (sum(c.micros) / 1000)::bigint
            FROM job_wait_counts c JOIN living q ON q.id = c.queue_id GROUP BY q.path, c.lane
            ORDER BY 1, 2, 3, 4""";

    private final SqlTransactions transactions;

    public SqlQueueFigures(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public List<Figure> figures() {
        return transactions.read(
                "figures of queues",
                sql -> sql.sql(FIGURES)
                        .query((row, n) -> new Figure(
                                Kind.valueOf(row.getString("kind")),
                                row.getString("path"),
                                row.getString("first"),
                                row.getString("second"),
                                row.getLong("value")))
                        .list());
    }
}
