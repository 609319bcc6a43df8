package dev.tutti.web.jobs;

import dev.tutti.control.intake.Forecast;
import dev.tutti.model.Violation;
import dev.tutti.web.jobs.JobResponse.ReasonResponse;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What would become of a job. */
@Schema(name = "Forecast", description = "What would become of the job if it were submitted now; nothing is written.")
public record ForecastResponse(
        @Schema(description = "What names something that is not there; the rest is then empty.")
        List<Violation> violations,

        @Schema(description = "False when it is certain that it would not start if nothing else were running.")
        boolean couldEverRun,

        @Schema(
                description =
                        "Most pods of this shape that were found to start together if nothing else were running. Fewer than its"
                                + " own while couldEverRun is true: the search stopped before it had tried every way.")
        int largestPods,

        @Schema(description = "Thousandths of a GPU of those pods.")
        long largestGpuMilli,

        @Schema(description = "Whether it would start now.") boolean fitsNow,
        @Schema(description = "Where its pods would be.") List<Forecast.NodeShare> nodes,

        @Schema(description = "Why it would wait; absent when it would start.") @Nullable
        ReasonResponse reason,

        @Schema(description = "Place in the order of consideration of its queue, from 1; absent when it would start.")
        @Nullable
        Long position,

        @Schema(description = "When it would start at the latest; absent unless a time would be reserved for it.")
        @Nullable
        Instant startAt,

        @Schema(description = "How many running jobs would be asked to leave, or to give up pods, for it.")
        int jobsToGiveWay) {

    public static ForecastResponse of(Forecast forecast) {
        return new ForecastResponse(
                forecast.violations(),
                forecast.couldEverRun(),
                forecast.largestPods(),
                forecast.largestGpuMilli(),
                forecast.fitsNow(),
                forecast.nodes(),
                forecast.reason() == null ? null : ReasonResponse.of(forecast.reason(), null),
                forecast.position(),
                forecast.startAt(),
                forecast.jobsToGiveWay());
    }
}
