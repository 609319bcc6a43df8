package dev.tutti.simulation;

import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.job.Lane;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.Use;
import dev.tutti.testkit.Truth;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads the tables themselves. */
final class SqlTruth implements Truth {

    private static final String LIVE = """
            SELECT j.id AS job, q.path, a.lane, j.state, j.attempt, a.id, a.rank, c.name AS cluster, n.name AS node, a.flavor,
                   a.device_milli, a.mig_profile, a.mig_start, a.mig_units, a.phase, a.pod_uid,
                   ARRAY(SELECT d.index FROM devices d WHERE d.id = ANY (a.device_ids)) AS devices
            FROM jobs j JOIN queues q ON q.id = j.queue_id
            JOIN allocations a ON a.job_id = j.id AND a.attempt = j.attempt
            JOIN nodes n ON n.id = a.node_id JOIN clusters c ON c.id = n.cluster_id
            WHERE j.state IN ('ALLOCATED', 'RUNNING', 'STOPPING')
            ORDER BY j.id, a.rank""";

    private static final String HELD = """
            SELECT c.name || '/' || n.name || '/' || d.index AS key, d.held_milli AS value
            FROM devices d JOIN nodes n ON n.id = d.node_id JOIN clusters c ON c.id = n.cluster_id
            WHERE d.held_milli <> 0""";

    private static final String USED = """
            SELECT q.path || '/' || u.flavor AS key, sum(u.gpu_milli) FILTER (WHERE u.lane = 'green') AS green,
                   sum(u.gpu_milli) FILTER (WHERE u.lane = 'yellow') AS yellow,
                   sum(u.gpu_milli) FILTER (WHERE u.lane = 'red') AS red
            FROM queue_use u JOIN queues q ON q.id = u.queue_id GROUP BY q.path, u.flavor
            HAVING sum(u.gpu_milli) <> 0""";

    private static final String QUOTAS = """
            SELECT q.path || '/' || s.flavor AS key, s.nominal, s.borrowing_limit, s.lending_limit
            FROM queue_quotas s JOIN queues q ON q.id = s.queue_id
            WHERE s.resource = 'gpuMilli' AND q.removed_at IS NULL""";

    private final JdbcClient sql;

    SqlTruth(JdbcClient sql) {
        this.sql = sql;
    }

    @Override
    public List<Job> live() {
        Map<JobId, Job> jobs = new LinkedHashMap<>();
        sql.sql(LIVE).query(row -> {
            JobId id = new JobId(row.getObject("job", UUID.class));
            Job job = jobs.get(id);
            if (job == null) {
                job = new Job(
                        id,
                        row.getString("path"),
                        Lane.valueOf(row.getString("lane").toUpperCase(Locale.ROOT)),
                        JobState.valueOf(row.getString("state")),
                        row.getInt("attempt"),
                        new ArrayList<>());
                jobs.put(id, job);
            }
            job.members().add(member(row));
        });
        return List.copyOf(jobs.values());
    }

    private static Member member(ResultSet row) throws SQLException {
        Array devices = row.getArray("devices");
        String profile = row.getString("mig_profile");
        return new Member(
                new AllocationId(row.getLong("id")),
                row.getInt("rank"),
                row.getString("cluster"),
                row.getString("node"),
                row.getString("flavor"),
                List.of((Integer[]) devices.getArray()),
                row.getInt("device_milli"),
                profile == null ? null : new MigInstance(profile, row.getInt("mig_start"), row.getInt("mig_units")),
                MemberPhase.valueOf(row.getString("phase")),
                row.getString("pod_uid"));
    }

    @Override
    public Map<JobId, JobState> states() {
        Map<JobId, JobState> states = new HashMap<>();
        sql.sql("SELECT id, state FROM jobs").query(row -> {
            states.put(new JobId(row.getObject(1, UUID.class)), JobState.valueOf(row.getString(2)));
        });
        return states;
    }

    @Override
    public List<JobId> parents(JobId job) {
        return sql.sql("SELECT (d ->> 'value')::uuid FROM job_specs, jsonb_array_elements(spec -> 'dependsOn') d"
                        + " WHERE job_id = ?")
                .param(job.value())
                .query((row, n) -> new JobId(row.getObject(1, UUID.class)))
                .list();
    }

    @Override
    public String describe(JobId job) {
        return sql.sql("SELECT to_jsonb(j) || jsonb_build_object('spec', s.spec) FROM jobs j JOIN job_specs s"
                        + " ON s.job_id = j.id WHERE j.id = ?")
                .param(job.value())
                .query(String.class)
                .single();
    }

    @Override
    public Map<String, Long> heldMilli() {
        return sums(HELD);
    }

    @Override
    public Map<String, Use> used() {
        Map<String, Use> used = new HashMap<>();
        sql.sql(USED).query(row -> {
            used.put(row.getString("key"), new Use(row.getLong("green"), row.getLong("yellow"), row.getLong("red")));
        });
        return used;
    }

    @Override
    public Map<String, Quota> quotas() {
        Map<String, Quota> quotas = new HashMap<>();
        sql.sql(QUOTAS).query(row -> {
            quotas.put(
                    row.getString("key"),
                    new Quota(
                            row.getLong("nominal"),
                            row.getObject("borrowing_limit", Long.class),
                            row.getObject("lending_limit", Long.class)));
        });
        return quotas;
    }

    @Override
    public List<String> queues() {
        return sql.sql("SELECT path FROM queues WHERE removed_at IS NULL")
                .query(String.class)
                .list();
    }

    private Map<String, Long> sums(String query) {
        Map<String, Long> sums = new HashMap<>();
        sql.sql(query).query(row -> {
            sums.put(row.getString("key"), row.getLong("value"));
        });
        return sums;
    }

    @Override
    public int openTasks() {
        return sql.sql("SELECT count(*) FROM bind_tasks t JOIN allocations a ON a.id = t.allocation_id"
                        + " WHERE NOT t.done AND a.released_at IS NULL")
                .query(Integer.class)
                .single();
    }

    @Override
    public long term() {
        return sql.sql("SELECT term FROM leadership").query(Long.class).single();
    }
}
