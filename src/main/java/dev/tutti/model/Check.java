package dev.tutti.model;

import java.util.ArrayList;
import java.util.List;

/** Collects violations while a value is built, so that a caller hears of all mistakes at once. */
final class Check {

    private final List<Violation> violations = new ArrayList<>();

    Check that(boolean holds, String field, String message) {
        if (!holds) {
            violations.add(new Violation(field, message));
        }
        return this;
    }

    Check range(long value, long low, long high, String field) {
        return that(
                value >= low && value <= high,
                field,
                "is " + value + "; give a whole number from " + low + " to " + high);
    }

    void orThrow() {
        if (!violations.isEmpty()) {
            throw new InvalidInput(violations);
        }
    }
}
