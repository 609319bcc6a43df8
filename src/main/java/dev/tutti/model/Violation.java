package dev.tutti.model;

/**
 * One thing wrong with what a caller sent.
 *
 * @param field where, as a path in the caller's own document, such as {@code podSets[0].count}
 * @param message what is wrong, with the value, and what would be right
 */
public record Violation(String field, String message) {}
