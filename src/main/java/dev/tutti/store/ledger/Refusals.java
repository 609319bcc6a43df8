package dev.tutti.store.ledger;

import dev.tutti.allocator.Plan.Placement;
import dev.tutti.control.Actor;
import dev.tutti.control.Backoff;
import dev.tutti.model.JobId;
import dev.tutti.store.Json;
import dev.tutti.store.stream.Journal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What becomes of a decision the database would not have: the job backs off alone, and an alarm is raised. */
final class Refusals {

    private static final String LOCK = """
            SELECT back_offs FROM jobs
            WHERE id = :job AND version = :version AND state = CASE WHEN :grows THEN 'RUNNING' ELSE 'QUEUED' END
            FOR NO KEY UPDATE""";

    /** One that runs is told nothing: it does not wait. */
    private static final String BACK_OFF = """
            UPDATE jobs SET version = version + 1, back_offs = back_offs + 1,
                not_before = now() + :delay * interval '1 millisecond',
                reason_code = CASE state WHEN 'QUEUED' THEN 'BACKING_OFF' END,
                reason = CASE state WHEN 'QUEUED' THEN :reason::jsonb END,
                reason_since = CASE WHEN state = 'QUEUED' THEN
                    CASE WHEN reason_code = 'BACKING_OFF' THEN reason_since ELSE now() END END
            WHERE id = :job""";

    private Refusals() {}

    /** Lets the job back off; false when its row has moved on meanwhile, so that there is nothing to do. */
    static boolean backOff(JdbcClient sql, Placement placement, String words, Actor.Leader leader, Journal journal) {
        Optional<Integer> earlier = sql.sql(LOCK)
                .param("job", placement.job().value())
                .param("version", placement.jobVersion())
                .param("grows", placement.grows())
                .query(Integer.class)
                .optional();
        if (earlier.isEmpty()) {
            return false;
        }
        Duration delay = Backoff.ofRefusal(earlier.get());
        sql.sql(BACK_OFF)
                .param("job", placement.job().value())
                .param("delay", delay.toMillis())
                .param("reason", Json.write(Reasons.backingOff(delay)))
                .update();
        tell(placement.job(), words, leader, journal);
        return true;
    }

    static void tell(JobId job, String words, Actor.Leader leader, Journal journal) {
        journal.event("ledger.refused", job.toString(), Map.of("words", words));
        journal.audit(leader, "ledger.refused", job.toString(), null, Map.of("words", words));
    }
}
