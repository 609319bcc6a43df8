package dev.tutti.web.events;

import dev.tutti.control.read.CursorTooOld;
import dev.tutti.control.read.EventQueries;
import dev.tutti.control.read.EventQueries.EventView;
import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * The one reader of the event stream on this replica. While anybody listens it asks the database every quarter of a
 * second, however many listen; while nobody does it asks nothing. Streams end before the server stops taking requests.
 */
@Component
final class EventHub implements SmartLifecycle {

    static final int POLL_MILLIS = 250;
    static final int PAGE = 500;

    private static final Logger LOG = LoggerFactory.getLogger(EventHub.class);
    private static final int KEPT = 8_192;
    private static final int PAGES_A_POLL = 8;
    private static final int RETRY_SECONDS = 5;

    private final EventQueries events;
    private final int mostListeners;
    private final EventRing ring = new EventRing(KEPT);
    private volatile boolean open;
    private int listeners;
    private boolean following;
    private @Nullable ExecutorService writers;
    private @Nullable ScheduledExecutorService poller;

    EventHub(EventQueries events, @Value("${tutti.events.max-listeners:64}") int mostListeners) {
        this.events = events;
        this.mostListeners = mostListeners;
    }

    EventRing ring() {
        return ring;
    }

    /** Runs a listener that was let in, on a thread of its own: writing to a slow reader blocks. */
    synchronized void run(Runnable listener) {
        if (writers == null) {
            throw closed();
        }
        writers.execute(listener);
    }

    boolean isOpen() {
        return open;
    }

    /** Lets one more listen, or throws 503. Whoever was let in calls {@link #leave()} once. */
    synchronized void enter() {
        if (!open || listeners >= mostListeners) {
            throw closed();
        }
        if (!following) {
            ring.restart(events.newest());
            following = true;
        }
        listeners++;
    }

    synchronized void leave() {
        listeners--;
        following = listeners > 0;
    }

    private synchronized boolean isFollowing() {
        return following;
    }

    private void poll() {
        int pages = 0;
        List<EventView> found;
        do {
            if (!isFollowing()) {
                return;
            }
            found = read();
            pages++;
        } while (found.size() == PAGE && pages < PAGES_A_POLL);
    }

    private List<EventView> read() {
        try {
            List<EventView> found = events.after(ring.cursor(), PAGE);
            ring.append(found);
            return found;
        } catch (CursorTooOld tooOld) {
            LOG.warn("the event stream was read too late; all listeners must begin again");
            ring.restart(events.newest());
            return List.of();
        }
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    private ProblemFound closed() {
        return new ProblemFound(Problem.retry(
                ProblemKind.UNAVAILABLE, "no more than " + mostListeners + " streams are open", RETRY_SECONDS));
    }

    @Override
    public synchronized void start() {
        // Listeners are counted. Twice as many threads, because one that has left may still be on its way out.
        writers = new ThreadPoolExecutor(
                0,
                2 * mostListeners,
                30,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                work -> daemon(work, "events-writer"));
        poller = Executors.newSingleThreadScheduledExecutor(work -> daemon(work, "events-reader"));
        poller.scheduleWithFixedDelay(this::pollSafely, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
        open = true;
    }

    private void pollSafely() {
        try {
            poll();
        } catch (RuntimeException away) {
            LOG.debug("events cannot be read now", away);
        }
    }

    @Override
    public synchronized void stop() {
        open = false;
        if (poller != null) {
            poller.shutdownNow();
        }
        if (writers != null) {
            writers.shutdownNow();
        }
    }

    @Override
    public boolean isRunning() {
        return open;
    }
}
