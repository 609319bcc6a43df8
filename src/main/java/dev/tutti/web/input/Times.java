package dev.tutti.web.input;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times as callers write them: RFC 3339, in years that every client and the database can hold. */
public final class Times {

    private static final int FIRST_YEAR = 1970;
    private static final int LAST_YEAR = 9999;

    private static final Pattern WRITTEN =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?([Zz]|[+-]\\d\\d:\\d\\d)?");

    /** RFC 3339, section 5.6: seconds and the minutes of the offset are always there. */
    private static final Pattern WHOLE =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?([Zz]|[+-]\\d\\d:\\d\\d)");

    private Times() {}

    /** The time, to the microsecond as the database keeps it; null with a violation of {@code field} added. */
    public static @Nullable Instant read(String text, String field, Violations violations) {
        try {
            OffsetDateTime time = OffsetDateTime.parse(text);
            if (!WHOLE.matcher(text).matches()) {
                violations.add(
                        field,
                        "is \"" + Texts.clip(text)
                                + "\", not written out; give a time of four digits for the year, with seconds and"
                                + " the whole offset, such as 2026-12-24T18:00:00Z");
                return null;
            }
            if (time.getYear() >= FIRST_YEAR && time.getYear() <= LAST_YEAR) {
                return time.toInstant().truncatedTo(ChronoUnit.MICROS);
            }
        } catch (DateTimeException notATime) {
            violations.add(field, "is \"" + Texts.clip(text) + "\"" + remedy(text));
            return null;
        }
        violations.add(field, "is \"" + Texts.clip(text) + "\"; give a time between the years 1970 and 9999");
        return null;
    }

    /** A local time is no moment: which one it is depends on where and, twice a year, is not even then clear. */
    private static String remedy(String text) {
        try {
            LocalDateTime.parse(text);
            return ", which has no offset from UTC; give it with one, such as 2026-12-24T18:00:00Z or …T18:00:00+01:00";
        } catch (DateTimeException notLocalEither) {
            return WRITTEN.matcher(text).matches()
                    ? ", a time that does not exist; give one of the calendar, such as 2026-12-24T18:00:00Z"
                    : "; give a time such as 2026-12-24T18:00:00Z";
        }
    }
}
