package dev.tutti.control.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param items in the list's order
 * @param next cursor of the next page; null on the last
 */
public record Page<T>(List<T> items, @Nullable String next) {

    /** The most items any page has. */
    public static final int MAX_LIMIT = 500;

    public Page {
        items = List.copyOf(items);
    }
}
