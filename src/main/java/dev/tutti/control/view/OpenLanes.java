package dev.tutti.control.view;

import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.LaneHours;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;

/** Which lanes are closed at the time of the last reading, and when that changes. */
final class OpenLanes {

    private Map<Lane, LaneHours> hours = Map.of();
    private Map<Lane, Long> closed = Map.of();
    /** When one opens or closes next. */
    private long nextMicros = Long.MAX_VALUE;

    /**
     * Takes in hours and time.
     *
     * @return whether other lanes are closed than before, or until another time
     */
    boolean follow(Map<Lane, LaneHours> now, long nowMicros) {
        if (hours.equals(now) && nowMicros < nextMicros) {
            return false;
        }
        hours = now;
        nextMicros = Long.MAX_VALUE;
        Instant time = Instant.EPOCH.plus(nowMicros, ChronoUnit.MICROS);
        Map<Lane, Long> closedNow = new EnumMap<>(Lane.class);
        hours.forEach((lane, each) -> {
            Instant next = each.nextChange(time);
            long micros = next.equals(Instant.MAX) ? Long.MAX_VALUE : ChronoUnit.MICROS.between(Instant.EPOCH, next);
            nextMicros = Math.min(nextMicros, micros);
            if (!each.isOpen(time)) {
                closedNow.put(lane, micros);
            }
        });
        boolean differs = !closed.equals(closedNow);
        closed = closedNow;
        return differs;
    }

    /** Closed lanes with the time they open, in microseconds since 1970. */
    Map<Lane, Long> closed() {
        return closed;
    }

    long nextMicros() {
        return nextMicros;
    }
}
