package dev.tutti.control.view;

import java.time.Duration;

/**
 * Who may be a victim, as the operator says it. Which of them is one, and for whom, is the allocator's to decide.
 *
 * @param minRuntime so long an attempt runs before it may have to give way; zero when it always may
 */
public record VictimRules(Duration minRuntime) {

    /** Every attempt may have to give way at once. */
    public static final VictimRules NONE = new VictimRules(Duration.ZERO);

    public VictimRules {
        if (minRuntime.isNegative()) {
            throw new IllegalArgumentException("a minimum run time of " + minRuntime);
        }
    }

    /** Until when an attempt that began at this time is protected, both in microseconds since 1970; 0 when it is not. */
    public long protectedUntilMicros(long beganMicros) {
        return minRuntime.isZero() ? 0 : beganMicros + minRuntime.toNanos() / 1_000;
    }
}
