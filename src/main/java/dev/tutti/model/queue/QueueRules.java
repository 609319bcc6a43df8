package dev.tutti.model.queue;

import dev.tutti.model.Check;

/**
 * How jobs of a queue get their turn.
 *
 * @param held whether an operator holds it: nothing starts, here or below
 * @param strict whether a job that cannot start keeps jobs behind it in the queue off the flavors it waits for; else they
 *     may pass it
 * @param fairShareWeight how much of a surplus the queue gets beside its siblings, 1 to {@link #MOST_WEIGHT}
 */
public record QueueRules(boolean held, boolean strict, int fairShareWeight) {

    public static final int MOST_WEIGHT = 1_000;

    /** Not held, jobs may pass each other, weight 1. */
    public static final QueueRules PLAIN = new QueueRules(false, false, 1);

    public QueueRules {
        new Check().range(fairShareWeight, 1, MOST_WEIGHT, "fairShareWeight").orThrow();
    }

    /** The same, held or not. */
    public QueueRules withHeld(boolean isHeld) {
        return new QueueRules(isHeld, strict, fairShareWeight);
    }
}
