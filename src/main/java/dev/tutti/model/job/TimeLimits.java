package dev.tutti.model.job;

import dev.tutti.model.Check;
import dev.tutti.model.Limits;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long a job may take, each limit by itself, and how long it waits for the flavor it likes best. A job that reaches one of the first three is TIMED_OUT; the last ends an
 * attempt only, and the job waits again. Whether one is reached is the database's clock to say.
 *
 * @param maxRuntimeSeconds time it may be RUNNING; a suspension stops the count, any other end of an attempt begins it anew
 * @param deadline when it must have ended, whatever it is doing
 * @param maxQueueSeconds time it may be QUEUED before an attempt; a suspension stops the count
 * @param readyTimeoutSeconds time from the last binding of an attempt until all its pods run; null: what is configured
 * @param fallbackAfterSeconds time it waits before it may use one more of the flavors that it names; 0 for all at once, null for
 *     what its lane says. Nothing ends at it
 */
public record TimeLimits(
        @Nullable Integer maxRuntimeSeconds,
        @Nullable Instant deadline,
        @Nullable Integer maxQueueSeconds,
        @Nullable Integer readyTimeoutSeconds,
        @Nullable Integer fallbackAfterSeconds) {

    /** The longest that pods may take to run, in seconds: a day. */
    public static final int LONGEST_READY_SECONDS = 86_400;

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
        if (readyTimeoutSeconds != null) {
            check.range(readyTimeoutSeconds, 1, LONGEST_READY_SECONDS, "readyTimeoutSeconds");
        }
        if (fallbackAfterSeconds != null) {
            check.range(fallbackAfterSeconds, 0, Limits.FALLBACK_SECONDS, "fallbackAfterSeconds");
        }
        check.orThrow();
    }

    /** Limits of a job that uses the flavors that it names as its lane says. */
    public TimeLimits(
            @Nullable Integer maxRuntimeSeconds,
            @Nullable Instant deadline,
            @Nullable Integer maxQueueSeconds,
            @Nullable Integer readyTimeoutSeconds) {
        this(maxRuntimeSeconds, deadline, maxQueueSeconds, readyTimeoutSeconds, null);
    }

    /** Limits of a job whose pods may take as long to run as is configured. */
    public TimeLimits(
            @Nullable Integer maxRuntimeSeconds, @Nullable Instant deadline, @Nullable Integer maxQueueSeconds) {
        this(maxRuntimeSeconds, deadline, maxQueueSeconds, null, null);
    }

    /** Whether the deadline is over at {@code nowMicros}, in microseconds since 1970. */
    public boolean isPastAt(long nowMicros) {
        return deadline != null && !deadline.isAfter(Instant.EPOCH.plus(nowMicros, ChronoUnit.MICROS));
    }
}
