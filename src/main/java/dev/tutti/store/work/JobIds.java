package dev.tutti.store.work;

import dev.tutti.model.JobId;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Makes job ids: UUIDs of version 7, rising within this process, so that a batch keeps its order and the index grows at
 * its end. The time in them orders rows and decides nothing.
 */
final class JobIds {

    private static final int COUNTER_BITS = 12;
    private static final long COUNTER_MASK = (1L << COUNTER_BITS) - 1;
    private static final long VERSION = 7L << COUNTER_BITS;
    private static final long VARIANT = 1L << 63;
    private static final long RANDOM_MASK = (1L << 62) - 1;

    private final SecureRandom random = new SecureRandom();
    private final AtomicLong last = new AtomicLong();
    private final LongSupplier millis;

    /** @param millis the time in milliseconds since 1970; it may stand still or go back */
    JobIds(LongSupplier millis) {
        this.millis = millis;
    }

    JobId next() {
        long now = millis.getAsLong() << COUNTER_BITS;
        long stamp = last.updateAndGet(before -> Math.max(before + 1, now));
        long high = (stamp >>> COUNTER_BITS) << 16 | VERSION | (stamp & COUNTER_MASK);
        return new JobId(new UUID(high, VARIANT | (random.nextLong() & RANDOM_MASK)));
    }
}
