package dev.tutti.web.calls;

import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.model.InvalidInput;
import dev.tutti.model.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code limit} and {@code cursor}. */
public final class Pages {

    static final int DEFAULT_LIMIT = 100;

    private static final int CURSOR_LENGTH = 4_096;

    private Pages() {}

    /** A limit out of range is refused, never cut. */
    public static PageRequest of(@Nullable Integer limit, @Nullable String cursor) {
        if (limit != null && (limit < 1 || limit > Page.MAX_LIMIT)) {
            throw new InvalidInput(List.of(
                    new Violation("limit", "is " + limit + "; give a whole number from 1 to " + Page.MAX_LIMIT)));
        }
        if (cursor != null && (cursor.isEmpty() || cursor.length() > CURSOR_LENGTH)) {
            throw new InvalidInput(List.of(new Violation(
                    "cursor", "is not a cursor of this list; give the next of its page before, unchanged, or none")));
        }
        return new PageRequest(limit == null ? DEFAULT_LIMIT : limit, cursor);
    }
}
