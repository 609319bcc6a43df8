package dev.tutti.web.jobs;

import dev.tutti.model.Violation;
import dev.tutti.model.life.JobState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a submit answers. These are the bytes kept with an Idempotency-Key, so they hold nothing that changes. */
final class SubmitResponses {

    private SubmitResponses() {}

    /** One new job. */
    @Schema(name = "SubmittedJob", description = "A job that is stored now.")
    record SubmittedJob(
            @Schema(description = "Opaque.") String id,
            String name,
            @Schema(description = "The state it begins in.") JobState state,
            @Schema(description = "Path to read it from.") String href,
            EstimateResponse estimate) {}

    /** One item of a batch. */
    @Schema(name = "BatchItem", description = "What became of one job of the batch.")
    record BatchItem(
            @Schema(description = "Place in the batch, from 0.")
            int index,

            @Schema(
                    description =
                            "201 for a stored job, 400 for a refused one, 409 for one that its queue does not take in now.",
                    example = "201")
            int status,

            @Schema(description = "The job; only when stored.") @Nullable
            String id,

            @Schema(description = "What is wrong; only when refused.") @Nullable
            List<Violation> violations) {}

    /** A batch. */
    @Schema(name = "BatchResult", description = "One result per job, in the order of the batch.")
    record BatchResult(int stored, int refused, List<BatchItem> items) {}
}
