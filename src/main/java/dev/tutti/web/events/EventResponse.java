package dev.tutti.web.events;

import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.tutti.control.read.EventQueries.EventView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

/** One event. */
@Schema(name = "Event", description = "Something that happened, in commit order.")
public record EventResponse(
        @Schema(description = "Its cursor; send it as Last-Event-ID to go on after it.")
        String id,

        Instant at,
        @Schema(example = "job.state") String type,
        @Schema(description = "Id of what it is about.") String subject,

        @Schema(description = "Its facts.", type = "object", implementation = Object.class) @JsonRawValue
        String data) {

    public static EventResponse of(EventView event) {
        return new EventResponse(event.id(), event.at(), event.type(), event.subject(), event.data());
    }
}
