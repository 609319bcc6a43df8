package dev.tutti.store.fleet;

import dev.tutti.store.Columns;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** Writes the devices of nodes whose rows are locked. A device that vanished goes when it is free, and is shut before. */
final class DeviceWriter {

    private static final String DEVICES = """
            INSERT INTO devices AS v (node_id, index, uuid, island, healthy, mig_layout, place)
            SELECT * FROM unnest(:nodes::bigint[], :indexes::int[], :uuids::text[], :islands::int[],
                                 :healthy::boolean[], :migLayouts::text[], :places::text[])
                AS d (node_id, index, uuid, island, healthy, mig_layout, place)
            ORDER BY node_id, index
            ON CONFLICT (node_id, index) DO UPDATE
                SET uuid = excluded.uuid, island = excluded.island, healthy = excluded.healthy,
                    mig_layout = excluded.mig_layout, place = excluded.place
                WHERE (v.uuid, v.island, v.healthy, v.mig_layout, v.place) IS DISTINCT FROM
                    (excluded.uuid, excluded.island, excluded.healthy, excluded.mig_layout, excluded.place)""";

    private static final String VANISHED = """
            WITH vanished AS MATERIALIZED (
                SELECT v.id FROM devices v
                LEFT JOIN unnest(:nodes::bigint[], :indexes::int[]) AS d (node_id, index)
                    ON d.node_id = v.node_id AND d.index = v.index
                WHERE v.node_id = ANY (:observed) AND d.node_id IS NULL AND (v.healthy OR v.held_milli = 0)
                ORDER BY v.id FOR UPDATE OF v
            ), shut AS (
                UPDATE devices v SET healthy = false FROM vanished
                WHERE v.id = vanished.id AND v.held_milli > 0
            )
            DELETE FROM devices v USING vanished WHERE v.id = vanished.id AND v.held_milli = 0""";

    private DeviceWriter() {}

    static void write(JdbcClient sql, List<Seen> seen, Map<String, Long> nodeIds) {
        List<Seen.OfNode> devices = Seen.devices(seen);
        Seen.asDevices(onNodes(sql.sql(DEVICES), devices, nodeIds), devices).update();
        onNodes(sql.sql(VANISHED), devices, nodeIds)
                .param("indexes", Columns.ints(devices, one -> one.device().index()))
                .param("observed", Columns.longs(nodeIds.values(), id -> id))
                .update();
    }

    private static StatementSpec onNodes(
            StatementSpec statement, List<Seen.OfNode> devices, Map<String, Long> nodeIds) {
        return statement.param("nodes", Columns.longs(devices, one -> Objects.requireNonNull(nodeIds.get(one.node()))));
    }
}
