package dev.tutti.simulation;

/** An invariant that did not hold: which, where, and the story before it. */
final class Violation extends AssertionError {

    private static final long serialVersionUID = 1L;

    final String rule;

    Violation(String rule, long seed, long tick, String what, String story) {
        super(rule + " broken, seed " + seed + ", tick " + tick + ": " + what + "\n" + story);
        this.rule = rule;
    }
}
