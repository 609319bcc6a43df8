package dev.tutti.store.ledger;

import dev.tutti.allocator.Plan.Wait;
import dev.tutti.model.life.Reason;
import dev.tutti.store.Columns;
import dev.tutti.store.Json;
import dev.tutti.store.stream.Journal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Writes why jobs wait: only where the code differs from the one that is stored, or the job is told that it waits for another
 * one than before, or for longer, or on other flavors. "Since" is of the code alone. New words and numbers of the same code are
 * written without an event and without a new version: nobody decides by them, and a caller's change of the job stands.
 */
final class Verdicts {

    private static final String WRITE = """
            WITH said AS MATERIALIZED (
                SELECT j.id, w.code, w.reason FROM jobs j
                JOIN unnest(:jobs::uuid[], :versions::bigint[], :codes::text[], :reasons::text[])
                    AS w (id, version, code, reason) ON w.id = j.id AND w.version = j.version
                WHERE j.state = 'QUEUED' AND NOT j.waits_for_parents AND (j.reason_code IS DISTINCT FROM w.code
                    OR j.reason -> 'untilMicros' IS DISTINCT FROM w.reason::jsonb -> 'untilMicros'
                    OR w.code IN ('RESERVED_FOR_OTHER', 'LANE_RATE')
                       AND j.reason ->> 'detail' IS DISTINCT FROM w.reason::jsonb ->> 'detail')
                ORDER BY j.id FOR NO KEY UPDATE OF j
            )
            UPDATE jobs j SET version = j.version + 1, reason_code = s.code, reason = s.reason::jsonb,
                              reason_told_at = now(), reason_since = CASE WHEN j.reason_code IS DISTINCT FROM s.code THEN now()
                                                  ELSE j.reason_since END
            FROM said s WHERE j.id = s.id
            RETURNING j.id""";

    private static final String RETELL = """
            WITH said AS MATERIALIZED (
                SELECT j.id, w.reason FROM jobs j
                JOIN unnest(:jobs::uuid[], :versions::bigint[], :codes::text[], :reasons::text[])
                    AS w (id, version, code, reason)
                    ON w.id = j.id AND w.version = j.version AND w.code = j.reason_code
                WHERE j.state = 'QUEUED' AND NOT j.waits_for_parents
                ORDER BY j.id FOR NO KEY UPDATE OF j
            )
            UPDATE jobs j SET reason = s.reason::jsonb, reason_told_at = now() FROM said s WHERE j.id = s.id""";

    private Verdicts() {}

    static void retell(JdbcClient sql, List<Wait> waits) {
        bind(sql.sql(RETELL), waits).update();
    }

    private static JdbcClient.StatementSpec bind(JdbcClient.StatementSpec statement, List<Wait> waits) {
        return statement
                .param("jobs", Columns.texts(waits, wait -> wait.job().value()))
                .param("versions", Columns.longs(waits, Wait::jobVersion))
                .param("codes", Columns.texts(waits, wait -> wait.reason().code()))
                .param("reasons", Columns.texts(waits, wait -> Json.write(wait.reason())));
    }

    static void write(JdbcClient sql, List<Wait> waits, Journal journal) {
        Map<UUID, Wait> byJob =
                waits.stream().collect(Collectors.toMap(wait -> wait.job().value(), Function.identity()));
        List<UUID> written = bind(sql.sql(WRITE), waits)
                .query((row, n) -> row.getObject(1, UUID.class))
                .list();
        written.forEach(job -> tell(Objects.requireNonNull(byJob.get(job)), journal));
    }

    private static void tell(Wait wait, Journal journal) {
        Reason reason = wait.reason();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("code", reason.code());
        if (reason.resource() != null) {
            facts.put("resource", reason.resource());
            facts.put("wanted", reason.wanted());
            facts.put("available", reason.available());
        }
        facts.put("version", wait.jobVersion() + 1);
        journal.event("job.reason", wait.job().toString(), facts);
    }
}
