package dev.tutti.control.view;

import dev.tutti.allocator.LanesNow;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.LaneHours;
import dev.tutti.model.queue.LaneRules;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** What lanes may do at the time of the last reading, and when that changes. */
final class OpenLanes {

    private static final long MICROS = 1_000_000;
    private static final long MINUTE_MICROS = LaneRules.RATE_SECONDS * MICROS;

    private LanesNow lanes = LanesNow.FREE;
    /** When one opens or closes next, or may start one more. */
    private long nextMicros = Long.MAX_VALUE;

    /**
     * Takes in rules, what started lately, and time.
     *
     * @return whether other lanes are closed than before, or until another time, or may start more or fewer
     */
    boolean follow(Map<Lane, LaneRow> rows, long nowMicros) {
        nextMicros = Long.MAX_VALUE;
        Map<Lane, Long> closed = new EnumMap<>(Lane.class);
        Map<Lane, LanesNow.Rate> rates = new EnumMap<>(Lane.class);
        Set<Lane> askNobody = EnumSet.noneOf(Lane.class);
        Map<Lane, Long> fallback = new EnumMap<>(Lane.class);
        rows.forEach((lane, row) -> {
            if (row.rules().hours() != null) {
                takeHours(lane, row.rules().hours(), nowMicros, closed);
            }
            if (row.rules().startsPerMinute() != null) {
                rates.put(lane, rate(row.rules().startsPerMinute(), row));
            }
            if (!row.rules().preempts()) {
                askNobody.add(lane);
            }
            Integer after = row.rules().fallbackAfterSeconds();
            if (after == null || after > 0) {
                fallback.put(lane, after == null ? LanesNow.NEVER : after * MICROS);
            }
        });
        LanesNow now = new LanesNow(closed, rates, askNobody, fallback);
        boolean differs = !now.equals(lanes);
        lanes = now;
        return differs;
    }

    private void takeHours(Lane lane, LaneHours hours, long nowMicros, Map<Lane, Long> closed) {
        Instant time = Instant.EPOCH.plus(nowMicros, ChronoUnit.MICROS);
        Instant next = hours.nextChange(time);
        long micros = next.equals(Instant.MAX) ? Long.MAX_VALUE : ChronoUnit.MICROS.between(Instant.EPOCH, next);
        nextMicros = Math.min(nextMicros, micros);
        if (!hours.isOpen(time)) {
            closed.put(lane, micros);
        }
    }

    private LanesNow.Rate rate(int limit, LaneRow row) {
        int left = Math.max(0, limit - row.starts());
        long next = row.starts() == 0 ? 0 : row.oldestMicros() + MINUTE_MICROS;
        if (left == 0) {
            nextMicros = Math.min(nextMicros, next);
        }
        return new LanesNow.Rate(limit, left, next);
    }

    LanesNow now() {
        return lanes;
    }

    long nextMicros() {
        return nextMicros;
    }
}
