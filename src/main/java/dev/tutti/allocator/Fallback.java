package dev.tutti.allocator;

import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How long a waiting job keeps to the flavors that it wishes for most. At first the first flavor that each of its pod sets names is
 * open to it, and one more of each after every so many seconds.
 *
 * @param sinceMicros since when it waits, time that does not count left out, in microseconds since 1970
 * @param afterSeconds its own value, 0 for all flavors at once; null for that of its lane
 */
public record Fallback(long sinceMicros, @Nullable Integer afterSeconds) {

    /** All flavors are open from the beginning, whatever the lane says. */
    public static final Fallback AT_ONCE = new Fallback(0, 0);

    private static final long MICROS = 1_000_000;

    /** Time from one flavor to the next, in microseconds: 0 for all at once, {@link LanesNow#NEVER} for none but the first. */
    long stepMicros(Lane lane, LanesNow lanes) {
        return afterSeconds == null ? lanes.fallbackMicros().getOrDefault(lane, 0L) : afterSeconds * MICROS;
    }

    /** How many flavors of a set are open, out of {@code most}. */
    int open(long stepMicros, int most, long nowMicros) {
        if (stepMicros == 0) {
            return most;
        }
        return stepMicros == LanesNow.NEVER
                ? Math.min(1, most)
                : (int) Math.min(most, 1 + Math.max(0, nowMicros - sinceMicros) / stepMicros);
    }

    /** When one more is open than these, in microseconds since 1970; {@link LanesNow#NEVER} for never. */
    long opensMicros(long stepMicros, int open) {
        return stepMicros == LanesNow.NEVER ? LanesNow.NEVER : sinceMicros + open * stepMicros;
    }

    /** The most flavors that one of the sets names. */
    static int named(List<PodSet> podSets) {
        int most = 0;
        for (PodSet set : podSets) {
            most = Math.max(most, set.flavors().size());
        }
        return most;
    }
}
