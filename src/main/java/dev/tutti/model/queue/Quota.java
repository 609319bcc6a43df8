package dev.tutti.model.queue;

import dev.tutti.model.Check;
import dev.tutti.model.Limits;
import org.jspecify.annotations.Nullable;

/**
 * How much of one resource a queue, with all queues below it, may take. All amounts are in the resource's unit, from 0 to
 * {@link Limits#QUOTA_MILLI}.
 *
 * @param nominal what it can always get back
 * @param borrowingLimit how far above it the queue may go while others do not use theirs; null for as far as they lend
 * @param lendingLimit how much of it others may use while the queue does not; null for all
 */
public record Quota(
        long nominal,
        @Nullable Long borrowingLimit,
        @Nullable Long lendingLimit) {

    public Quota {
        Check check = new Check().range(nominal, 0, Limits.QUOTA_MILLI, "nominal");
        if (borrowingLimit != null) {
            check.range(borrowingLimit, 0, Limits.QUOTA_MILLI, "borrowingLimit");
        }
        if (lendingLimit != null) {
            check.range(lendingLimit, 0, Limits.QUOTA_MILLI, "lendingLimit");
        }
        check.orThrow();
    }

    /** One that borrows and lends without limit. */
    public static Quota of(long nominal) {
        return new Quota(nominal, null, null);
    }

    /** What is not lent: others never have it, though the queue may leave it idle. */
    public long kept() {
        return lendingLimit == null ? 0 : Math.max(0, nominal - lendingLimit);
    }
}
