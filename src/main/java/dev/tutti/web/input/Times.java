package dev.tutti.web.input;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Times as callers write them: RFC 3339, in years that every client and the database can hold. */
public final class Times {

    private static final int FIRST_YEAR = 1970;
    private static final int LAST_YEAR = 9999;

    private Times() {}

    /** The time; null with a violation of {@code field} added. */
    public static @Nullable Instant read(String text, String field, Violations violations) {
        try {
            OffsetDateTime time = OffsetDateTime.parse(text);
            if (time.getYear() >= FIRST_YEAR && time.getYear() <= LAST_YEAR) {
                return time.toInstant();
            }
        } catch (DateTimeException notATime) {
            violations.add(field, "is \"" + Texts.clip(text) + "\"; give a time such as 2026-12-24T18:00:00Z");
            return null;
        }
        violations.add(field, "is \"" + Texts.clip(text) + "\"; give a time between the years 1970 and 9999");
        return null;
    }
}
