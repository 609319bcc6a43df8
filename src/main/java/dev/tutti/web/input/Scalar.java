package dev.tutti.web.input;

/** A text or a number where both are usual, such as a quantity ({@code 8} or {@code "500m"}), as it was written. */
public record Scalar(String text) {}
