package dev.tutti.store.ledger;

import dev.tutti.allocator.Plan.Placement;
import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.store.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/**
 * Writes placements in three statements, four with RDMA NICs, whatever their number: the job rows that still are what
 * they were decided on, their members, and what the members hold and wish for. What is held in sum is counted and checked
 * by triggers.
 */
final class PlacementWriter {

    /** Takes the jobs whose version, nodes and devices still are as they were; the others drop out. */
    private static final String TAKE = """
            WITH wanted AS (
                SELECT * FROM unnest(:jobs::uuid[], :versions::bigint[], :grows::boolean[]) AS w (id, version, grows)
            ), member AS (
                SELECT * FROM unnest(:memberJobs::uuid[], :nodes::bigint[], :flavors::text[], :devices::text[],
                                     :migProfiles::text[], :nics::text[])
                    AS m (job, node_id, flavor, devices, mig_profile, nics)
            ), unfit AS MATERIALIZED (
                SELECT m.job FROM member m
                LEFT JOIN nodes n ON n.id = m.node_id
                LEFT JOIN clusters c ON c.id = n.cluster_id
                WHERE n.id IS NULL OR n.gone OR NOT n.ready OR NOT n.schedulable OR NOT c.reachable
                   OR n.closed_until > now() OR n.flavor <> m.flavor
                UNION
                SELECT m.job FROM member m
                CROSS JOIN LATERAL unnest(m.devices::bigint[]) AS x (id)
                LEFT JOIN devices d ON d.id = x.id AND d.node_id = m.node_id
                WHERE d.id IS NULL OR NOT d.healthy OR (m.mig_profile IS NOT NULL AND d.mig_layout IS NULL)
                UNION
                SELECT m.job FROM member m
                CROSS JOIN LATERAL unnest(m.nics::bigint[]) AS x (id)
                LEFT JOIN nic_groups g ON g.id = x.id AND g.node_id = m.node_id
                WHERE g.id IS NULL
            ), fresh AS MATERIALIZED (
                SELECT j.id FROM jobs j JOIN wanted w ON w.id = j.id AND w.version = j.version
                WHERE CASE WHEN w.grows THEN j.state = 'RUNNING' ELSE j.state = 'QUEUED' AND NOT j.waits_for_parents END
                  AND NOT EXISTS (SELECT 1 FROM unfit u WHERE u.job = j.id)
                ORDER BY j.id FOR NO KEY UPDATE OF j
            )
            UPDATE jobs j SET
                state = CASE j.state WHEN 'QUEUED' THEN 'ALLOCATED' ELSE j.state END, version = j.version + 1,
                attempt = CASE j.state WHEN 'QUEUED' THEN j.attempt + 1 ELSE j.attempt END, cause = NULL,
                reason_code = NULL, reason = NULL, reason_since = NULL, not_before = NULL, queued_since = NULL,
                allocated_at = CASE j.state WHEN 'QUEUED' THEN now() ELSE j.allocated_at END,
                started_at = CASE j.state WHEN 'QUEUED' THEN NULL ELSE j.started_at END
            FROM fresh WHERE j.id = fresh.id
            RETURNING j.id, j.attempt, j.queue_id, j.lane""";

