package dev.tutti.web.events;

import dev.tutti.control.read.BrokenCursor;
import dev.tutti.control.read.EventQueries;
import dev.tutti.model.InvalidInput;
import dev.tutti.model.Violation;
import dev.tutti.web.security.KeyRing;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The event stream. */
@RestController
@Tag(name = "events")
final class EventController {

    private static final String LAST_EVENT_ID = "Last-Event-ID";
    private static final int CURSOR_LENGTH = 512;

    private final EventHub hub;
    private final EventQueries events;
    private final KeyRing keys;
    private final long heartbeatMillis;

    EventController(
            EventHub hub,
            EventQueries events,
            KeyRing keys,
            @Value("${tutti.events.heartbeat-millis:15000}") long heartbeatMillis) {
        this.keys = keys;
        this.hub = hub;
        this.events = events;
        this.heartbeatMillis = heartbeatMillis;
    }

    @GetMapping(path = "/api/v1/events", produces = "text/event-stream")
    @Operation(
            operationId = "watchEvents",
            summary = "Follow all events",
            description =
                    "Server-sent events in commit order, the same on every replica. Without Last-Event-ID from now"
                            + " on. A comment comes at least every 15 seconds. A listener that is too slow is let go and comes"
                            + " back with Last-Event-ID. A stream ends when its API key is revoked or expires.",
            parameters =
                    @Parameter(
                            in = ParameterIn.HEADER,
                            name = LAST_EVENT_ID,
                            description = "The id of the last event seen; the stream goes on after it.",
                            schema = @Schema(type = "string")))
    @ApiResponse(
            responseCode = "200",
            description = "The stream; the data of each event is an Event.",
            content = @Content(mediaType = "text/event-stream", schema = @Schema(implementation = EventResponse.class)))
    SseEmitter watch(
            @Parameter(hidden = true) @RequestHeader(name = LAST_EVENT_ID, required = false) @Nullable
                    String lastEventId,
            HttpServletRequest request,
            HttpServletResponse response) {
        check(lastEventId);
        response.setHeader("X-Accel-Buffering", "no");
        hub.enter();
        boolean started = false;
        try {
            SseEmitter emitter = new SseEmitter(0L);
            hub.run(new EventStream(hub, events, emitter, heartbeatMillis, lastEventId, keys.stillHeld(request)));
            started = true;
            return emitter;
        } finally {
            if (!started) {
                hub.leave();
            }
        }
    }

    /** A cursor that cannot be gone on from is told before the stream begins. */
    private void check(@Nullable String cursor) {
        if (cursor == null) {
            return;
        }
        try {
            if (cursor.isEmpty() || cursor.length() > CURSOR_LENGTH) {
                throw new BrokenCursor("");
            }
            events.after(cursor, 1);
        } catch (BrokenCursor broken) {
            throw new InvalidInput(List.of(new Violation(LAST_EVENT_ID, "is not the id of an event")));
        }
    }
}
