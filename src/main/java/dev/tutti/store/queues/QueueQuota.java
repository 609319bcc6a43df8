package dev.tutti.store.queues;

import dev.tutti.control.QueueBook.Changed;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Quotas;
import dev.tutti.store.Columns;
import dev.tutti.store.stream.QuotaRows;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads and writes the quotas of one queue, and works out the claims that follow from them. */
final class QueueQuota {

    private static final String READ = """
            SELECT json_agg(json_build_object('flavor', flavor, 'resource', resource, 'nominal', nominal,
                                              'borrowing', borrowing_limit, 'lending', lending_limit))::text
            FROM queue_quotas WHERE queue_id = :id""";

    private static final String WRITE = """
            INSERT INTO queue_quotas (queue_id, flavor, resource, nominal, borrowing_limit, lending_limit)
            SELECT :id, n.flavor, n.resource, n.nominal, NULLIF(n.borrowing, -1), NULLIF(n.lending, -1)
            FROM unnest(:flavors::text[], :resources::text[], :nominals::bigint[], :borrowings::bigint[],
                        :lendings::bigint[]) AS n (flavor, resource, nominal, borrowing, lending)""";

    /** Flavors for which the queue, or the one above it, is bound by a quota. */
    private static final String SETTLE = """
            SELECT settle_claims(ARRAY(
                SELECT flavor FROM queue_claims c JOIN queues q ON q.id = :id AND c.queue_id IN (q.id, q.parent_id)
                UNION SELECT flavor FROM queue_quotas WHERE queue_id = :id))::text""";

    /** Queues from this one up that promised those below more than they have; the nearest first. */
    private static final String OVERPROMISED = """
            SELECT p.path, c.flavor, c.resource, c.quota, below.promised
            FROM queues q JOIN queues p ON p.id = ANY (q.lineage) JOIN queue_claims c ON c.queue_id = p.id
            CROSS JOIN LATERAL (SELECT sum(b.quota)::bigint AS promised FROM queue_claims b
                                WHERE b.parent_id = c.queue_id AND b.flavor = c.flavor AND b.resource = c.resource) below
            WHERE q.id = :id AND below.promised > c.quota
            ORDER BY c.depth DESC, c.flavor, c.resource LIMIT 1""";

    private static final long NO_LIMIT = -1;

    private QueueQuota() {}

    static Quotas read(JdbcClient sql, long id) {
        return new Quotas(QuotaRows.quotas(sql.sql(READ)
                .param("id", id)
                .query((row, n) -> Optional.ofNullable(row.getString(1)))
                .single()
                .orElse(null)));
    }

    /**
     * Writes the quotas as a whole.
     *
     * @return why it may not be so, in which case the caller rolls back; empty when all is well
     */
    static Optional<Changed.Refused> write(JdbcClient sql, long id, Quotas quotas) {
        List<Map.Entry<QuotaKey, Quota>> rows = quotas.byKey().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                .toList();
        sql.sql("DELETE FROM queue_quotas WHERE queue_id = :id").param("id", id).update();
        sql.sql(WRITE)
                .param("id", id)
                .param("flavors", Columns.texts(rows, row -> row.getKey().flavor()))
                .param(
                        "resources",
                        Columns.texts(rows, row -> row.getKey().resource().word()))
                .param("nominals", Columns.longs(rows, row -> row.getValue().nominal()))
                .param(
                        "borrowings",
                        Columns.longs(rows, row -> orNone(row.getValue().borrowingLimit())))
                .param(
                        "lendings",
                        Columns.longs(rows, row -> orNone(row.getValue().lendingLimit())))
                .update();
        settle(sql, id);
        return overpromised(sql, id);
    }

    /** A queue that was removed lends no more. */
    static void remove(JdbcClient sql, long id) {
        sql.sql("DELETE FROM queue_quotas WHERE queue_id = :id").param("id", id).update();
        settle(sql, id);
    }

    private static void settle(JdbcClient sql, long id) {
        sql.sql(SETTLE).param("id", id).query((row, n) -> n).single();
    }

    private static Optional<Changed.Refused> overpromised(JdbcClient sql, long id) {
        return sql.sql(OVERPROMISED)
                .param("id", id)
                .query((row, n) -> new Changed.Refused(
                        switch (row.getString("resource")) {
                                    case "cpuMilli" -> "cpu.nominalMilli.";
                                    case "memoryMib" -> "memory.nominalMib.";
                                    default -> "nominalMilli.";
                                }
                                + row.getString("flavor"),
                        "the queues below \"" + row.getString("path") + "\" would be promised "
                                + row.getLong("promised") + " together, more than its " + row.getLong("quota")
                                + "; raise its quota, or lower theirs"))
                .optional();
    }

    private static long orNone(@Nullable Long limit) {
        return limit == null ? NO_LIMIT : limit;
    }
}