    private static final String MEMBERS = """
            WITH taken AS (
                SELECT * FROM unnest(:jobs::uuid[], :attempts::int[], :queues::bigint[], :lanes::text[],
                                     :counts::int[], :gpuMillis::bigint[], :grows::boolean[])
                    AS t (job, attempt, queue_id, lane, members, gpu_milli, grows)
            ), staged AS (
                SELECT t.job, jsonb_object_agg(p ->> 'name', p -> 'startAfter') AS sets
                FROM taken t JOIN job_specs s ON s.job_id = t.job
                CROSS JOIN LATERAL jsonb_path_query(
                    s.spec, '$.podSets[*] ? (@.startAfter.size() > 0 && @.name.type() == "string")') p
                GROUP BY t.job
            ), late AS MATERIALIZED (
                SELECT t.job, x.pod_set, x.start_after
                FROM taken t JOIN staged g ON g.job = t.job
                CROSS JOIN LATERAL jsonb_each(g.sets) AS x (pod_set, start_after)
                WHERE NOT t.grows OR EXISTS (
                    SELECT 1 FROM allocations w WHERE w.job_id = t.job AND w.attempt = t.attempt
                       AND w.pod_set = x.pod_set AND w.phase = 'WAITING')
            ), opened AS (
                INSERT INTO attempts (job_id, number, members, gpu_milli)
                SELECT job, attempt, members, gpu_milli FROM taken WHERE NOT grows
            ), grown AS (
                UPDATE attempts o SET members = o.members + t.members, gpu_milli = o.gpu_milli + t.gpu_milli
                FROM taken t WHERE t.grows AND o.job_id = t.job AND o.number = t.attempt
            )
            INSERT INTO allocations (job_id, attempt, rank, pod_set, queue_id, lane, node_id, flavor, gpu_milli,
                                     cpu_milli, memory_mib, device_ids, device_milli, nic_group_ids, mig_profile, mig_start,
                                     mig_units, phase, start_after)
            SELECT m.job, t.attempt, m.rank, m.pod_set, t.queue_id, t.lane, m.node_id, m.flavor,
                   cardinality(m.devices::bigint[])::bigint * m.milli, m.cpu_milli, m.memory_mib,
                   m.devices::bigint[], m.milli, m.nics::bigint[], m.mig_profile,
                   CASE WHEN m.mig_profile IS NOT NULL THEN m.mig_start END,
                   CASE WHEN m.mig_profile IS NOT NULL THEN m.mig_units END,
                   CASE WHEN l.start_after IS NULL THEN 'COMMITTED' ELSE 'WAITING' END, l.start_after
            FROM unnest(:memberJobs::uuid[], :ranks::int[], :podSets::text[], :nodes::bigint[], :flavors::text[],
                        :devices::text[], :millis::int[], :cpuMillis::bigint[], :memoryMibs::bigint[],
                        :nics::text[], :migProfiles::text[], :migStarts::int[], :migUnits::int[])
                AS m (job, rank, pod_set, node_id, flavor, devices, milli, cpu_milli, memory_mib,
                      nics, mig_profile, mig_start, mig_units)
            JOIN taken t ON t.job = m.job
            LEFT JOIN late l ON l.job = m.job AND l.pod_set = m.pod_set
            ORDER BY m.job, m.rank""";

    private static final String HOLD = """
            WITH member AS (
                SELECT a.id, a.node_id, a.device_ids, a.device_milli, a.mig_start, a.mig_units, a.phase FROM allocations a
                JOIN unnest(:jobs::uuid[], :attempts::int[], :firstRanks::int[]) AS t (job, attempt, first_rank)
                  ON t.job = a.job_id AND t.attempt = a.attempt AND a.rank >= t.first_rank
            ), held AS (
                INSERT INTO allocation_devices (allocation_id, device_id, milli, mig_start, mig_units)
                SELECT m.id, x.id, m.device_milli, m.mig_start, m.mig_units
                FROM member m CROSS JOIN LATERAL unnest(m.device_ids) AS x (id)
            )
            INSERT INTO bind_tasks (allocation_id, cluster_id, wish, due_at)
            SELECT m.id, n.cluster_id, 'BIND', CASE m.phase WHEN 'WAITING' THEN 'infinity' ELSE now() END FROM member m JOIN nodes n ON n.id = m.node_id""";

    /** After the devices: groups of NICs are locked last. */
    private static final String HOLD_NICS = """
            INSERT INTO allocation_nics (allocation_id, nic_group_id, count)
            SELECT a.id, x.id, count(*) FROM allocations a
            JOIN unnest(:jobs::uuid[], :attempts::int[], :firstRanks::int[]) AS t (job, attempt, first_rank)
              ON t.job = a.job_id AND t.attempt = a.attempt AND a.rank >= t.first_rank
            CROSS JOIN LATERAL unnest(a.nic_group_ids) AS x (id)
            GROUP BY a.id, x.id""";

    private PlacementWriter() {}

