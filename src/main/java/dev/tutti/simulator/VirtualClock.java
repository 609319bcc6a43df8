package dev.tutti.simulator;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is turned, and never goes back. */
public final class VirtualClock implements InstantSource {

    private volatile Instant now;

    public VirtualClock(Instant start) {
        now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    /** Turns the clock on by {@code time}, zero or more. */
    public synchronized void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("a clock does not go back: " + time);
        }
        now = now.plus(time);
    }
}
