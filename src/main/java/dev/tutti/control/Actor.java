package dev.tutti.control;

/** Who makes a change: it stands in the audit row, and a leader's term is checked in the same transaction (R6). */
public sealed interface Actor {

    /** The leading replica, in its term. */
    record Leader(long term) implements Actor {}

    /** A caller of the API, by the name of its identity. */
    record Caller(String name) implements Actor {}
}
