package dev.tutti.testkit.memory;

import dev.tutti.control.Leadership;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

final class MemoryLeadership implements Leadership {

    private final LongSupplier clock;
    private final long leaseMicros;
    private String holder = "";
    private long term;
    private long expiresAt;

    MemoryLeadership(LongSupplier clock, Duration leaseTime) {
        this.clock = clock;
        this.leaseMicros = leaseTime.toNanos() / 1000;
    }

    long term() {
        return term;
    }

    @Override
    public OptionalLong lead(String asker) {
        long now = clock.getAsLong();
        if (!holder.equals(asker)) {
            if (now < expiresAt) {
                return OptionalLong.empty();
            }
            holder = asker;
            term++;
        }
        expiresAt = now + leaseMicros;
        return OptionalLong.of(term);
    }

    @Override
    public void resign(String asker) {
        if (holder.equals(asker)) {
            expiresAt = 0;
        }
    }
}
