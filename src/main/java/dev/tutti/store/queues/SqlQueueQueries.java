package dev.tutti.store.queues;

import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.control.read.QueueQueries;
import dev.tutti.model.queue.LaneRules;
import dev.tutti.model.queue.PastShare;
import dev.tutti.model.queue.Quotas;
import dev.tutti.store.Cursors;
import dev.tutti.store.Pages;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.stream.QuotaRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Queues and lanes for pages and lists. What is counted of a queue includes all queues below it. */
@Component
public final class SqlQueueQueries implements QueueQueries {

    private static final String LIST = "queues";
    private static final int ID_DIGITS = 18;

    private static final String SELECT = """
            WITH open AS (
                SELECT queue_id, count(*) AS waiting FROM jobs WHERE state = 'QUEUED' GROUP BY queue_id
            ), queue AS (
                SELECT q.id, q.path, q.parent_id, {rules}, q.version,
                       NOT EXISTS (SELECT 1 FROM queues c WHERE c.parent_id = q.id AND c.removed_at IS NULL) AS leaf
                FROM queues q WHERE q.removed_at IS NULL
            )
            SELECT q.*,
                   (SELECT json_agg(json_build_object('flavor', s.flavor, 'resource', s.resource, 'nominal', s.nominal,
                                                      'borrowing', s.borrowing_limit, 'lending', s.lending_limit))
                    FROM queue_quotas s WHERE s.queue_id = q.id)::text AS quotas,
                   (SELECT json_agg(json_build_object('flavor', u.flavor, 'lane', u.lane, 'gpuMilli', u.gpu_milli,
                                                      'cpuMilli', u.cpu_milli, 'memoryMib', u.memory_mib))
                    FROM queue_use u WHERE u.queue_id = q.id)::text AS used,
                   p.surplus, p.red, COALESCE(micros(p.counted_until), 0) AS counted_until,
                   below.waiting, COALESCE((SELECT r.jobs FROM queue_runs r WHERE r.queue_id = q.id), 0) AS running,
                   most.jobs AS most_jobs, most.gpu_milli AS most_gpu_milli,
                   (SELECT json_object_agg(l.flavor, whole_nodes(q.id, l.flavor))
                    FROM json_object_keys(q.max_whole_nodes::json) AS l (flavor))::text AS used_whole_nodes
            FROM queue q LEFT JOIN queue_pasts p ON p.queue_id = q.id
            CROSS JOIN LATERAL (
                SELECT COALESCE(sum(o.waiting), 0)::bigint AS waiting
                FROM open o JOIN queues b ON b.id = o.queue_id WHERE q.id = ANY (b.lineage)) below
            CROSS JOIN LATERAL (
                SELECT COALESCE(max(u.jobs), 0) AS jobs, COALESCE(max(u.gpu_milli), 0) AS gpu_milli
                FROM queue_user_runs u WHERE u.queue_id = q.id) most
            """.replace("{rules}", QueueRow.RULES);

    private static final String PAGE =
            SELECT + "WHERE (NOT q.leaf, q.path) > (:afterDivided, :afterPath) ORDER BY NOT q.leaf, q.path LIMIT :rows";

    private static final String ONE = SELECT + "WHERE q.path = :name OR q.id = :id ORDER BY q.path <> :name LIMIT 1";

    private static final String LANES = """
            SELECT l.name, l.rank, l.description, l.hours::text AS hours, l.preempts, l.starts_per_minute, l.fallback_after_seconds, l.version,
                   count(*) FILTER (WHERE j.state = 'QUEUED') AS waiting,
                   count(*) FILTER (WHERE j.state = 'RUNNING') AS running
            FROM lanes l LEFT JOIN jobs j ON j.lane = l.name
                 AND j.state IN ('QUEUED', 'SUSPENDED', 'ALLOCATED', 'RUNNING', 'STOPPING')
            GROUP BY l.name ORDER BY l.rank""";

    private final SqlTransactions transactions;

    public SqlQueueQueries(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Page<QueueView> queues(PageRequest page) {
        List<String> after = Cursors.read(LIST, page.cursor());
        List<QueueView> rows = transactions.read(
                "queues",
                sql -> sql.sql(PAGE)
                        .param("afterDivided", after != null && Boolean.parseBoolean(after.get(0)))
                        .param("afterPath", after == null ? "" : after.get(1))
                        .param("rows", Pages.rows(page))
                        .query(SqlQueueQueries::view)
                        .list());
        return Pages.of(rows, page, last -> Cursors.write(LIST, !last.leaf(), last.path()));
    }

    @Override
    public Optional<QueueView> queue(String idOrPath) {
        boolean isId = !idOrPath.isEmpty()
                && idOrPath.length() <= ID_DIGITS
                && idOrPath.chars().allMatch(c -> c >= '0' && c <= '9');
        return idOrPath.indexOf('\0') >= 0
                ? Optional.empty()
                : transactions.read(
                        "a queue",
                        sql -> sql.sql(ONE)
                                .param("name", idOrPath)
                                .param("id", isId ? Long.parseLong(idOrPath) : -1)
                                .query(SqlQueueQueries::view)
                                .optional());
    }

    @Override
    public List<LaneView> lanes() {
        return transactions.read(
                "lanes",
                sql -> sql.sql(LANES)
                        .query((row, n) -> new LaneView(
                                row.getString("name"),
                                row.getInt("rank"),
                                row.getString("description"),
                                new LaneRules(
                                        HoursRow.read(row.getString("hours")),
                                        row.getBoolean("preempts"),
                                        row.getObject("starts_per_minute", Integer.class),
                                        row.getObject("fallback_after_seconds", Integer.class)),
                                row.getLong("version"),
                                row.getLong("waiting"),
                                row.getLong("running")))
                        .list());
    }

    private static QueueView view(ResultSet row, int number) throws SQLException {
        return new QueueView(
                row.getLong("id"),
                row.getString("path"),
                row.getObject("parent_id", Long.class),
                row.getBoolean("leaf"),
                QueueRow.rules(row),
                row.getLong("version"),
                new Quotas(QuotaRows.quotas(row.getString("quotas"))),
                QuotaRows.used(row.getString("used")),
                new PastShare(row.getLong("surplus"), row.getLong("red"), row.getLong("counted_until")),
                row.getLong("waiting"),
                row.getLong("running"),
                new LimitUse(
                        row.getLong("most_jobs"),
                        row.getLong("most_gpu_milli"),
                        used(row.getString("used_whole_nodes"))));
    }

    private static Map<String, Integer> used(@Nullable String wholeNodes) {
        return wholeNodes == null ? Map.of() : QuotaRows.wholeNodes(wholeNodes);
    }
}
