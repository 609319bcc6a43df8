package dev.tutti.store.identity;

import dev.tutti.control.Leadership;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.stream.Journal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Leadership in PostgreSQL. A takeover updates the term row, which writers of the old term hold {@code FOR SHARE}, so
 * it waits for them and then shuts them out; renewing touches the heartbeat row alone and waits for no writer. All
 * times are the database's, taken when the row is in hand. Give it connections apart from the others, so that a full
 * pool never costs the lease.
 */
public final class SqlLeadership implements Leadership {

    private static final String RENEW = """
            UPDATE leader_heartbeat h SET expires_at = clock_timestamp() + :lease * interval '1 millisecond'
            FROM leadership l WHERE l.holder = :holder AND l.term = h.term RETURNING h.term""";

    private static final String EXPIRED = """
            SELECT expires_at <= clock_timestamp() FROM leader_heartbeat WHERE one FOR UPDATE""";

    private static final String TAKE_OVER = """
            WITH taken AS (
                UPDATE leadership SET term = term + 1, holder = :holder WHERE one RETURNING term
            )
            UPDATE leader_heartbeat h SET term = taken.term,
                expires_at = clock_timestamp() + :lease * interval '1 millisecond'
            FROM taken RETURNING h.term""";

    private static final String RESIGN = """
            UPDATE leader_heartbeat h SET expires_at = '-infinity'
            FROM leadership l WHERE l.holder = :holder AND l.term = h.term""";

    private final SqlTransactions transactions;
    private final Duration lease;

    public SqlLeadership(SqlTransactions transactions, Duration lease) {
        this.transactions = transactions;
        this.lease = lease;
    }

    @Override
    public OptionalLong lead(String holder) {
        if (holder.isBlank()) {
            throw new IllegalArgumentException("a holder without a name");
        }
        Optional<Long> renewed = transactions.write(
                "the lease",
                sql -> sql.sql(RENEW)
                        .param("holder", holder)
                        .param("lease", lease.toMillis())
                        .query(Long.class)
                        .optional());
        return renewed.map(OptionalLong::of).orElseGet(() -> takeOver(holder));
    }

    private OptionalLong takeOver(String holder) {
        if (!transactions.read("the lease", sql -> isExpired(sql, EXPIRED.replace(" FOR UPDATE", "")))) {
            return OptionalLong.empty();
        }
        return transactions.write("leadership", sql -> takeOver(sql, holder));
    }

    private OptionalLong takeOver(JdbcClient sql, String holder) {
        if (!isExpired(sql, EXPIRED)) {
            return OptionalLong.empty();
        }
        long term = sql.sql(TAKE_OVER)
                .param("holder", holder)
                .param("lease", lease.toMillis())
                .query(Long.class)
                .single();
        Journal journal = new Journal();
        journal.event("leader.changed", Long.toString(term), Map.of("term", term, "holder", holder));
        journal.write(sql);
        return OptionalLong.of(term);
    }

    @Override
    public void resign(String holder) {
        transactions.write(
                "the lease", sql -> sql.sql(RESIGN).param("holder", holder).update());
    }

    private static boolean isExpired(JdbcClient sql, String question) {
        return sql.sql(question).query(Boolean.class).single();
    }
}
