package dev.tutti.store.work;

import dev.tutti.control.read.MemberView;
import dev.tutti.control.read.MemberView.HeldDevice;
import dev.tutti.control.read.PlaceView;
import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.store.Json;
import dev.tutti.store.Pages;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.springframework.jdbc.core.RowMapper;

/** Makes member views of rows, with the devices they hold or held. */
final class MemberViews implements RowMapper<MemberView> {

    static final String SELECT = """
            SELECT a.id, a.job_id, a.attempt, a.pod_set, a.rank, a.phase, COALESCE(a.cause, a.leaving) AS cause, c.name AS cluster, n.name AS node,
                   a.flavor, array_to_json(n.domains)::text AS domains, a.pod_uid, a.cpu_milli, a.memory_mib,
                   a.allocated_at, a.released_at,
                   (SELECT json_agg(json_build_object('id', d.id, 'index', d.index, 'uuid', d.uuid,
                                                      'island', d.island, 'milli', a.device_milli, 'mig',
                                                      CASE WHEN a.mig_profile IS NOT NULL THEN json_build_object(
                                                          'profile', a.mig_profile, 'start', a.mig_start,
                                                          'units', a.mig_units) END) ORDER BY d.index)
                    FROM devices d WHERE d.id = ANY (a.device_ids))::text AS devices,
                   (SELECT json_agg(json_build_object('resource', g.resource, 'place', g.place, 'count', 1))
                    FROM unnest(a.nic_group_ids) AS x (id) JOIN nic_groups g ON g.id = x.id)::text AS nics
            FROM jobs j
            JOIN allocations a ON a.job_id = j.id AND a.attempt = j.attempt
            JOIN nodes n ON n.id = a.node_id
            JOIN clusters c ON c.id = n.cluster_id
            WHERE j.id = :id AND a.rank > :after
            ORDER BY a.rank LIMIT :rows""";

    /** By flavor and domain of what lives: a few rows, however many members. */
    static final String PLACES = """
            SELECT c.name AS cluster, a.flavor, array_to_json(n.domains)::text AS domains, count(DISTINCT n.id) AS nodes,
                   count(*) AS pods, sum(cardinality(a.device_ids)::bigint * a.device_milli)::bigint AS gpu_milli
            FROM jobs j
            JOIN allocations a ON a.job_id = j.id AND a.attempt = j.attempt AND a.released_at IS NULL
            JOIN nodes n ON n.id = a.node_id
            JOIN clusters c ON c.id = n.cluster_id
            WHERE j.id = :id
            GROUP BY c.name, a.flavor, n.domains
            ORDER BY pods DESC, c.name, a.flavor, n.domains LIMIT :rows""";

    private final TopologyLevels levels;

    MemberViews(TopologyLevels levels) {
        this.levels = levels;
    }

    @Override
    public MemberView mapRow(ResultSet row, int number) throws SQLException {
        JobId job = new JobId(row.getObject("job_id", UUID.class));
        int attempt = row.getInt("attempt");
        int rank = row.getInt("rank");
        String cause = row.getString("cause");
        String devices = row.getString("devices");
        String nics = row.getString("nics");
        return new MemberView(
                new AllocationId(row.getLong("id")),
                attempt,
                row.getString("pod_set"),
                rank,
                MemberPhase.valueOf(row.getString("phase")),
                cause == null ? null : EndCause.valueOf(cause),
                row.getString("cluster"),
                row.getString("node"),
                row.getString("flavor"),
                domains(Json.read(row.getString("domains"), String[].class)),
                PodName.of(job, attempt, rank),
                row.getString("pod_uid"),
                devices == null ? List.of() : List.of(Json.read(devices, HeldDevice[].class)),
                row.getLong("cpu_milli"),
                row.getLong("memory_mib"),
                Objects.requireNonNull(Pages.instant(row, "allocated_at")),
                Pages.instant(row, "released_at"),
                nics == null ? List.of() : NicGroup.merged(List.of(Json.read(nics, NicGroup[].class))));
    }

    PlaceView place(ResultSet row) throws SQLException {
        return new PlaceView(
                row.getString("cluster"),
                row.getString("flavor"),
                domains(Json.read(row.getString("domains"), String[].class)),
                row.getInt("nodes"),
                row.getInt("pods"),
                row.getLong("gpu_milli"));
    }

    private List<String> domains(String[] domains) {
        List<String> named = new ArrayList<>();
        for (int i = 0; i < Math.min(domains.length, levels.levels().size()); i++) {
            if (!domains[i].isEmpty()) {
                named.add(levels.levels().get(i).name() + "=" + domains[i]);
            }
        }
        return named;
    }
}
