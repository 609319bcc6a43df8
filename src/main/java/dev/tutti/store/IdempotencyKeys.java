package dev.tutti.store;

import dev.tutti.control.KeyedCall;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The record of answered calls that create something. The key's row is inserted first: whoever comes second waits for the
 * first one's transaction, two seconds at the most, and then sees its answer, or takes the key when that one came to
 * nothing.
 */
public final class IdempotencyKeys {

    /** Takes the key, or one that is older than 24 h. The time limit holds for the rest of the transaction. */
    private static final String TAKE = """
            INSERT INTO idempotency_keys AS k (caller, key, body_hash, answer)
            SELECT :caller, :key, :hash, :answer FROM set_config('lock_timeout', '2000', true)
            ON CONFLICT (caller, key) DO UPDATE
                SET body_hash = excluded.body_hash, answer = excluded.answer, created_at = now()
                WHERE k.created_at <= now() - interval '24 hours'""";

    private static final String FIND = """
            SELECT body_hash, answer FROM idempotency_keys WHERE caller = :caller AND key = :key""";

    private static final String ANSWER = """
            UPDATE idempotency_keys SET answer = :answer WHERE caller = :caller AND key = :key""";

    private IdempotencyKeys() {}

    /** What the first use of a key came to. */
    public sealed interface First {

        /** The same call: its answer. */
        record Answered(byte[] answer) implements First {}

        /** Another call. */
        record Other() implements First {}

        /** It is still running; the transaction is of no more use. */
        record Running() implements First {}
    }

    /** Empty when the key is now ours, or there is none; else what its first use came to. */
    public static Optional<First> take(JdbcClient sql, KeyedCall call, byte[] answer) {
        String key = call.key();
        if (key == null) {
            return Optional.empty();
        }
        try {
            int taken = sql.sql(TAKE)
                    .param("caller", call.caller().name())
                    .param("key", key)
                    .param("hash", call.bodyHash())
                    .param("answer", answer)
                    .update();
            return taken == 1 ? Optional.empty() : Optional.of(first(sql, call, key));
        } catch (RuntimeException e) {
            if (SqlErrors.isLockTimeout(e)) {
                return Optional.of(new First.Running());
            }
            throw e;
        }
    }

    /** The answer to a call whose key was taken before the answer was known. */
    public static void answer(JdbcClient sql, KeyedCall call, byte[] answer) {
        @Nullable String key = call.key();
        if (key != null) {
            sql.sql(ANSWER)
                    .param("caller", call.caller().name())
                    .param("key", key)
                    .param("answer", answer)
                    .update();
        }
    }

    private static First first(JdbcClient sql, KeyedCall call, String key) {
        return sql.sql(FIND)
                .param("caller", call.caller().name())
                .param("key", key)
                .query((row, n) -> row.getString("body_hash").equals(call.bodyHash())
                        ? new First.Answered(row.getBytes("answer"))
                        : new First.Other())
                .optional()
                .orElseGet(First.Running::new);
    }
}
