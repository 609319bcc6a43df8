package dev.tutti.store.fleet;

import dev.tutti.store.Columns;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Writes the groups of NICs of nodes whose rows are locked. A group that vanished stays with a count of 0: pods may hold
 * some of it, and what was given of it is told by its name.
 */
final class NicWriter {

    private static final String GROUPS = """
            INSERT INTO nic_groups AS v (node_id, resource, place, count)
            SELECT * FROM unnest(:nodes::bigint[], :nicResources::text[], :nicPlaces::text[], :nicCounts::int[])
                AS g (node_id, resource, place, count)
            ORDER BY node_id, resource, place
            ON CONFLICT (node_id, resource, place) DO UPDATE SET count = excluded.count
                WHERE v.count <> excluded.count""";

    private static final String VANISHED = """
            WITH vanished AS MATERIALIZED (
                SELECT v.id FROM nic_groups v
                LEFT JOIN unnest(:nodes::bigint[], :nicResources::text[], :nicPlaces::text[])
                    AS g (node_id, resource, place)
                    ON g.node_id = v.node_id AND g.resource = v.resource AND g.place = v.place
                WHERE v.node_id = ANY (:observed) AND g.node_id IS NULL AND v.count > 0
                ORDER BY v.id FOR NO KEY UPDATE OF v
            )
            UPDATE nic_groups v SET count = 0 FROM vanished WHERE v.id = vanished.id""";

    private NicWriter() {}

    static void write(JdbcClient sql, List<Seen> seen, Map<String, Long> nodeIds) {
        List<Seen.NicsOfNode> nics = Seen.nics(seen);
        long[] nodes = Columns.longs(nics, one -> Objects.requireNonNull(nodeIds.get(one.node())));
        Seen.asNics(sql.sql(GROUPS), nics).param("nodes", nodes).update();
        Seen.asNics(sql.sql(VANISHED), nics)
                .param("nodes", nodes)
                .param("observed", Columns.longs(nodeIds.values(), id -> id))
                .update();
    }
}
