package dev.tutti.store.fleet;

import dev.tutti.model.ClusterId;
import dev.tutti.store.Columns;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Says which sightings differ from what is stored, devices and NICs included. Reads only. */
final class NodeCompare {

    private static final String DIFFERING = "WITH " + Seen.NODES + """
            , device AS (
                SELECT * FROM unnest(:deviceNodes::text[], :indexes::int[], :uuids::text[], :islands::int[],
                                     :healthy::boolean[], :migLayouts::text[], :places::text[])
                    AS d (node, index, uuid, island, healthy, mig_layout, place)
            ), nics AS (
                SELECT * FROM unnest(:nicNodes::text[], :nicResources::text[], :nicPlaces::text[], :nicCounts::int[])
                    AS g (node, resource, place, count)
            ), stored AS MATERIALIZED (
                SELECT * FROM nodes WHERE cluster_id = :cluster AND name = ANY (:names)
            )
            SELECT s.name FROM seen s LEFT JOIN stored n ON n.name = s.name
            WHERE CASE WHEN n.id IS NULL THEN NOT s.deleted
                       WHEN s.deleted THEN NOT n.gone
                       ELSE n.gone OR (n.uid, n.boot_id, n.ready, n.schedulable, n.flavor, n.domains, n.labels,
                                       n.warnings, n.cpu_milli, n.memory_mib, n.pod_slots, n.taints)
                            IS DISTINCT FROM (s.uid, s.boot_id, s.ready, s.schedulable, s.flavor, s.domains::text[],
                                              s.labels::jsonb, s.warnings::text[], s.cpu_milli, s.memory_mib,
                                              s.pod_slots, s.taints::jsonb) END
            UNION
            SELECT d.node FROM device d JOIN stored n ON n.name = d.node
            LEFT JOIN devices v ON v.node_id = n.id AND v.index = d.index
            WHERE v.id IS NULL OR (v.uuid, v.island, v.healthy, v.mig_layout, v.place)
                IS DISTINCT FROM (d.uuid, d.island, d.healthy, d.mig_layout, d.place)
            UNION
            SELECT n.name FROM stored n JOIN seen s ON s.name = n.name AND NOT s.deleted
            JOIN devices v ON v.node_id = n.id
            LEFT JOIN device d ON d.node = n.name AND d.index = v.index
            WHERE d.node IS NULL AND (v.healthy OR v.held_milli = 0)
            UNION
            SELECT n.name FROM stored n JOIN seen s ON s.name = n.name AND NOT s.deleted
            WHERE (SELECT json_agg(json_build_array(g.resource, g.place, g.count) ORDER BY g.resource, g.place)
                   FROM nic_groups g WHERE g.node_id = n.id AND g.count > 0)::text
              IS DISTINCT FROM
                  (SELECT json_agg(json_build_array(g.resource, g.place, g.count) ORDER BY g.resource, g.place)
                   FROM nics g WHERE g.node = n.name)::text""";

    private NodeCompare() {}

    static Set<String> differing(JdbcClient sql, ClusterId cluster, List<Seen> seen) {
        List<Seen.OfNode> devices = Seen.devices(seen);
        List<Seen.NicsOfNode> nics = Seen.nics(seen);
        return new HashSet<>(Seen.asNics(Seen.asDevices(Seen.asNodes(sql.sql(DIFFERING), seen), devices), nics)
                .param("nicNodes", Columns.texts(nics, Seen.NicsOfNode::node))
                .param("deviceNodes", Columns.texts(devices, Seen.OfNode::node))
                .param("cluster", cluster.value())
                .query(String.class)
                .list());
    }
}
