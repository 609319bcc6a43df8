package dev.tutti.web.events;

import dev.tutti.control.read.EventQueries;
import dev.tutti.control.read.EventQueries.EventView;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * One listener: first catches up from the database, then follows the ring. It ends when it falls behind, is gone, or may
 * listen no more.
 */
final class EventStream implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
    private static final int RECONNECT_MILLIS = 2_000;

    private final EventHub hub;
    private final EventQueries events;
    private final SseEmitter emitter;
    private final long heartbeatMillis;
    private final @Nullable String lastEventId;
    private final BooleanSupplier mayListen;
    private final long fromNow;

    EventStream(
            EventHub hub,
            EventQueries events,
            SseEmitter emitter,
            long heartbeatMillis,
            @Nullable String lastEventId,
            BooleanSupplier mayListen) {
        this.hub = hub;
        this.events = events;
        this.emitter = emitter;
        this.heartbeatMillis = heartbeatMillis;
        this.lastEventId = lastEventId;
        this.mayListen = mayListen;
        this.fromNow = hub.ring().end();
    }

    @Override
    public void run() {
        try {
            emitter.send(SseEmitter.event().reconnectTime(RECONNECT_MILLIS).comment("tutti"));
            follow(lastEventId == null ? fromNow : catchUp(lastEventId));
            emitter.complete();
        } catch (IOException | IllegalStateException gone) {
            LOG.debug("a listener has gone: {}", gone.getMessage());
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            emitter.complete();
        } catch (RuntimeException away) {
            LOG.debug("a stream ends: {}", away.getMessage());
            emitter.complete();
        } finally {
            hub.leave();
        }
    }

    /** Reads from the database until the ring has what comes next; returns the place to go on from. */
    private long catchUp(String cursor) throws IOException, InterruptedException {
        String last = cursor;
        long place = hub.ring().placeAfter(last);
        while (place < 0) {
            List<EventView> page = events.after(last, EventHub.PAGE);
            send(page);
            if (page.isEmpty()) {
                // The hub's reader is a moment behind: what was just sent will be in the ring soon.
                Thread.sleep(EventHub.POLL_MILLIS);
            } else {
                last = page.get(page.size() - 1).id();
            }
            place = hub.ring().placeAfter(last);
        }
        return place;
    }

    private void follow(long from) throws IOException, InterruptedException {
        long place = from;
        while (hub.isOpen()) {
            Optional<List<EventView>> found = hub.ring().await(place, EventHub.PAGE, heartbeatMillis);
            if (found.isEmpty()) {
                LOG.debug("a listener was too slow and is let go");
                return;
            }
            if (found.get().isEmpty()) {
                emitter.send(SseEmitter.event().comment("heartbeat"));
            }
            send(found.get());
            place += found.get().size();
        }
    }

    /** Asks before every batch, and so at every heartbeat, whether the listener's key is still a key. */
    private void send(List<EventView> found) throws IOException {
        if (!mayListen.getAsBoolean()) {
            throw new ProblemFound(ProblemKind.UNAUTHENTICATED, "the listener's key was revoked or has expired");
        }
        for (EventView event : found) {
            emitter.send(SseEmitter.event()
                    .id(event.id())
                    .name(event.type())
                    .data(EventResponse.of(event), MediaType.APPLICATION_JSON));
        }
    }
}
