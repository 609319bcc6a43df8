package dev.tutti.control;

import org.jspecify.annotations.Nullable;

/**
 * A call that creates something: sent again with its key it creates nothing more and has the same answer, for 24 h.
 *
 * @param caller who calls; keys are per caller
 * @param key the Idempotency-Key; null without one
 * @param bodyHash hash of the request's route and body; same key with another hash is refused
 */
public record KeyedCall(Actor.Caller caller, @Nullable String key, String bodyHash) {}
