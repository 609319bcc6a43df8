package dev.tutti.store.work;

import dev.tutti.control.Actor;
import dev.tutti.model.JobId;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.Reason;
import dev.tutti.store.Columns;
import dev.tutti.store.Json;
import dev.tutti.store.ledger.Reasons;
import dev.tutti.store.stream.Journal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes new jobs, any number of them, in one statement, and tells of them in another. */
final class JobWriter {

    private static final String INSERT = """
            WITH job AS (
                SELECT * FROM unnest(:ids::uuid[], :queues::bigint[], :lanes::text[], :priorities::int[],
                                     :names::text[], :maxFailures::int[], :suspends::boolean[], :waitsFor::boolean[],
                                     :reasons::text[], :runtimes::int[], :deadlines::timestamptz[], :waits::int[],
                                     :specs::text[])
                    WITH ORDINALITY
                    AS j (id, queue_id, lane, priority, name, max_failures, suspend, waits_for_parents, reason, max_runtime_seconds,
                          deadline, max_queue_seconds, spec, place)
            ), stored AS (
                INSERT INTO jobs (id, queue_id, lane, priority, name, state, suspend, waits_for_parents, reason_code,
                                  reason, reason_since,
                                  max_failures, max_runtime_seconds, deadline, max_queue_seconds, queued_since,
                                  submitted_by, submitted_at)
                SELECT id, queue_id, lane, priority, name, CASE WHEN suspend THEN 'SUSPENDED' ELSE 'QUEUED' END, suspend,
                       waits_for_parents, reason::jsonb ->> 'code', reason::jsonb, now(), max_failures, max_runtime_seconds, deadline,
                       max_queue_seconds, CASE WHEN NOT suspend THEN now() END, :by, now()
                FROM job ORDER BY place
            )
            INSERT INTO job_specs (job_id, spec) SELECT id, spec::jsonb FROM job ORDER BY place""";

    private JobWriter() {}

    static void write(JdbcClient sql, List<NewJob> jobs, Actor.Caller caller) {
        sql.sql(INSERT)
                .param("ids", Columns.texts(jobs, job -> job.id().value()))
                .param("queues", Columns.longs(jobs, NewJob::queue))
                .param("lanes", Columns.texts(jobs, job -> job.spec().lane().word()))
                .param("priorities", Columns.ints(jobs, job -> job.spec().priority()))
                .param("names", Columns.texts(jobs, job -> job.spec().name()))
                .param("maxFailures", Columns.ints(jobs, job -> job.spec().maxFailures()))
                .param(
                        "runtimes",
                        Columns.texts(jobs, job -> job.spec().limits().maxRuntimeSeconds()))
                .param(
                        "deadlines",
                        Columns.texts(jobs, job -> job.spec().limits().deadline()))
                .param("waits", Columns.texts(jobs, job -> job.spec().limits().maxQueueSeconds()))
                .param("specs", Columns.texts(jobs, job -> Json.write(job.spec())))
                .param("suspends", Columns.flags(jobs, job -> job.spec().suspended()))
                .param("waitsFor", Columns.flags(jobs, NewJob::waits))
                .param("reasons", Columns.texts(jobs, job -> Json.write(job.firstReason())))
                .param("by", caller.name())
                .update();
        Journal journal = new Journal();
        jobs.forEach(job -> job.tell(journal, caller));
        journal.write(sql);
    }

    /** A job that has its id and its queue; {@code waits} while a job that it depends on has not succeeded. */
    record NewJob(JobId id, long queue, JobSpec spec, boolean waits) {

        Reason firstReason() {
            return spec.suspended() ? Reasons.SUSPENDED : waits ? Reasons.DEPENDENCY : Reasons.NOT_YET_EVALUATED;
        }

        void tell(Journal journal, Actor.Caller caller) {
            Map<String, Object> facts = new LinkedHashMap<>();
            facts.put("name", spec.name());
            facts.put("queue", Long.toString(queue));
            facts.put("state", JobLife.first(spec.suspended()));
            facts.put("lane", spec.lane().word());
            facts.put("pods", spec.pods());
            facts.put("gpuMilli", spec.gpuMilli());
            journal.event("job.submitted", id.toString(), facts);
            journal.audit(caller, "job.submit", id.toString(), null, facts);
        }
    }
}
