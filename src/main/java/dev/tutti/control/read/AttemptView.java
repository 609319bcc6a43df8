package dev.tutti.control.read;

import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One run of a job.
 *
 * @param stoppedFor the job for which it had to give way; null for nobody
 */
public record AttemptView(
        int number,
        Instant allocatedAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable EndCause cause,
        @Nullable JobId stoppedFor,
        int members,
        long gpuMilli) {}
