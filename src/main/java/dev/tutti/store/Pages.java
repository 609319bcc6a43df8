package dev.tutti.store;

import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keyset pages: one row more than asked for tells whether there is a next page. */
public final class Pages {

    private Pages() {}

    /** How many rows to fetch for this page. */
    public static int rows(PageRequest page) {
        if (page.limit() < 1 || page.limit() > Page.MAX_LIMIT) {
            throw new IllegalArgumentException("limit is " + page.limit());
        }
        return page.limit() + 1;
    }

    /**
     * The page of fetched rows.
     *
     * @param cursor makes the cursor of a row
     */
    public static <T> Page<T> of(List<T> rows, PageRequest page, Function<T, String> cursor) {
        if (rows.size() <= page.limit()) {
            return new Page<>(rows, null);
        }
        List<T> items = rows.subList(0, page.limit());
        return new Page<>(items, cursor.apply(items.get(items.size() - 1)));
    }

    public static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    public static OffsetDateTime parameter(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
