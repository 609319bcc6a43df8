package dev.tutti.store.fleet;

import dev.tutti.control.FleetBook;
import dev.tutti.model.ClusterId;
import dev.tutti.store.Columns;
import dev.tutti.store.stream.Journal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes nodes that differ, inside a leader's transaction: locked in the order of their ids, before their devices and
 * NICs. */
final class NodeWriter {

    private static final String LOCK = """
            SELECT id, name, ready, schedulable, gone FROM nodes
            WHERE cluster_id = :cluster AND name = ANY (:names) ORDER BY id FOR NO KEY UPDATE""";

    private static final String FLAVORS = """
            INSERT INTO flavors AS f (name, gpu_model, memory_mib)
            SELECT DISTINCT ON (name) * FROM unnest(:names::text[], :models::text[], :memories::int[])
                AS s (name, model, memory) ORDER BY name, memory DESC
            ON CONFLICT (name) DO UPDATE SET gpu_model = excluded.gpu_model, memory_mib = excluded.memory_mib
                WHERE f.memory_mib = 0 AND excluded.memory_mib > 0""";

    /** A node that comes back is closed for a while: what was given up on it may still be ending. */
    private static final String NODES = "WITH " + Seen.NODES + """

            INSERT INTO nodes AS n (cluster_id, name, uid, boot_id, flavor, ready, schedulable, ready_since, domains,
                                    labels, warnings, cpu_milli, memory_mib, pod_slots, taints)
            SELECT :cluster, name, uid, boot_id, flavor, ready, schedulable, CASE WHEN ready THEN now() END,
                   domains::text[], labels::jsonb, warnings::text[], cpu_milli, memory_mib, pod_slots,
                   taints::jsonb
            FROM seen
            ON CONFLICT (cluster_id, name) DO UPDATE SET
                uid = excluded.uid, boot_id = excluded.boot_id, flavor = excluded.flavor, ready = excluded.ready,
                schedulable = excluded.schedulable, gone = false, domains = excluded.domains,
                labels = excluded.labels, warnings = excluded.warnings, cpu_milli = excluded.cpu_milli,
                memory_mib = excluded.memory_mib, pod_slots = excluded.pod_slots,
                taints = excluded.taints,
                ready_since = CASE WHEN NOT excluded.ready THEN NULL
                    WHEN n.ready AND n.uid = excluded.uid AND n.boot_id = excluded.boot_id THEN n.ready_since
                    ELSE now() END,
                closed_until = CASE WHEN n.gone OR n.uid <> excluded.uid THEN GREATEST(n.closed_until,
                    now() + make_interval(secs => :returnSeconds + COALESCE((
                        SELECT max(COALESCE(whole_number(s.spec -> 'graceSeconds'), 3600))::int
                        FROM allocations a JOIN job_specs s ON s.job_id = a.job_id
                        WHERE a.node_id = n.id AND a.lost_at IS NOT NULL), 0)))
                    ELSE n.closed_until END
            RETURNING n.id, n.name""";

    private static final String GONE = """
            UPDATE nodes SET gone = true, ready = false, ready_since = NULL
            WHERE cluster_id = :cluster AND name = ANY (:names) AND NOT gone""";

    private NodeWriter() {}

    static int write(JdbcClient sql, ClusterId cluster, List<Seen> changed) {
        List<Seen> there = changed.stream().filter(one -> !one.node().deleted()).toList();
        markGone(
                sql,
                cluster,
                changed.stream()
                        .filter(one -> one.node().deleted())
                        .map(Seen::name)
                        .toList());
        if (there.isEmpty()) {
            return 0;
        }
        Map<String, Old> old = lock(sql, cluster, there.stream().map(Seen::name).toList());
        writeFlavors(sql, there);
        Map<String, Long> ids = writeNodes(sql, cluster, there);
        DeviceWriter.write(sql, there, ids);
        NicWriter.write(sql, there, ids);
        Journal journal = new Journal();
        for (Seen one : there) {
            Old before = old.get(one.name());
            String now = state(false, one.node().ready(), one.node().schedulable());
            tell(
                    journal,
                    Objects.requireNonNull(ids.get(one.name())),
                    one.name(),
                    before == null ? null : before.state(),
                    now);
        }
        journal.write(sql);
        return there.size();
    }

    /** Closes nodes whose object is gone; their devices stay as they are. */
    static void markGone(JdbcClient sql, ClusterId cluster, List<String> names) {
        if (names.isEmpty()) {
            return;
        }
        Map<String, Old> old = lock(sql, cluster, names);
        sql.sql(GONE)
                .param("cluster", cluster.value())
                .param("names", names.toArray(String[]::new))
                .update();
        Journal journal = new Journal();
        old.forEach((name, before) -> tell(journal, before.id(), name, before.state(), "gone"));
        journal.write(sql);
    }

    private static Map<String, Old> lock(JdbcClient sql, ClusterId cluster, List<String> names) {
        Map<String, Old> old = new LinkedHashMap<>();
        sql.sql(LOCK)
                .param("cluster", cluster.value())
                .param("names", names.toArray(String[]::new))
                .query(row -> {
                    String state =
                            state(row.getBoolean("gone"), row.getBoolean("ready"), row.getBoolean("schedulable"));
                    old.put(row.getString("name"), new Old(row.getLong("id"), state));
                });
        return old;
    }

    private static void writeFlavors(JdbcClient sql, List<Seen> seen) {
        sql.sql(FLAVORS)
                .param("names", Columns.texts(seen, one -> one.node().flavor()))
                .param("models", Columns.texts(seen, one -> one.node().gpuModel()))
                .param("memories", Columns.ints(seen, one -> one.node().gpuMemoryMib()))
                .update();
    }

    private static Map<String, Long> writeNodes(JdbcClient sql, ClusterId cluster, List<Seen> seen) {
        Map<String, Long> ids = new HashMap<>();
        Seen.asNodes(sql.sql(NODES), seen)
                .param("cluster", cluster.value())
                .param("returnSeconds", FleetBook.RETURN_SECONDS)
                .query(row -> {
                    ids.put(row.getString("name"), row.getLong("id"));
                });
        return ids;
    }

    private static void tell(Journal journal, long id, String name, @Nullable String from, String to) {
        if (to.equals(from)) {
            return;
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("name", name);
        if (from != null) {
            facts.put("from", from);
        }
        facts.put("to", to);
        journal.event("node.state", Long.toString(id), facts);
    }

    private static String state(boolean gone, boolean ready, boolean schedulable) {
        if (gone) {
            return "gone";
        }
        if (!ready) {
            return "not-ready";
        }
        return schedulable ? "ready" : "cordoned";
    }

    private record Old(long id, String state) {}
}
