package dev.tutti.store.stream;

import dev.tutti.control.Backoff;
import dev.tutti.control.view.ChangeFeed;

/** The one statement of the head query: rows of eight kinds under one set of columns, told apart by {@code kind}. */
final class ChangeSql {

    static final int HEAD = 0;
    static final int JOB = 1;
    static final int NODE = 2;
    static final int DEVICE = 3;
    static final int QUEUE = 4;
    static final int RECENT = 5;
    static final int RUNNING = 6;
    static final int MEMBER = 7;

    private static final String STATEMENT = """
            SELECT 0 AS kind, NULL::uuid AS job, now_micros() AS id,
                   NULL::bigint AS n1, NULL::bigint AS n2, NULL::bigint AS n3, NULL::bigint AS n4, NULL::bigint AS n5,
                   NULL::bigint AS n6, NULL::bigint AS n7, NULL::bigint AS n8, NULL::bigint AS n9,
                   NULL::bigint AS n10, NULL::bigint AS n11,
                   false AS yes, false AS no,
                   pg_snapshot_xmin(pg_current_snapshot())::text AS t1,
                   {lanes} AS t2, NULL::text AS t3,
                   NULL::text AS t4, NULL::text AS t5, NULL::text AS t6, NULL::text AS t7
            UNION ALL
            SELECT 1, j.id, 0, j.version, j.queue_id, j.priority, micros(j.submitted_at),
                   COALESCE(micros(j.not_before), 0),
                   COALESCE(j.max_runtime_seconds + whole_number(s.spec -> 'graceSeconds'), 0),
                   micros(j.queued_since) - j.queued_micros + j.parents_micros, COALESCE(micros(j.reason_told_at), 0),
                   NULL, NULL, NULL,
                   j.state = 'QUEUED' AND NOT j.waits_for_parents, false, j.lane,
                   CASE WHEN whole_number(COALESCE(s.spec -> 'graceSeconds', '0')) IS NOT NULL THEN (s.spec -> 'podSets')::text END, j.reason::text,
                   (s.spec -> 'topology')::text,
                   CASE WHEN jsonb_typeof(s.spec) = 'object' THEN (s.spec - 'podSets' - 'topology')::text END, NULL,
                   j.submitted_by
            FROM jobs j LEFT JOIN job_specs s ON s.job_id = j.id AND j.state = 'QUEUED'
                 AND NOT j.waits_for_parents
            WHERE {jobs}
            UNION ALL
            SELECT 6, j.id, 0, j.version, j.queue_id, j.priority, micros(j.submitted_at), micros(j.allocated_at),
                   CASE WHEN j.state <> 'STOPPING' THEN
                       LEAST(micros(COALESCE(j.started_at, j.allocated_at)) - j.ran_micros
                             + j.max_runtime_seconds * 1000000::bigint, micros(j.deadline)) END,
                   micros(COALESCE(j.started_at, j.allocated_at)),
                   CASE WHEN v.terms -> 'preemptible' = 'false' THEN 9223372036854775807
                        WHEN whole_number(v.terms -> 'budget' -> 'evictions') >= 1 THEN
                       (SELECT micros(t.ended_at) FROM attempts t
                        WHERE t.job_id = j.id AND t.cause IN ('PREEMPTED', 'RECLAIMED')
                        ORDER BY t.ended_at DESC OFFSET whole_number(v.terms -> 'budget' -> 'evictions') - 1 LIMIT 1)
                       + whole_number(v.terms -> 'budget' -> 'perSeconds') * 1000000 END,
                   whole_number(v.terms -> 'checkpointIntervalSeconds'),
                   (SELECT max(a.rank) + 1 FROM allocations a WHERE a.job_id = j.id AND a.attempt = j.attempt),
                   CASE WHEN g.wants_more THEN {not_before} END,
                   j.state = 'STOPPING', false, j.lane, j.stopping_for::text,
                   (SELECT json_object_agg(COALESCE(p ->> 'name', ''), p -> 'minCount')
                    FROM jsonb_path_query(s.spec, '$.podSets[*]') p)::text,
                   (SELECT string_agg(DISTINCT b.id::text, ',')
                    FROM (SELECT t.stopped_for AS job, t.ended_at AS until FROM attempts t
                          WHERE t.job_id = j.id AND t.stopped_for IS NOT NULL
                          UNION ALL
                          SELECT a.leaving_for, COALESCE(a.released_at, now()) FROM allocations a
                          WHERE a.job_id = j.id AND a.leaving_for IS NOT NULL
                          UNION ALL
                          SELECT j.stopping_for, now()) w
                    JOIN jobs b ON b.id = w.job AND b.state = 'QUEUED' AND b.queued_since <= w.until),
                   CASE WHEN g.wants_more THEN (s.spec -> 'podSets')::text END,
                   CASE WHEN g.wants_more THEN (s.spec -> 'topology')::text END, j.submitted_by
            FROM jobs j JOIN job_specs s ON s.job_id = j.id
                 CROSS JOIN LATERAL (SELECT s.spec -> 'preemption' AS terms) v
                 CROSS JOIN LATERAL (SELECT {wants_more} AS wants_more) g
            WHERE {running}
            UNION ALL
            SELECT 7, a.job_id, a.node_id, a.rank, a.device_milli, a.cpu_milli, a.memory_mib, a.mig_start, a.mig_units,
                   NULL, NULL, NULL, NULL, NULL, a.leaving IS NOT NULL, false, a.pod_set, a.flavor, a.device_ids::text,
                   a.nic_group_ids::text, a.mig_profile, a.leaving_for::text, NULL
            FROM jobs j JOIN allocations a ON a.job_id = j.id AND a.attempt = j.attempt AND a.released_at IS NULL
            WHERE {running}
            UNION ALL
            SELECT 2, NULL, n.id, n.cluster_id, COALESCE(micros(n.closed_until), 0), n.cpu_milli, n.memory_mib,
                   n.pod_slots, n.held_cpu_milli, n.held_memory_mib, n.held_pods, NULL, NULL, NULL,
                   n.ready AND n.schedulable AND c.reachable AND NOT n.gone, n.gone,
                   n.name, n.flavor, array_to_json(n.domains)::text, c.name,
                   json_build_object('labels', n.labels, 'taints', n.taints)::text,
                   (SELECT json_agg(json_build_object('id', g.id, 'resource', g.resource, 'place', g.place,
                                                      'count', g.count, 'held', g.held) ORDER BY g.id)
                    FROM nic_groups g WHERE g.node_id = n.id AND g.count > 0)::text, NULL
            FROM nodes n JOIN clusters c ON c.id = n.cluster_id
            WHERE {nodes}
            UNION ALL
            SELECT 3, NULL, d.id, d.node_id, d.index, d.island, d.held_milli, d.held_units, NULL, NULL, NULL, NULL, NULL, NULL,
                   d.healthy, false, d.mig_layout, d.place, NULL, NULL, NULL, NULL, NULL
            FROM devices d
            WHERE {devices}
            UNION ALL
            SELECT 4, NULL, q.id, q.parent_id, q.fair_share_weight, q.strict::int, q.draining::int, q.max_running_jobs,
                   q.user_max_running_jobs, p.surplus, p.red, micros(p.counted_until), q.user_max_gpu_milli, NULL,
                   q.held, q.removed_at IS NOT NULL,
                   (SELECT json_agg(json_build_object('flavor', s.flavor, 'resource', s.resource, 'nominal', s.nominal,
                                                      'borrowing', s.borrowing_limit, 'lending', s.lending_limit))
                    FROM queue_quotas s WHERE s.queue_id = q.id)::text,
                   (SELECT json_agg(json_build_object('flavor', u.flavor, 'lane', u.lane, 'gpuMilli', u.gpu_milli,
                                                      'cpuMilli', u.cpu_milli, 'memoryMib', u.memory_mib))
                    FROM queue_use u WHERE u.queue_id = q.id)::text,
                   q.path, q.max_whole_nodes::text, NULL, NULL, NULL
            FROM queues q LEFT JOIN queue_pasts p ON p.queue_id = q.id
            WHERE {queues}
            UNION ALL
            SELECT 5, r.id, 0, NULL, NULL, NULL, micros(r.submitted_at), NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                   false, false, NULL,
                   (SELECT (s.spec -> 'podSets')::text FROM job_specs s WHERE s.job_id = r.id), NULL, NULL, NULL, NULL, NULL
            FROM (SELECT j.id, j.state, j.waits_for_parents, j.submitted_at FROM jobs j WHERE {recent}
                  ORDER BY j.submitted_at DESC, j.id DESC LIMIT {count}) r
            WHERE r.state <> 'QUEUED' OR r.waits_for_parents""";

