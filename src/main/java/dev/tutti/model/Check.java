package dev.tutti.model;

import java.util.ArrayList;
import java.util.List;

/** Collects violations while a value is built, so that a caller hears of all mistakes at once. */
public final class Check {

    private final List<Violation> violations = new ArrayList<>();

    /** Notes a violation of {@code field} unless {@code holds}. */
    public Check that(boolean holds, String field, String message) {
        if (!holds) {
            violations.add(new Violation(field, message));
        }
        return this;
    }

    /** Notes a violation unless {@code value} is from {@code low} to {@code high}, both included. */
    public Check range(long value, long low, long high, String field) {
        return that(
                value >= low && value <= high,
                field,
                "is " + value + "; give a whole number from " + low + " to " + high);
    }

    /** Notes a violation when there are more than {@code most} things where {@code field} is. */
    public Check atMost(int count, int most, String things, String field) {
        return that(count <= most, field, "has " + count + " " + things + "; give at most " + most);
    }

    /**
     * Ends the check.
     *
     * @throws InvalidInput with every violation noted, in their order; nothing when there is none
     */
    public void orThrow() {
        if (!violations.isEmpty()) {
            throw new InvalidInput(violations);
        }
    }
}
