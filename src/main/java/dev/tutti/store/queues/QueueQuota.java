package dev.tutti.store.queues;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads and writes the quota of one queue, beside what is in use. */
final class QueueQuota {

    private static final String READ =
            "SELECT flavor, nominal_milli FROM queue_shares WHERE queue_id = :id AND nominal_milli IS NOT NULL";

    private static final String WRITE = """
            INSERT INTO queue_shares AS s (queue_id, flavor, nominal_milli)
            SELECT :id, flavor, milli FROM unnest(:flavors::text[], :millis::bigint[]) AS n (flavor, milli)
            ORDER BY flavor
            ON CONFLICT (queue_id, flavor) DO UPDATE SET nominal_milli = excluded.nominal_milli""";

    private static final String LIFT = """
            UPDATE queue_shares SET nominal_milli = NULL
            WHERE queue_id = :id AND nominal_milli IS NOT NULL AND flavor <> ALL (:flavors)""";

    private QueueQuota() {}

    static Map<String, Long> read(JdbcClient sql, long id) {
        Map<String, Long> quota = new TreeMap<>();
        sql.sql(READ).param("id", id).query(row -> {
            quota.put(row.getString("flavor"), row.getLong("nominal_milli"));
        });
        return quota;
    }

    /** Writes the quota as a whole: a flavor that is not named is not limited any more. */
    static void write(JdbcClient sql, long id, Map<String, Long> nominalMilli) {
        Map<String, Long> sorted = new TreeMap<>(nominalMilli);
        String[] flavors = sorted.keySet().toArray(String[]::new);
        sql.sql(LIFT).param("id", id).param("flavors", flavors).update();
        sql.sql(WRITE)
                .param("id", id)
                .param("flavors", flavors)
                .param(
                        "millis",
                        sorted.values().stream().mapToLong(Long::longValue).toArray())
                .update();
    }
}
