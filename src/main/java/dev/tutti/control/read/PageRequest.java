package dev.tutti.control.read;

import org.jspecify.annotations.Nullable;

/**
 * Which page is wanted.
 *
 * @param limit items, 1 to {@link Page#MAX_LIMIT}
 * @param cursor from an earlier page; null for the first
 */
public record PageRequest(int limit, @Nullable String cursor) {}
