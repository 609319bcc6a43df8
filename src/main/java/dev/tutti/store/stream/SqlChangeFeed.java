package dev.tutti.store.stream;

import dev.tutti.control.view.ChangeFeed;
import dev.tutti.control.view.VictimRules;
import dev.tutti.store.SqlTransactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The head query in PostgreSQL: one statement, so one snapshot and one round trip. Every changed row carries the id of
 * the transaction that changed it; the cursor is the oldest transaction that was still running, so that a row committed
 * late comes with the next reading, and a row may come twice. A removed queue stays as a row, so it is told like any
 * other change. What a member holds changes with its job's row alone, so a job row tells of its members. Without a cursor the jobs that do not wait are left out: the asker knows of none.
 */
@Component
public final class SqlChangeFeed implements ChangeFeed {

    private static final String EVERYTHING = ChangeSql.statement(
            "j.state = 'QUEUED' AND NOT j.waits_for_parents",
            "j.state IN ('ALLOCATED', 'RUNNING', 'STOPPING')",
            "true",
            "true",
            "true",
            "true");

    private static final String CHANGED = ChangeSql.statement("j.change_xid >= :cursor::xid8", """
            j.change_xid >= :cursor::xid8 AND j.state IN ('ALLOCATED', 'RUNNING', 'STOPPING')""", """
            n.change_xid >= :cursor::xid8""", """
            d.node_id IN (SELECT id FROM nodes WHERE change_xid >= :cursor::xid8
                          UNION SELECT node_id FROM devices WHERE change_xid >= :cursor::xid8)""", """
            q.id IN (SELECT id FROM queues WHERE change_xid >= :cursor::xid8
                     UNION SELECT queue_id FROM queue_use WHERE change_xid >= :cursor::xid8
                     UNION SELECT queue_id FROM queue_pasts WHERE change_xid >= :cursor::xid8)""", """
            j.change_xid >= :cursor::xid8 AND j.submitted_at >= to_timestamp(:submittedSince::bigint / 1000000.0)""");

    private final SqlTransactions transactions;

    private final VictimRules victims;

    public SqlChangeFeed(SqlTransactions transactions, VictimRules victims) {
        this.transactions = transactions;
        this.victims = victims;
    }

    @Override
    public Changes since(@Nullable String cursor) {
        return transactions.read(
                "changes",
                sql -> cursor == null
                        ? sql.sql(EVERYTHING).query(this::read)
                        : sql.sql(CHANGED).params(parameters(cursor)).query(this::read));
    }

    private Changes read(ResultSet rows) throws SQLException {
        return ChangeReader.read(rows, victims);
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
