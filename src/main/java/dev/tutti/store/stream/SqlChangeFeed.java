package dev.tutti.store.stream;

import dev.tutti.control.ChangeFeed;
import dev.tutti.store.SqlTransactions;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The head query in PostgreSQL: one statement, so one snapshot and one round trip. Every changed row carries the id of
 * the transaction that changed it; the cursor is the oldest transaction that was still running, so that a row committed
 * late comes with the next reading, and a row may come twice. A removed queue stays as a row, so it is told like any
 * other change. Without a cursor the jobs that do not wait are left out: the asker knows of none.
 */
@Component
public final class SqlChangeFeed implements ChangeFeed {

    private static final String EVERYTHING =
            ChangeSql.statement("j.state = 'QUEUED' AND NOT j.waits_for_parents", "true", "true", "true", "true");

    private static final String CHANGED = ChangeSql.statement("j.change_xid >= :cursor::xid8", """
            n.change_xid >= :cursor::xid8""", """
            d.node_id IN (SELECT id FROM nodes WHERE change_xid >= :cursor::xid8
                          UNION SELECT node_id FROM devices WHERE change_xid >= :cursor::xid8)""", """
            q.id IN (SELECT id FROM queues WHERE change_xid >= :cursor::xid8
                     UNION SELECT queue_id FROM queue_use WHERE change_xid >= :cursor::xid8)""", """
            j.change_xid >= :cursor::xid8 AND j.submitted_at >= to_timestamp(:submittedSince::bigint / 1000000.0)""");

    private final SqlTransactions transactions;

    public SqlChangeFeed(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Changes since(@Nullable String cursor) {
        return transactions.read(
                "changes",
                sql -> cursor == null
                        ? sql.sql(EVERYTHING).query(ChangeReader::read)
                        : sql.sql(CHANGED).params(parameters(cursor)).query(ChangeReader::read));
    }

    /** The statement with a cursor: for looking at its plan. */
    public String statement() {
        return CHANGED;
    }

    /** What the statement takes for this cursor. */
    public static Map<String, Object> parameters(String cursor) {
        return ChangeCursor.parse(cursor).parameters();
    }
}
