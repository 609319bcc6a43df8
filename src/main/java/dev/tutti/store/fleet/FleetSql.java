package dev.tutti.store.fleet;

/** The statements of the resource map. A filter that is null is not applied. */
final class FleetSql {

    /** A node is open as the allocator sees it. */
    private static final String NODE = """
            WITH node AS (
                SELECT n.*, c.name AS cluster,
                       CASE WHEN n.gone THEN 'gone' WHEN NOT n.ready THEN 'not-ready'
                            WHEN NOT n.schedulable THEN 'cordoned' WHEN n.closed_until > now() THEN 'backing-off'
                            ELSE 'ready' END AS state,
                       n.ready AND n.schedulable AND NOT n.gone AND c.reachable
                           AND COALESCE(n.closed_until <= now(), true) AS open
                FROM nodes n JOIN clusters c ON c.id = n.cluster_id
            """;

    private static final String SUMS = NODE + """
            ), sums AS (
                SELECT n.id, count(d.id) AS gpus, COALESCE(sum(d.held_milli), 0)::bigint AS held,
                       COALESCE(sum(1000 - d.held_milli) FILTER (WHERE d.healthy AND n.open), 0)::bigint AS free,
                       count(*) FILTER (WHERE d.healthy AND n.open AND d.held_milli = 0) AS whole_free
                FROM node n LEFT JOIN devices d ON d.node_id = n.id
                WHERE NOT n.gone GROUP BY n.id
            )
            """;

    static final String CLUSTERS = SUMS + """
            SELECT c.id, c.name, c.kind, c.reachable, c.last_seen_at, count(s.id) AS nodes,
                   COALESCE(sum(s.gpus), 0)::bigint AS gpus, COALESCE(sum(s.free), 0)::bigint AS free
            FROM clusters c LEFT JOIN node n ON n.cluster_id = c.id LEFT JOIN sums s ON s.id = n.id
            GROUP BY c.id ORDER BY c.id""";

    /** Here the sums are taken node by node, so that a page costs what is on it. */
    private static final String PAGE_OF_NODES = NODE + """
            )
            SELECT n.id, n.cluster, n.name, n.flavor, n.state, array_to_json(n.domains)::text AS domains,
                   n.labels::text AS labels, n.taints::text AS taints, array_to_json(n.warnings)::text AS warnings, s.gpus, s.held,
                   n.cpu_milli, n.held_cpu_milli, n.memory_mib, n.held_memory_mib, n.pod_slots, n.held_pods,
                   (SELECT json_agg(json_build_object('resource', g.resource, 'place', g.place, 'count', g.count,
                                                      'held', g.held) ORDER BY g.resource, g.place)
                    FROM nic_groups g WHERE g.node_id = n.id AND g.count + g.held > 0)::text AS nics
            FROM node n CROSS JOIN LATERAL (
                SELECT count(*) AS gpus, COALESCE(sum(d.held_milli), 0)::bigint AS held
                FROM devices d WHERE d.node_id = n.id) s
            """;

    static final String NODES = PAGE_OF_NODES + """
            WHERE n.id > :after AND (:cluster::text IS NULL OR n.cluster = :cluster)
              AND (:flavor::text IS NULL OR n.flavor = :flavor) AND (:state::text IS NULL OR n.state = :state)
            ORDER BY n.id LIMIT :rows""";

    static final String ONE_NODE = PAGE_OF_NODES + "WHERE n.id = :id";

    static final String GPUS = """
            SELECT d.id, c.name AS cluster, d.node_id, n.name AS node, d.index, d.uuid, n.flavor, f.gpu_model,
                   f.memory_mib, d.island, d.place, d.healthy, d.held_milli,
                   ARRAY (SELECT DISTINCT a.job_id::text FROM allocation_devices h
                          JOIN allocations a ON a.id = h.allocation_id
                          WHERE h.device_id = d.id ORDER BY 1) AS jobs,
                   d.mig_layout,
                   (SELECT json_agg(json_build_object('job', a.job_id, 'profile', a.mig_profile, 'start', a.mig_start,
                                                      'units', a.mig_units) ORDER BY a.mig_start)
                    FROM allocation_devices h JOIN allocations a ON a.id = h.allocation_id
                    WHERE h.device_id = d.id AND h.mig_start IS NOT NULL AND d.held_units <> 0)::text AS instances
            FROM devices d
            JOIN nodes n ON n.id = d.node_id AND NOT n.gone
            JOIN clusters c ON c.id = n.cluster_id
            JOIN flavors f ON f.name = n.flavor
            WHERE d.id > :after AND (:cluster::text IS NULL OR c.name = :cluster)
              AND (:flavor::text IS NULL OR n.flavor = :flavor) AND (:node::bigint IS NULL OR d.node_id = :node)
              AND (:free::boolean IS NULL OR (d.healthy AND d.held_milli = 0) = :free)
            ORDER BY d.id LIMIT :rows""";

    /** A domain is its whole path from the widest level on: two racks of one name in different blocks stay two. */
    static final String TOPOLOGY = SUMS + """
            SELECT n.cluster, l.name AS level, n.domains[l.place::int] AS name,
                   NULLIF(n.domains[l.place::int - 1], '') AS parent,
                   count(*) AS nodes, sum(s.gpus)::bigint AS gpus, sum(s.free)::bigint AS free,
                   sum(s.whole_free)::bigint AS whole_free
            FROM node n JOIN sums s ON s.id = n.id
            CROSS JOIN unnest(:levels::text[]) WITH ORDINALITY AS l (name, place)
            WHERE n.domains[l.place::int] <> '' AND (:cluster::text IS NULL OR n.cluster = :cluster)
            GROUP BY n.cluster, l.place, l.name, n.domains[1 : l.place::int], n.domains[l.place::int],
                     n.domains[l.place::int - 1]
            ORDER BY l.place, n.domains[l.place::int], n.cluster, n.domains[l.place::int - 1]""";

    static final String FLAVORS = SUMS + """
            SELECT f.name, f.gpu_model, f.memory_mib, count(s.id) AS nodes, COALESCE(sum(s.gpus), 0)::bigint AS gpus,
                   COALESCE(sum(s.held), 0)::bigint AS held, COALESCE(sum(s.free), 0)::bigint AS free
            FROM flavors f LEFT JOIN node n ON n.flavor = f.name LEFT JOIN sums s ON s.id = n.id
            GROUP BY f.name ORDER BY f.name""";

    private FleetSql() {}
}
