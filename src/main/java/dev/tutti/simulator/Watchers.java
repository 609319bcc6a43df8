package dev.tutti.simulator;

import dev.tutti.control.ClusterGateway.Inbox;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands changes to all watches, in order, and only once they are durable: what anybody saw is never lost. Changes
 * beyond what the queue holds are dropped, and the watches told of a gap.
 */
final class Watchers {

    private static final int QUEUED = 200_000;

    private final List<Inbox> inboxes = new CopyOnWriteArrayList<>();
    private final List<Consumer<Inbox>> batch = new ArrayList<>();
    private final Deque<Event> queue = new ArrayDeque<>();
    private final Object delivery = new Object();
    private boolean broken;

    private record Event(long mark, Consumer<Inbox> notice) {}

    void add(Inbox inbox) {
        inboxes.add(inbox);
    }

    void remove(Inbox inbox) {
        inboxes.remove(inbox);
    }

    boolean isWatched() {
        return !inboxes.isEmpty();
    }

    /** Under the cluster's lock: adds to the batch that the next {@link #commit} closes. */
    void tell(Consumer<Inbox> notice) {
        if (isWatched() && !broken) {
            batch.add(notice);
        }
    }

    /** Under the cluster's lock: from now on nothing is told until {@link #mend}. */
    void interrupt() {
        broken = true;
    }

    /** Under the cluster's lock: watches go on, and hear that they missed something. */
    void mend() {
        broken = false;
        tell(Inbox::gap);
    }

    /** Under the cluster's lock: what was told since the last commit may be delivered once {@code mark} is durable. */
    void commit(long mark) {
        if (batch.isEmpty()) {
            return;
        }
        synchronized (queue) {
            if (queue.size() + batch.size() > QUEUED) {
                queue.clear();
                queue.add(new Event(mark, Inbox::gap));
            } else {
                batch.forEach(notice -> queue.add(new Event(mark, notice)));
            }
        }
        batch.clear();
    }

    /** Without any lock: delivers everything up to {@code durable}. */
    void deliver(long durable) {
        synchronized (delivery) {
            for (Event event = next(durable); event != null; event = next(durable)) {
                inboxes.forEach(event.notice());
            }
        }
    }

    private @Nullable Event next(long durable) {
        synchronized (queue) {
            Event first = queue.peek();
            return first != null && first.mark() <= durable ? queue.poll() : null;
        }
    }
}
