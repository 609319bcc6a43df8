package dev.tutti.control.explain;

import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who or what is in the way of a job.
 *
 * @param kind in which way
 * @param job the other job; null for a quota
 * @param queue its queue, or the queue whose quota it is; null where it is not known
 * @param gpuMilli milli-GPU that the other job holds of what this one could use, or that are kept for it; of a quota what is
 *     left of it
 * @param until when that ends at the latest; null when nobody knows
 */
public record Blocker(
        Kind kind,
        @Nullable JobId job,
        @Nullable QueueId queue,
        long gpuMilli,
        @Nullable Instant until) {

    /** In which way. */
    public enum Kind {
        /** Runs on GPUs that the job could use, or holds quota that it needs, or counts against a limit that it met. */
        HOLDS,
        /** Stops, so that the job can start. */
        LEAVES,
        /** Comes before it in a strict queue, and waits for a flavor that it could start on. */
        BEFORE,
        /** Something is kept for it that the job could start on. */
        RESERVED,
        /** A quota of which less is left than it needs. */
        QUOTA,
        /** A job that it depends on, and that has not succeeded yet. */
        PARENT
    }
}
