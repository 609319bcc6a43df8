package dev.tutti.store.ledger;

import dev.tutti.control.Actor;
import dev.tutti.control.Backoff;
import dev.tutti.control.Ledger.Change;
import dev.tutti.model.JobId;
import dev.tutti.store.Columns;
import dev.tutti.store.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Writes what {@code JobLife} decided, inside an open transaction: a constant number of statements, whatever the number
 * of jobs and members. Capacity is freed by triggers when a member's release is written.
 */
public final class RunWriter {

    private static final String LOCK = """
            SELECT j.id, j.back_offs, j.stopping_for,
                   COALESCE(j.started_at <= now() - make_interval(secs => :forgiven), false) AS ran_well
            FROM jobs j
            JOIN unnest(:jobs::uuid[], :versions::bigint[]) AS w (id, version) ON w.id = j.id AND w.version = j.version
            ORDER BY j.id FOR NO KEY UPDATE OF j""";

    /** Steps between, where a job went through a state so fast that nobody saw it: the table of R8 knows no short cut. */
    private static final String PASS = """
            UPDATE jobs j SET state = u.state,
                started_at = CASE WHEN u.state = 'RUNNING' THEN now() ELSE j.started_at END
            FROM unnest(:jobs::uuid[], :states::text[]) AS u (id, state)
            WHERE j.id = u.id""";

    private static final String JOBS = """
            UPDATE jobs j SET
                version = j.version + 1, state = u.state, cause = u.cause, stopping_for = u.stopping_for,
                suspend = u.suspend, failures = u.failures,
                back_offs = CASE WHEN u.requeued THEN u.back_offs ELSE j.back_offs END,
                not_before = CASE WHEN u.requeued THEN CASE WHEN u.delay_ms > 0
                    THEN now() + u.delay_ms * interval '1 millisecond' END ELSE j.not_before END,
                reason_code = CASE WHEN NOT u.moved THEN j.reason_code
                    WHEN u.state = 'QUEUED' AND j.waits_for_parents THEN 'DEPENDENCY' ELSE u.reason_code END,
                reason = CASE WHEN NOT u.moved THEN j.reason
                    WHEN u.state = 'QUEUED' AND j.waits_for_parents THEN :dependency::jsonb ELSE u.reason::jsonb END,
                reason_since = CASE WHEN u.moved THEN CASE WHEN u.reason_code IS NOT NULL THEN now() END
                    ELSE j.reason_since END,
                ran_micros = CASE WHEN u.anew THEN 0
                    WHEN u.halts THEN j.ran_micros + micros(now()) - micros(j.started_at) ELSE j.ran_micros END,
                queued_micros = CASE WHEN u.attempt_ends THEN 0
                    WHEN u.moved AND j.state = 'QUEUED' THEN j.queued_micros + micros(now()) - micros(j.queued_since)
                    ELSE j.queued_micros END,
                parents_micros = CASE WHEN u.attempt_ends THEN 0 ELSE j.parents_micros END,
                queued_since = CASE WHEN u.moved THEN CASE WHEN u.state = 'QUEUED' THEN now() END
                    ELSE j.queued_since END,
                started_at = CASE WHEN u.moved AND u.state = 'RUNNING' THEN now() ELSE j.started_at END,
                ended_at = CASE WHEN u.final THEN COALESCE(j.ended_at, now()) END
            FROM unnest(:jobs::uuid[], :states::text[], :causes::text[], :suspends::boolean[], :failures::int[],
                        :backOffs::int[], :delays::bigint[], :reasonCodes::text[], :reasons::text[], :moved::boolean[],
                        :requeued::boolean[], :finals::boolean[], :attemptEnds::boolean[], :halts::boolean[], :anews::boolean[],
                        :stoppingFor::uuid[])
                AS u (id, state, cause, suspend, failures, back_offs, delay_ms, reason_code, reason, moved, requeued,
                      final, attempt_ends, halts, anew, stopping_for)
            WHERE j.id = u.id""";

    private static final String ATTEMPTS = """
            UPDATE attempts t SET
                started_at = COALESCE(t.started_at, CASE WHEN u.started THEN now() END),
                ended_at = CASE WHEN u.ended THEN now() END,
                cause = u.cause, stopped_for = u.stopped_for
            FROM unnest(:jobs::uuid[], :attempts::int[], :started::boolean[], :ended::boolean[], :causes::text[],
                        :stoppedFor::uuid[])
                AS u (job, number, started, ended, cause, stopped_for)
            WHERE t.job_id = u.job AND t.number = u.number AND t.ended_at IS NULL""";

    private RunWriter() {}

