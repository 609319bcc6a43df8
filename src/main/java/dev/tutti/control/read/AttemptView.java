package dev.tutti.control.read;

import dev.tutti.model.life.EndCause;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One run of a job. */
public record AttemptView(
        int number,
        Instant allocatedAt,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable EndCause cause,
        int members,
        long gpuMilli) {}