    /** It runs, has fewer members than it wants, and none of them has ended: one that is ending gets no more. */
    private static final String WANTS_MORE = """
            j.state = 'RUNNING'
            AND (SELECT sum(whole_number(p -> 'count')) FROM jsonb_path_query(s.spec, '$.podSets[*]') p)
                > (SELECT CASE WHEN bool_or(a.released_at IS NOT NULL) THEN NULL ELSE count(*) END FROM allocations a
                   WHERE a.job_id = j.id AND a.attempt = j.attempt AND a.leaving IS NULL)""";

    /** A job whose last additional member could not start is left alone for a while. */
    private static final String NOT_BEFORE = """
            GREATEST(COALESCE(micros(j.not_before), 0),
                     COALESCE((SELECT max(micros(COALESCE(a.released_at, now()))) + {rest_micros}
                               FROM allocations a
                               WHERE a.job_id = j.id AND a.attempt = j.attempt
                                 AND a.leaving IN ('NOT_READY_IN_TIME', 'REJECTED_BY_NODE', 'NODE_LOST', 'DEVICE_LOST')),
                              0))""";

    private ChangeSql() {}

    /** The statement with these conditions on waiting and other jobs j, on live jobs j, nodes n, devices d, queues q and recent jobs j. */
    static String statement(String jobs, String running, String nodes, String devices, String queues, String recent) {
        return STATEMENT
                .replace("{lanes}", LaneRows.SELECT)
                .replace("{wants_more}", WANTS_MORE)
                .replace("{not_before}", NOT_BEFORE)
                .replace("{rest_micros}", Long.toString(Backoff.OF_GROWTH.toNanos() / 1000))
                .replace("{jobs}", jobs)
                .replace("{running}", running)
                .replace("{nodes}", nodes)
                .replace("{devices}", devices)
                .replace("{queues}", queues)
                .replace("{recent}", recent)
                .replace("{count}", Integer.toString(ChangeFeed.RECENT_JOBS));
    }
}
