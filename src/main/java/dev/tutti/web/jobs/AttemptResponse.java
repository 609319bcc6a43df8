package dev.tutti.web.jobs;

import dev.tutti.control.read.AttemptView;
import dev.tutti.model.life.EndCause;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One attempt. */
@Schema(name = "Attempt", description = "One run of the job.")
record AttemptResponse(
        @Schema(description = "From 1.") int number,
        Instant allocatedAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,

        @Schema(description = "Why it ended; absent while it has not, and where only a suspension ended it.") @Nullable
        EndCause cause,

        @Schema(description = "Id of the job for which it had to give up what it held.") @Nullable
        String stoppedFor,

        @Schema(description = "Pods in it.") int members,
        long gpuMilli) {

    static AttemptResponse of(AttemptView attempt) {
        return new AttemptResponse(
                attempt.number(),
                attempt.allocatedAt(),
                attempt.startedAt(),
                attempt.endedAt(),
                attempt.cause(),
                attempt.stoppedFor() == null ? null : attempt.stoppedFor().toString(),
                attempt.members(),
                attempt.gpuMilli());
    }
}
