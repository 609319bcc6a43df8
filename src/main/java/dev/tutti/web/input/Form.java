package dev.tutti.web.input;

/**
 * A request body, read.
 *
 * @param value what it says
 * @param hash SHA-256 of method, path and the body's canonical JSON: the same call sent again has the same hash, however
 *     its JSON is spaced and ordered
 */
public record Form<T extends Record>(T value, String hash) {}
