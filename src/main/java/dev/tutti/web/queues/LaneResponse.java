package dev.tutti.web.queues;

import dev.tutti.control.read.QueueQueries.LaneView;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** One lane. */
@Schema(name = "Lane", description = "A built-in priority class.")
record LaneResponse(
        String name,

        @Schema(description = "Order of consideration, 1 first.")
        int rank,

        String description,

        @Schema(description = "When its jobs may start; absent for always.")
        LaneForms.@Nullable Hours hours,

        @Schema(description = "Jobs that wait.") long waiting,

        @Schema(description = "Jobs that hold something.") long running) {

    static LaneResponse of(LaneView lane) {
        return new LaneResponse(
                lane.name(),
                lane.rank(),
                lane.description(),
                LaneForms.Hours.of(lane.hours()),
                lane.waiting(),
                lane.running());
    }
}
