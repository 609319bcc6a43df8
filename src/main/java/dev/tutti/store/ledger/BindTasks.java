package dev.tutti.store.ledger;

import dev.tutti.control.BindTask;
import dev.tutti.control.PodOrder;
import dev.tutti.model.AllocationId;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.store.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/**
 * Makes tasks of rows: all of a pod order in the one statement that found the tasks. One that cannot be read is left
 * out, so that it never stops the others (house rule R10); its deadline ends it.
 */
final class BindTasks {

    /** Goes on after a common table expression {@code task}. */
    static final String SELECT = """
            SELECT task.allocation_id, task.generation, task.wish, task.cluster_id, task.may_have_bound, task.tries,
                   a.job_id, a.attempt, a.rank, a.pod_set, a.device_milli, a.cpu_milli, a.memory_mib, a.pod_uid,
                   a.mig_profile, a.mig_start, a.mig_units,
                   n.name AS node, t.members, s.spec::text AS spec,
                   ARRAY (SELECT d.index FROM devices d WHERE d.id = ANY (a.device_ids) ORDER BY d.index) AS devices,
                   (SELECT json_agg(json_build_object('resource', g.resource, 'place', g.place, 'count', 1))
                    FROM unnest(a.nic_group_ids) AS x (id) JOIN nic_groups g ON g.id = x.id)::text AS nics
            FROM task
            JOIN allocations a ON a.id = task.allocation_id
            JOIN attempts t ON t.job_id = a.job_id AND t.number = a.attempt
            JOIN job_specs s ON s.job_id = a.job_id
            JOIN nodes n ON n.id = a.node_id
            ORDER BY task.due_at, task.allocation_id""";

    private static final Logger LOG = LoggerFactory.getLogger(BindTasks.class);

    private BindTasks() {}

    static List<BindTask> read(StatementSpec statement) {
        return statement.query(rows -> {
            Map<UUID, JobSpec> specs = new HashMap<>();
            List<BindTask> tasks = new ArrayList<>();
            while (rows.next()) {
                try {
                    tasks.add(task(rows, specs));
                } catch (RuntimeException e) {
                    LOG.error("task of allocation {} cannot be read", rows.getLong("allocation_id"), e);
                }
            }
            return tasks;
        });
    }

    private static BindTask task(ResultSet row, Map<UUID, JobSpec> specs) throws SQLException {
        UUID job = row.getObject("job_id", UUID.class);
        BindTask.Wish wish = BindTask.Wish.valueOf(row.getString("wish"));
        return new BindTask(
                new AllocationId(row.getLong("allocation_id")),
                row.getLong("generation"),
                wish,
                new ClusterId(row.getLong("cluster_id")),
                order(row, new JobId(job), wish, specs),
                row.getString("pod_uid"),
                row.getBoolean("may_have_bound"),
                row.getInt("tries"));
    }

    /** To take a pod away its name is enough: what it was asked to be need not be known. */
    private static PodOrder order(ResultSet row, JobId job, BindTask.Wish wish, Map<UUID, JobSpec> specs)
            throws SQLException {
        try {
            JobSpec spec = specs.get(job.value());
            if (spec == null) {
                spec = Objects.requireNonNull(Json.read(row.getString("spec"), JobSpec.class));
                specs.put(job.value(), spec);
            }
            return order(row, job, spec);
        } catch (RuntimeException e) {
            if (wish != BindTask.Wish.DELETE) {
                throw e;
            }
            LOG.warn("the stored spec of job {} cannot be read: {}", job, e.getMessage());
            return order(row, job, spec(job, row.getString("pod_set")));
        }
    }

    /** Any spec with this pod set. */
    private static JobSpec spec(JobId job, String podSet) {
        PodTemplate unknown = new PodTemplate("unknown", List.of(), List.of(), Map.of());
        return new JobSpec(
                job.toString(),
                job.toString(),
                Lane.GREEN,
                0,
                List.of(new PodSet(podSet, 1, 1, new GpuRequest.None(), List.of(), 1_000, 1_024, unknown)),
                TopologyWish.NONE,
                null,
                0,
                0,
                Map.of());
    }

    private static @Nullable MigInstance mig(ResultSet row) throws SQLException {
        String profile = row.getString("mig_profile");
        return profile == null ? null : new MigInstance(profile, row.getInt("mig_start"), row.getInt("mig_units"));
    }

    private static List<NicGroup> nics(@Nullable String json) {
        return json == null ? List.of() : List.of(Json.read(json, NicGroup[].class));
    }

    private static PodOrder order(ResultSet row, JobId job, JobSpec spec) throws SQLException {
        String podSet = row.getString("pod_set");
        PodSet set = spec.podSets().stream()
                .filter(one -> one.name().equals(podSet))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("job " + job + " has no pod set " + podSet));
        int attempt = row.getInt("attempt");
        int rank = row.getInt("rank");
        List<Integer> devices =
                Arrays.asList((Integer[]) row.getArray("devices").getArray());
        return new PodOrder(
                PodName.of(job, attempt, rank),
                new AllocationId(row.getLong("allocation_id")),
                job,
                spec.name(),
                attempt,
                rank,
                podSet,
                row.getInt("members"),
                row.getString("node"),
                set.gpus() instanceof GpuRequest.Whole ? devices.size() : 0,
                set.gpus() instanceof GpuRequest.Share ? row.getInt("device_milli") : 0,
                devices,
                mig(row),
                row.getLong("cpu_milli"),
                row.getLong("memory_mib"),
                set.nodes(),
                spec.graceSeconds(),
                spec.expectedRuntimeSeconds(),
                set.template(),
                nics(row.getString("nics")));
    }
}
