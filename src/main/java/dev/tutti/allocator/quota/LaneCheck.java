package dev.tutti.allocator.quota;

import dev.tutti.allocator.LanesNow;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.LaneRules;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the rules of the lanes allow in one decision, counted down as jobs start. */
public final class LaneCheck {

    private static final long MINUTE_MICROS = LaneRules.RATE_SECONDS * 1_000_000L;

    private final Map<Lane, Integer> started = new EnumMap<>(Lane.class);
    private LanesNow lanes;
    private long nowMicros;

    LaneCheck(LanesNow lanes) {
        this.lanes = lanes;
    }

    /** A decision begins: nothing of it has started. */
    public void begin(LanesNow now, long micros) {
        lanes = now;
        nowMicros = micros;
        started.clear();
    }

    /** Whether another set of lanes than at the decision before starts nothing, or has other rights. */
    static boolean differ(LanesNow before, LanesNow now) {
        return !before.closed().equals(now.closed())
                || !before.askNobody().equals(now.askNobody())
                || othersAreUsedUp(before, now);
    }

    private static boolean othersAreUsedUp(LanesNow before, LanesNow now) {
        for (Lane lane : Lane.values()) {
            if (isUsedUp(before, lane) != isUsedUp(now, lane)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUsedUp(LanesNow lanes, Lane lane) {
        LanesNow.Rate rate = lanes.rates().get(lane);
        return rate != null && rate.left() <= 0;
    }

    /** When the lane opens, in microseconds since 1970; null when it is open. */
    public @Nullable Long opens(Lane lane) {
        return lanes.closed().get(lane);
    }

    /** Whether the hour and the rate let a job of the lane start when the decision began. */
    public boolean mightStart(Lane lane) {
        return opens(lane) == null && !isUsedUp(lanes, lane);
    }

    /** Whether as many jobs of the lane have started as may within a minute, those of this decision counted. */
    public boolean isUsedUp(Lane lane) {
        LanesNow.Rate rate = lanes.rates().get(lane);
        return rate != null && started.getOrDefault(lane, 0) >= rate.left();
    }

    /** Counts a job that starts. */
    public void started(Lane lane) {
        started.merge(lane, 1, Integer::sum);
    }

    /** Whether its jobs may make others leave that are only weaker. */
    public boolean preempts(Lane lane) {
        return !lanes.askNobody().contains(lane);
    }

    /** How many jobs of a lane that has a rate may start within a minute. */
    public int limit(Lane lane) {
        LanesNow.Rate rate = lanes.rates().get(lane);
        return rate == null ? 0 : rate.limit();
    }

    /** When a lane whose rate is used up may start the next job, in microseconds since 1970; 0 when it may now. */
    public long nextStartMicros(Lane lane) {
        LanesNow.Rate rate = lanes.rates().get(lane);
        if (rate == null || !isUsedUp(lane)) {
            return 0;
        }
        return rate.nextMicros() == 0 ? nowMicros + MINUTE_MICROS : rate.nextMicros();
    }
}