    /** Writes the placements that still hold, and returns them; the others are stale. */
    static List<Taken> write(JdbcClient sql, List<Placement> batch) {
        List<Taken> taken = take(sql, batch);
        if (!taken.isEmpty()) {
            writeMembers(sql, taken);
            hold(sql, HOLD, taken);
            if (taken.stream().anyMatch(Taken::hasNics)) {
                hold(sql, HOLD_NICS, taken);
            }
        }
        return taken;
    }

    private static void hold(JdbcClient sql, String statement, List<Taken> taken) {
        sql.sql(statement)
                .param("jobs", Columns.texts(taken, one -> one.job().value()))
                .param("attempts", Columns.ints(taken, Taken::attempt))
                .param("firstRanks", Columns.ints(taken, one -> one.placement().firstRank()))
                .update();
    }

    private static List<Taken> take(JdbcClient sql, List<Placement> batch) {
        Map<UUID, Placement> byJob = batch.stream()
                .collect(Collectors.toMap(placement -> placement.job().value(), Function.identity()));
        StatementSpec statement = sql.sql(TAKE)
                .param("jobs", Columns.texts(batch, placement -> placement.job().value()))
                .param("versions", Columns.longs(batch, Placement::jobVersion))
                .param("grows", Columns.flags(batch, Placement::grows));
        return where(statement, members(batch))
                .query((row, n) -> new Taken(
                        Objects.requireNonNull(byJob.get(row.getObject("id", UUID.class))),
                        row.getInt("attempt"),
                        row.getLong("queue_id"),
                        row.getString("lane")))
                .list();
    }

    private static void writeMembers(JdbcClient sql, List<Taken> taken) {
        List<OfJob> members = members(taken.stream().map(Taken::placement).toList());
        StatementSpec statement = sql.sql(MEMBERS)
                .param("jobs", Columns.texts(taken, one -> one.job().value()))
                .param("attempts", Columns.ints(taken, Taken::attempt))
                .param("queues", Columns.longs(taken, Taken::queue))
                .param("lanes", Columns.texts(taken, Taken::lane))
                .param("counts", Columns.ints(taken, Taken::members))
                .param("gpuMillis", Columns.longs(taken, Taken::gpuMilli))
                .param("grows", Columns.flags(taken, one -> one.placement().grows()))
                .param("ranks", Columns.ints(members, member -> member.pod().rank()))
                .param("podSets", Columns.texts(members, member -> member.pod().podSet()))
                .param("millis", Columns.ints(members, OfJob::milli))
                .param("migStarts", Columns.ints(members, OfJob::migStart))
                .param("migUnits", Columns.ints(members, OfJob::migUnits))
                .param(
                        "cpuMillis",
                        Columns.longs(members, member -> member.pod().cpuMilli()))
                .param(
                        "memoryMibs",
                        Columns.longs(members, member -> member.pod().memoryMib()));
        where(statement, members).update();
    }

    private static StatementSpec where(StatementSpec statement, List<OfJob> members) {
        return statement
                .param("memberJobs", Columns.texts(members, OfJob::job))
                .param(
                        "nodes",
                        Columns.longs(members, member -> member.pod().node().value()))
                .param("flavors", Columns.texts(members, member -> member.pod().flavor()))
                .param("migProfiles", Columns.texts(members, OfJob::migProfile))
                .param(
                        "devices",
                        Columns.texts(
                                members, member -> Columns.array(member.pod().devices())))
                .param(
                        "nics",
                        Columns.texts(
                                members, member -> Columns.array(member.pod().nics())));
    }

    private static List<OfJob> members(List<Placement> placements) {
        List<OfJob> members = new ArrayList<>();
        for (Placement placement : placements) {
            placement
                    .members()
                    .forEach(pod -> members.add(new OfJob(placement.job().value(), pod)));
        }
        return members;
    }

    private record OfJob(UUID job, PodPlacement pod) {

        int milli() {
            return pod.devices().isEmpty() ? 0 : pod.milliPerDevice();
        }

        @Nullable
        String migProfile() {
            return pod.mig() == null ? null : pod.mig().profile();
        }

        int migStart() {
            return pod.mig() == null ? 0 : pod.mig().start();
        }

        int migUnits() {
            return pod.mig() == null ? 0 : pod.mig().units();
        }
    }
}
