package dev.tutti.model.queue;

import dev.tutti.model.Check;

/**
 * How jobs of a queue get in, and how they get their turn.
 *
 * @param held whether an operator holds it: nothing starts, here or below
 * @param draining whether it takes no more jobs, here or below; what waits and what runs goes on
 * @param strict whether a job that cannot start keeps jobs behind it in the queue off the flavors it waits for; else they
 *     may pass it
 * @param fairShareWeight how much of a surplus the queue gets beside its siblings, 1 to {@link #MOST_WEIGHT}
 * @param limits how much may be in it at once
 */
public record QueueRules(boolean held, boolean draining, boolean strict, int fairShareWeight, QueueLimits limits) {

    public static final int MOST_WEIGHT = 1_000;

    /** Not held, takes jobs in, jobs may pass each other, weight 1, no limits. */
    public static final QueueRules PLAIN = new QueueRules(false, false, 1);

    public QueueRules {
        new Check().range(fairShareWeight, 1, MOST_WEIGHT, "fairShareWeight").orThrow();
    }

    /** A queue that takes jobs in, without limits. */
    public QueueRules(boolean held, boolean strict, int fairShareWeight) {
        this(held, false, strict, fairShareWeight, QueueLimits.NONE);
    }

    /** The same, held or not. */
    public QueueRules withHeld(boolean isHeld) {
        return new QueueRules(isHeld, draining, strict, fairShareWeight, limits);
    }

    /** The same, draining or not. */
    public QueueRules withDraining(boolean isDraining) {
        return new QueueRules(held, isDraining, strict, fairShareWeight, limits);
    }

    /** The same with other limits. */
    public QueueRules withLimits(QueueLimits other) {
        return new QueueRules(held, draining, strict, fairShareWeight, other);
    }
}
