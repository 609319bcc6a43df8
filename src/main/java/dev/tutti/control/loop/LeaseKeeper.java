package dev.tutti.control.loop;

import dev.tutti.control.Leadership;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Takes and renews leadership, and knows by monotonic time how long it may be relied on: from before the asking, and a
 * quarter short of the lease, so that this replica always stops before another may start. The database decides who
 * leads; this only ever decides to stop early.
 */
public final class LeaseKeeper {

    private final Leadership leadership;
    private final String holder;
    private final long reliableNanos;
    private final Ticker ticker;
    private volatile Held held = new Held(0, 0, false);

    /** @param leaseTime how long the database grants the lease for */
    public LeaseKeeper(Leadership leadership, String holder, Duration leaseTime, Ticker ticker) {
        this.leadership = leadership;
        this.holder = holder;
        this.reliableNanos = leaseTime.toNanos() / 4 * 3;
        this.ticker = ticker;
    }

    /** Asks for leadership or renews it. When the database does not answer, what was granted before runs out by itself. */
    public OptionalLong turn() {
        long asked = ticker.nanos();
        OptionalLong term = leadership.lead(holder);
        held = term.isPresent() ? new Held(term.getAsLong(), asked + reliableNanos, true) : new Held(0, 0, false);
        return term;
    }

    /** The lease of one term: it ends with the term, whatever this replica holds later. */
    public Lease lease(long term) {
        return () -> {
            Held now = held;
            return now.leads && now.term == term && ticker.nanos() - now.untilNanos < 0;
        };
    }

    /** Gives leadership up. */
    public void resign() {
        held = new Held(0, 0, false);
        leadership.resign(holder);
    }

    private record Held(long term, long untilNanos, boolean leads) {}
}
