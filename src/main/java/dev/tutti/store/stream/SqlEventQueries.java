package dev.tutti.store.stream;

import dev.tutti.control.read.CursorTooOld;
import dev.tutti.control.read.EventQueries;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.model.JobId;
import dev.tutti.store.Cursors;
import dev.tutti.store.Pages;
import dev.tutti.store.SqlTransactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The stream in PostgreSQL. Only events below the oldest transaction that still runs are shown, because one of a running
 * transaction may sort before them; what is shown once stands.
 */
@Component
public final class SqlEventQueries implements EventQueries {

    private static final EventCursor BEGINNING = new EventCursor(0, 0);

    private static final String AFTER = """
            SELECT xid::text, id, at, type, subject, data::text FROM events
            WHERE (xid, id) > (:xid::text::xid8, :id) AND xid < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY xid, id LIMIT :rows""";

    private static final String OF_SUBJECT = """
            SELECT xid::text, id, at, type, subject, data::text FROM events
            WHERE subject = :subject AND (xid, id) > (:xid::text::xid8, :id)
              AND xid < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY xid, id LIMIT :rows""";

    private static final String NEWEST = """
            (SELECT xid::text, id FROM events WHERE xid < pg_snapshot_xmin(pg_current_snapshot())
             ORDER BY events.xid DESC, id DESC LIMIT 1)
            UNION ALL SELECT xid::text, id FROM events_removed
            LIMIT 1""";

    private static final String REMOVED = "SELECT xid::text, id FROM events_removed";

    private final SqlTransactions transactions;

    public SqlEventQueries(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public List<EventView> after(@Nullable String cursor, int limit) {
        EventCursor from = cursor == null ? BEGINNING : EventCursor.parse(cursor);
        int rows = Pages.rows(new PageRequest(limit, null)) - 1;
        return transactions.read("events", sql -> {
            List<EventView> events = sql.sql(AFTER)
                    .param("xid", Long.toString(from.xid()))
                    .param("id", from.id())
                    .param("rows", rows)
                    .query(SqlEventQueries::view)
                    .list();
            // Asked after the events, so that nothing can be removed unseen between the two.
            if (cursor != null && from.compareTo(cursor(sql, REMOVED)) < 0) {
                throw new CursorTooOld(cursor);
            }
            return events;
        });
    }

    @Override
    public String newest() {
        return transactions.read("events", sql -> cursor(sql, NEWEST).toString());
    }

    @Override
    public Page<EventView> ofJob(JobId job, PageRequest page) {
        String list = "events/" + job;
        List<String> after = Cursors.read(list, page.cursor());
        EventCursor from = after == null ? BEGINNING : EventCursor.parse(after.get(0));
        List<EventView> rows = transactions.read(
                "events",
                sql -> sql.sql(OF_SUBJECT)
                        .param("subject", job.toString())
                        .param("xid", Long.toString(from.xid()))
                        .param("id", from.id())
                        .param("rows", Pages.rows(page))
                        .query(SqlEventQueries::view)
                        .list());
        return Pages.of(rows, page, last -> Cursors.write(list, last.id()));
    }

    private static EventCursor cursor(JdbcClient sql, String statement) {
        return sql.sql(statement)
                .query((row, n) -> new EventCursor(Long.parseLong(row.getString(1)), row.getLong(2)))
                .single();
    }

    private static EventView view(ResultSet row, int number) throws SQLException {
        return new EventView(
                new EventCursor(Long.parseLong(row.getString("xid")), row.getLong("id")).toString(),
                Objects.requireNonNull(Pages.instant(row, "at")),
                row.getString("type"),
                row.getString("subject"),
                row.getString("data"));
    }
}
