package dev.tutti.store.work;

import dev.tutti.control.Actor;
import dev.tutti.control.JobBook.Steered;
import dev.tutti.control.Ledger.Change;
import dev.tutti.control.intake.Scaling;
import dev.tutti.control.intake.SpecChange;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.JobRun;
import dev.tutti.store.Json;
import dev.tutti.store.ledger.RunWriter;
import dev.tutti.store.stream.Journal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Changes what one job asks for; the caller holds the lock of its row. */
final class SpecWriter {

    private static final String WRITE = """
            WITH changed AS (
                UPDATE jobs SET version = version + 1, lane = :lane, priority = :priority,
                    max_runtime_seconds = :runtime::text::int, deadline = :deadline::text::timestamptz,
                    max_queue_seconds = :wait::text::int
                WHERE id = :job
            )
            UPDATE job_specs SET spec = :spec::jsonb WHERE job_id = :job""";

    private static final Steered UNREADABLE = new Steered.Refused(
            new Violation(
                    "podSets", "are stored so that they cannot be read, and so nothing of the job can be changed"),
            true);

    private SpecWriter() {}

    static Steered write(JdbcClient sql, JobRun run, UnaryOperator<JobSpec> patch, Actor.Caller caller) {
        JobSpec before = spec(sql, run);
        if (before == null) {
            return UNREADABLE;
        }
        SpecChange change = new SpecChange(before, patch.apply(before));
        long now = sql.sql("SELECT now_micros()").query(Long.class).single();
        if (change.never(now).isPresent()) {
            return new Steered.Refused(change.never(now).get(), false);
        }
        if (change.notNow(run.state()).isPresent()) {
            return new Steered.Refused(change.notNow(run.state()).get(), true);
        }
        if (change.isEmpty()) {
            return new Steered.Now(run.state(), run.version(), false);
        }
        write(sql, run, change.after());
        tell(run, change, caller).write(sql);
        return new Steered.Now(run.state(), run.version() + 1, true);
    }

    /** Another number of pods: the spec, and in the same new version the run of a live job. */
    static Steered scale(JdbcClient sql, JobRun run, @Nullable String podSet, int count, Actor.Caller caller) {
        JobSpec before = spec(sql, run);
        if (before == null) {
            return UNREADABLE;
        }
        Scaling scaling = Scaling.of(before, run, podSet, count);
        if (scaling.notNow().isPresent()) {
            return new Steered.Refused(scaling.notNow().get(), true);
        }
        if (scaling.isEmpty()) {
            return new Steered.Now(run.state(), run.version(), false);
        }
        if (run.equals(scaling.is())) {
            write(sql, run, scaling.after());
        } else {
            sql.sql("UPDATE job_specs SET spec = :spec::jsonb WHERE job_id = :job")
                    .param("job", run.job().value())
                    .param("spec", Json.write(scaling.after()))
                    .update();
            RunWriter.write(sql, List.of(new Change(run, scaling.is())), caller);
        }
        tell(run, scaling.change(), caller).write(sql);
        return new Steered.Now(scaling.is().state(), run.version() + 1, true);
    }

    /** Null when what is stored can no longer be read. */
    private static @Nullable JobSpec spec(JdbcClient sql, JobRun run) {
        String stored = sql.sql("SELECT spec::text FROM job_specs WHERE job_id = :job")
                .param("job", run.job().value())
                .query(String.class)
                .single();
        try {
            return Json.read(stored, JobSpec.class);
        } catch (RuntimeException unreadable) {
            return null;
        }
    }

    private static void write(JdbcClient sql, JobRun run, JobSpec spec) {
        TimeLimits limits = spec.limits();
        sql.sql(WRITE)
                .param("job", run.job().value())
                .param("lane", spec.lane().word())
                .param("priority", spec.priority())
                .param("runtime", text(limits.maxRuntimeSeconds()))
                .param("deadline", text(limits.deadline()))
                .param("wait", text(limits.maxQueueSeconds()))
                .param("spec", Json.write(spec))
                .update();
    }

    private static Journal tell(JobRun run, SpecChange change, Actor.Caller caller) {
        Journal journal = new Journal();
        String job = run.job().toString();
        Map<String, Object> facts = new LinkedHashMap<>(change.is());
        facts.put("version", run.version() + 1);
        journal.event("job.changed", job, facts);
        journal.audit(caller, "job.change", job, change.was(), change.is());
        return journal;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }
}
