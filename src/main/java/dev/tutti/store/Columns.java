package dev.tutti.store;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Turns values into the columns that {@code unnest} takes, so that any number of rows is one statement. UUIDs, arrays
 * and JSON travel as text and are cast in the statement.
 */
public final class Columns {

    private Columns() {}

    public static <T> @Nullable String[] texts(Collection<T> rows, Function<T, @Nullable Object> column) {
        String[] values = new String[rows.size()];
        int i = 0;
        for (T row : rows) {
            Object value = column.apply(row);
            values[i++] = value == null ? null : value.toString();
        }
        return values;
    }

    public static <T> long[] longs(Collection<T> rows, ToLongFunction<T> column) {
        return rows.stream().mapToLong(column).toArray();
    }

    public static <T> int[] ints(Collection<T> rows, ToIntFunction<T> column) {
        return rows.stream().mapToInt(column).toArray();
    }

    public static <T> boolean[] flags(Collection<T> rows, Function<T, Boolean> column) {
        boolean[] values = new boolean[rows.size()];
        int i = 0;
        for (T row : rows) {
            values[i++] = column.apply(row);
        }
        return values;
    }

    /** One array as text, such as <code>{1,2}</code>, for columns of arrays of different lengths. */
    public static String array(List<Long> values) {
        StringBuilder text = new StringBuilder("{");
        for (Long value : values) {
            text.append(text.length() > 1 ? "," : "").append(value);
        }
        return text.append('}').toString();
    }

    /** One array of texts as text, quoted. */
    public static String textArray(List<String> values) {
        StringBuilder text = new StringBuilder("{");
        for (String value : values) {
            text.append(text.length() > 1 ? "," : "");
            text.append('"')
                    .append(value.replace("\\", "\\\\").replace("\"", "\\\""))
                    .append('"');
        }
        return text.append('}').toString();
    }
}
