package dev.tutti.allocator;

import dev.tutti.model.job.Lane;
import java.util.Map;
import java.util.Set;

/**
 * What the lanes' own rules allow at the time of a decision, all of it independent of queues and capacity.
 *
 * @param closed lanes of which nothing may start now, with the time they open, in microseconds since 1970;
 *     {@link Long#MAX_VALUE} for never
 * @param rates of the lanes of which only so many jobs may start in a minute
 * @param askNobody lanes whose jobs make nobody leave for being weaker
 * @param fallbackMicros lanes whose jobs may not use all flavors that they name at once, with the time from one flavor to the
 *     next; {@link #NEVER} for none but the first
 */
public record LanesNow(
        Map<Lane, Long> closed, Map<Lane, Rate> rates, Set<Lane> askNobody, Map<Lane, Long> fallbackMicros) {

    /** A time that does not come. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Every lane is open, without limit and with every right. */
    public static final LanesNow FREE = new LanesNow(Map.of(), Map.of(), Set.of(), Map.of());

    public LanesNow {
        closed = Map.copyOf(closed);
        rates = Map.copyOf(rates);
        askNobody = Set.copyOf(askNobody);
        fallbackMicros = Map.copyOf(fallbackMicros);
    }

    /** Lanes whose jobs may use all flavors that they name at once. */
    public LanesNow(Map<Lane, Long> closed, Map<Lane, Rate> rates, Set<Lane> askNobody) {
        this(closed, rates, askNobody, Map.of());
    }

    /**
     * How many jobs of a lane may start.
     *
     * @param limit how many within any minute
     * @param left how many may start now
     * @param nextMicros when one more may start than may now, in microseconds since 1970; 0 when none started in the minute before,
     *     so that it is a minute after the next that does
     */
    public record Rate(int limit, int left, long nextMicros) {}
}