    /** Writes the changes whose job still has the version it was read at; returns those jobs. */
    public static Set<JobId> write(JdbcClient sql, Collection<Change> changes, Actor actor) {
        return write(sql, changes, Map.of(), actor);
    }

    /**
     * The same, of jobs that may stop for others.
     *
     * @param beneficiaries for whom, by the job that stops
     */
    static Set<JobId> write(JdbcClient sql, Collection<Change> changes, Map<JobId, JobId> beneficiaries, Actor actor) {
        List<RunStep> steps = lock(sql, changes, beneficiaries);
        if (steps.isEmpty()) {
            return Set.of();
        }
        passThrough(sql, steps.stream().filter(step -> step.between() != null).toList());
        writeJobs(sql, steps);
        MemberWriter.write(sql, steps);
        closeAttempts(sql, steps.stream().filter(RunStep::movesAttempt).toList());
        ParentEnds.write(
                sql,
                steps.stream().filter(step -> step.after().state().isFinal()).toList());
        RunTale.tell(steps, actor).write(sql);
        return steps.stream().map(RunStep::job).collect(Collectors.toCollection(HashSet::new));
    }

    private static List<RunStep> lock(JdbcClient sql, Collection<Change> changes, Map<JobId, JobId> beneficiaries) {
        Map<UUID, Change> byJob = changes.stream()
                .collect(Collectors.toMap(change -> change.before().job().value(), change -> change));
        List<RunStep> steps = new ArrayList<>();
        sql.sql(LOCK)
                .param("forgiven", Backoff.FORGIVEN_AFTER.toSeconds())
                .param(
                        "jobs",
                        Columns.texts(changes, change -> change.before().job().value()))
                .param(
                        "versions",
                        Columns.longs(changes, change -> change.before().version()))
                .query(row -> {
                    Change change = Objects.requireNonNull(byJob.get(row.getObject("id", UUID.class)));
                    int earlier = row.getBoolean("ran_well") ? 0 : row.getInt("back_offs");
                    UUID stoppingFor = row.getObject("stopping_for", UUID.class);
                    JobId beneficiary = stoppingFor == null
                            ? beneficiaries.get(change.before().job())
                            : new JobId(stoppingFor);
                    steps.add(new RunStep(change.before(), change.after(), earlier, beneficiary));
                });
        return steps;
    }

    private static void passThrough(JdbcClient sql, List<RunStep> steps) {
        if (!steps.isEmpty()) {
            sql.sql(PASS)
                    .param("jobs", Columns.texts(steps, step -> step.job().value()))
                    .param("states", Columns.texts(steps, RunStep::between))
                    .update();
        }
    }

    private static void writeJobs(JdbcClient sql, List<RunStep> steps) {
        sql.sql(JOBS)
                .param("jobs", Columns.texts(steps, step -> step.job().value()))
                .param("states", Columns.texts(steps, step -> step.after().state()))
                .param("causes", Columns.texts(steps, RunStep::cause))
                .param("suspends", Columns.flags(steps, step -> step.after().suspend()))
                .param("failures", Columns.ints(steps, step -> step.after().failures()))
                .param("backOffs", Columns.ints(steps, RunStep::backOffs))
                .param("delays", Columns.longs(steps, step -> step.delay().toMillis()))
                .param("reasonCodes", Columns.texts(steps, RunStep::reasonCode))
                .param("reasons", Columns.texts(steps, RunStep::reasonJson))
                .param("dependency", Json.write(Reasons.DEPENDENCY))
                .param("moved", Columns.flags(steps, RunStep::moved))
                .param("requeued", Columns.flags(steps, RunStep::requeued))
                .param("attemptEnds", Columns.flags(steps, RunStep::endsAttempt))
                .param("halts", Columns.flags(steps, RunStep::halts))
                .param("anews", Columns.flags(steps, RunStep::beginsAnew))
                .param("stoppingFor", Columns.texts(steps, RunStep::stoppingFor))
                .param(
                        "finals",
                        Columns.flags(steps, step -> step.after().state().isFinal()))
                .update();
    }

    private static void closeAttempts(JdbcClient sql, List<RunStep> steps) {
        if (!steps.isEmpty()) {
            sql.sql(ATTEMPTS)
                    .param("jobs", Columns.texts(steps, step -> step.job().value()))
                    .param("attempts", Columns.ints(steps, step -> step.before().attempt()))
                    .param("started", Columns.flags(steps, RunStep::starts))
                    .param("ended", Columns.flags(steps, RunStep::endsAttempt))
                    .param("causes", Columns.texts(steps, step -> step.after().stopping()))
                    .param("stoppedFor", Columns.texts(steps, RunStep::stoppedFor))
                    .update();
        }
    }
}
