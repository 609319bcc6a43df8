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

        @Schema(
                description =
                        "Whether its jobs make weaker ones leave. Without it they ask only back what their queue was promised.")
        boolean preempts,

        @Schema(
                description =
                        "How many of its jobs may start within any minute; absent for any number. While so many have, the"
                                + " others wait with LANE_RATE, which says when the next may start.")
        @Nullable
        Integer startsPerMinute,

        @Schema(
                description =
                        "How long its jobs wait for the first flavor that they name before they may use the next too; 0 for"
                                + " all at once, absent for none but the first. What a job says itself goes before.")
        @Nullable
        Integer fallbackAfterSeconds,

        @Schema(description = "Jobs that wait.") long waiting,

        @Schema(description = "Jobs that hold something.") long running) {

    static LaneResponse of(LaneView lane) {
        return new LaneResponse(
                lane.name(),
                lane.rank(),
                lane.description(),
                LaneForms.Hours.of(lane.rules().hours()),
                lane.rules().preempts(),
                lane.rules().startsPerMinute(),
                lane.rules().fallbackAfterSeconds(),
                lane.waiting(),
                lane.running());
    }
}
