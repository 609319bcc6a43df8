package dev.tutti.store.ledger;

import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.job.StartAfter;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.store.Columns;
import dev.tutti.store.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads runs: the job row and the members of its live attempt, of one snapshot. */
public final class RunReader {

    private static final String RUNS = """
            SELECT j.id, j.version, j.state, j.cause, j.suspend, j.attempt, j.failures, j.max_failures,
                   a.id AS allocation, a.pod_set, a.rank, a.node_id, a.phase, a.pod_uid, a.cause AS member_cause, a.leaving,
                   a.start_after::text AS start_after
            FROM jobs j
            LEFT JOIN allocations a ON a.job_id = j.id AND a.attempt = j.attempt
                 AND j.state IN ('ALLOCATED', 'RUNNING', 'STOPPING')
            WHERE j.id = ANY (:jobs::uuid[])
            ORDER BY j.id, a.rank""";

    private static final String RUNS_OF = """
            SELECT j.id, j.version, j.state, j.cause, j.suspend, j.attempt, j.failures, j.max_failures,
                   a.id AS allocation, a.pod_set, a.rank, a.node_id, a.phase, a.pod_uid, a.cause AS member_cause, a.leaving,
                   a.start_after::text AS start_after
            FROM (SELECT DISTINCT job_id, attempt FROM allocations WHERE id = ANY (:allocations)) named
            JOIN jobs j ON j.id = named.job_id AND j.attempt = named.attempt
                 AND j.state IN ('ALLOCATED', 'RUNNING', 'STOPPING')
            JOIN allocations a ON a.job_id = j.id AND a.attempt = j.attempt
            ORDER BY j.id, a.rank""";

    private RunReader() {}

    /** The runs of these jobs, by job id; unknown ids are left out. */
    public static List<JobRun> runs(JdbcClient sql, Collection<JobId> jobs) {
        return sql.sql(RUNS).param("jobs", Columns.texts(jobs, JobId::value)).query(RunReader::collect);
    }

    static List<JobRun> runsOf(JdbcClient sql, Collection<AllocationId> allocations) {
        return sql.sql(RUNS_OF)
                .param("allocations", Columns.longs(allocations, AllocationId::value))
                .query(RunReader::collect);
    }

    private static List<JobRun> collect(ResultSet rows) throws SQLException {
        List<JobRun> runs = new ArrayList<>();
        JobRun run = null;
        List<Member> members = new ArrayList<>();
        while (rows.next()) {
            UUID id = rows.getObject("id", UUID.class);
            if (run == null || !run.job().value().equals(id)) {
                add(runs, run, members);
                run = run(id, rows);
                members = new ArrayList<>();
            }
            if (rows.getLong("allocation") != 0) {
                members.add(member(rows));
            }
        }
        add(runs, run, members);
        return runs;
    }

    private static void add(List<JobRun> runs, @Nullable JobRun run, List<Member> members) {
        if (run != null) {
            runs.add(new JobRun(
                    run.job(),
                    run.version(),
                    run.state(),
                    run.stopping(),
                    run.suspend(),
                    run.attempt(),
                    run.failures(),
                    run.maxFailures(),
                    members));
        }
    }

    private static JobRun run(UUID id, ResultSet rows) throws SQLException {
        return new JobRun(
                new JobId(id),
                rows.getLong("version"),
                JobState.valueOf(rows.getString("state")),
                cause(rows.getString("cause")),
                rows.getBoolean("suspend"),
                rows.getInt("attempt"),
                rows.getInt("failures"),
                rows.getInt("max_failures"),
                List.of());
    }

    private static Member member(ResultSet rows) throws SQLException {
        return new Member(
                new AllocationId(rows.getLong("allocation")),
                rows.getString("pod_set"),
                rows.getInt("rank"),
                new NodeId(rows.getLong("node_id")),
                MemberPhase.valueOf(rows.getString("phase")),
                rows.getString("pod_uid"),
                cause(rows.getString("member_cause")),
                cause(rows.getString("leaving")),
                startAfter(rows.getString("start_after")));
    }

    private static List<StartAfter> startAfter(@Nullable String json) {
        return json == null ? List.of() : List.of(Json.read(json, StartAfter[].class));
    }

    private static @Nullable EndCause cause(@Nullable String name) {
        return name == null ? null : EndCause.valueOf(name);
    }
}
