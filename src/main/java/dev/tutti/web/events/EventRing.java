package dev.tutti.web.events;

import dev.tutti.control.read.EventQueries.EventView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The newest events, once for all listeners: each listener only keeps its place. A listener that falls behind the oldest
 * event kept has lost its place; nobody waits for it.
 */
final class EventRing {

    private final EventView[] slots;
    private long oldest;
    private long next;
    private String base = "";

    EventRing(int capacity) {
        slots = new EventView[capacity];
    }

    /** Forgets everything and goes on after {@code cursor}; all present listeners lose their place. */
    synchronized void restart(String cursor) {
        next++;
        oldest = next;
        base = cursor;
        notifyAll();
    }

    synchronized void append(List<EventView> events) {
        for (EventView event : events) {
            if (next - oldest == slots.length) {
                base = slots[(int) (oldest % slots.length)].id();
                oldest++;
            }
            slots[(int) (next % slots.length)] = event;
            next++;
        }
        notifyAll();
    }

    /** Cursor of the newest event. */
    synchronized String cursor() {
        return next == oldest ? base : slots[(int) ((next - 1) % slots.length)].id();
    }

    /** The place after the newest event. */
    synchronized long end() {
        return next;
    }

    /** The place after the event with this cursor; -1 when it is not kept. */
    synchronized long placeAfter(String cursor) {
        if (cursor.equals(base)) {
            return oldest;
        }
        for (long place = next - 1; place >= oldest; place--) {
            if (slots[(int) (place % slots.length)].id().equals(cursor)) {
                return place + 1;
            }
        }
        return -1;
    }

    /** Events from {@code place} on, at most {@code limit}; none when nothing came in time; empty when it is lost. */
    synchronized Optional<List<EventView>> await(long place, int limit, long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long left = millis;
        while (place == next && left > 0) {
            wait(left);
            left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
        if (place < oldest) {
            return Optional.empty();
        }
        List<EventView> found = new ArrayList<>();
        for (long at = place; at < next && found.size() < limit; at++) {
            found.add(slots[(int) (at % slots.length)]);
        }
        return Optional.of(found);
    }
}
