package dev.tutti.web.input;

/** A field that may be there and is never looked at. */
public record Ignored() {}
