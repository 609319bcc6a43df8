package dev.tutti.store.work;

import dev.tutti.control.JobBook.Submission;
import dev.tutti.control.JobBook.Submitted;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The record of answered submissions. The key's row is inserted first: whoever comes second waits for the first one's
 * transaction, two seconds at the most, and then sees its answer, or takes the key when that one came to nothing.
 */
final class IdempotencyKeys {

    /** Takes the key, or one that is older than 24 h. The time limit holds for the rest of the transaction. */
    private static final String TAKE = """
            INSERT INTO idempotency_keys AS k (caller, key, body_hash, answer)
            SELECT :caller, :key, :hash, :answer FROM set_config('lock_timeout', '2000', true)
            ON CONFLICT (caller, key) DO UPDATE
                SET body_hash = excluded.body_hash, answer = excluded.answer, created_at = now()
                WHERE k.created_at <= now() - interval '24 hours'""";

    private static final String FIND = """
            SELECT body_hash, answer FROM idempotency_keys WHERE caller = :caller AND key = :key""";

    private IdempotencyKeys() {}

    /** Empty when the key is now ours; else what its first use came to. */
    static Optional<Submitted> take(JdbcClient sql, Submission submission, @Nullable String key, byte[] answer) {
        if (key == null) {
            return Optional.empty();
        }
        int taken = sql.sql(TAKE)
                .param("caller", submission.caller().name())
                .param("key", key)
                .param("hash", submission.bodyHash())
                .param("answer", answer)
                .update();
        return taken == 1 ? Optional.empty() : Optional.of(first(sql, submission, key));
    }

    private static Submitted first(JdbcClient sql, Submission submission, String key) {
        return sql.sql(FIND)
                .param("caller", submission.caller().name())
                .param("key", key)
                .query((row, n) -> row.getString("body_hash").equals(submission.bodyHash())
                        ? new Submitted.Stored(row.getBytes("answer"), true)
                        : new Submitted.KeyReused())
                .optional()
                .orElseGet(Submitted.KeyBusy::new);
    }
}
