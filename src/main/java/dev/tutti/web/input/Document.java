package dev.tutti.web.input;

import tools.jackson.databind.JsonNode;

/**
 * A request body as a tree, for forms that depend on what is in it.
 *
 * @param hash as in {@link Form}; YAML and JSON of the same tree have the same hash
 */
public record Document(JsonNode tree, String hash) {}
