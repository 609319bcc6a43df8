package dev.tutti.model.queue;

import dev.tutti.model.Check;
import org.jspecify.annotations.Nullable;

/**
 * How much may be in a queue and in all below it at once, beside its quota. What is null has no limit.
 *
 * @param maxWaitingJobs jobs that are QUEUED or SUSPENDED: no more are taken in at the door; those that come back after they
 *     ran are never refused. 0 to {@link #MOST_JOBS}
 * @param userMaxWaitingJobs the same for the jobs of one user, whoever it is
 */
public record QueueLimits(
        @Nullable Integer maxWaitingJobs, @Nullable Integer userMaxWaitingJobs) {

    public static final int MOST_JOBS = 1_000_000;

    public static final QueueLimits NONE = new QueueLimits(null, null);

    public QueueLimits {
        Check check = new Check();
        if (maxWaitingJobs != null) {
            check.range(maxWaitingJobs, 0, MOST_JOBS, "maxWaitingJobs");
        }
        if (userMaxWaitingJobs != null) {
            check.range(userMaxWaitingJobs, 0, MOST_JOBS, "perUser.maxWaitingJobs");
        }
        check.orThrow();
    }
}
