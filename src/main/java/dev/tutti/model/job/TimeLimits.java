package dev.tutti.model.job;

import dev.tutti.model.Check;
import dev.tutti.model.Limits;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long a job may take, each limit by itself; a job that reaches one is TIMED_OUT. Whether one is reached is the
 * database's clock to say.
 *
 * @param maxRuntimeSeconds time it may be RUNNING; a suspension stops the count, any other end of an attempt begins it anew
 * @param deadline when it must have ended, whatever it is doing
 * @param maxQueueSeconds time it may be QUEUED before an attempt; a suspension stops the count
 */
public record TimeLimits(
        @Nullable Integer maxRuntimeSeconds,
        @Nullable Instant deadline,
        @Nullable Integer maxQueueSeconds) {

    /** A job that may take as long as it takes. */
    public static final TimeLimits NONE = new TimeLimits(null, null, null);

    public TimeLimits {
        Check check = new Check();
        if (maxRuntimeSeconds != null) {
            check.range(maxRuntimeSeconds, 1, Limits.SECONDS, "maxRuntimeSeconds");
        }
        if (maxQueueSeconds != null) {
            check.range(maxQueueSeconds, 1, Limits.SECONDS, "maxQueueSeconds");
        }
        check.orThrow();
    }

    /** Whether the deadline is over at {@code nowMicros}, in microseconds since 1970. */
    public boolean isPastAt(long nowMicros) {
        return deadline != null && !deadline.isAfter(Instant.EPOCH.plus(nowMicros, ChronoUnit.MICROS));
    }
}
