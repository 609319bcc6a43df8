package dev.tutti.web.jobs;

import dev.tutti.control.intake.Forecast;
import dev.tutti.web.jobs.JobResponse.ReasonResponse;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a submit says of when its job starts. Kept with the answer, so it stays what it was. */
@Schema(
        name = "Estimate",
        description =
                "What was to be expected of the job at the moment of its submit, as if it did not wait for a resume. No"
                        + " promise, and never written anew: a repeat under the same Idempotency-Key shows the same.")
public record EstimateResponse(
        @Schema(
                description =
                        "False when it could not be said fast enough, or when the job waits for other jobs; the rest is then"
                                + " absent.")
        boolean known,

        @Schema(description = "False when it is certain that it would not start if nothing else were running.")
        @Nullable
        Boolean couldEverRun,

        @Schema(description = "Whether there was a place for it at once.") @Nullable
        Boolean fitsNow,

        @Schema(description = "Place in the order of consideration of its queue, from 1; absent when it fits now.")
        @Nullable
        Long position,

        @Schema(description = "What blocks it; absent when it fits now.") @Nullable
        ReasonResponse reason,

        @Schema(description = "When it starts at the latest; absent unless a time is reserved for it.") @Nullable
        Instant startAt,

        @Schema(description = "How many running jobs would be asked to leave, or to give up pods, for it.") @Nullable
        Integer jobsToGiveWay) {

    private static final EstimateResponse UNKNOWN = new EstimateResponse(false, null, null, null, null, null, null);

    static EstimateResponse of(Optional<Forecast> estimate) {
        return estimate.map(EstimateResponse::known).orElse(UNKNOWN);
    }

    private static EstimateResponse known(Forecast forecast) {
        return new EstimateResponse(
                true,
                forecast.couldEverRun(),
                forecast.fitsNow(),
                forecast.position(),
                forecast.reason() == null ? null : ReasonResponse.of(forecast.reason(), null),
                forecast.startAt(),
                forecast.jobsToGiveWay());
    }
}
