package dev.tutti.model.queue;

import dev.tutti.model.Check;
import org.jspecify.annotations.Nullable;

/**
 * How much may be in a queue and in all below it at once, beside its quota. What is null has no limit.
 *
 * @param maxWaitingJobs jobs that are QUEUED or SUSPENDED: no more are taken in at the door; those that come back after they
 *     ran are never refused. 0 to {@link #MOST_JOBS}
 * @param userMaxWaitingJobs the same for the jobs of one user, whoever it is
 * @param maxRunningJobs jobs that hold something: bound, running or stopping; no more start. 0 to {@link #MOST_JOBS}
 * @param userMaxRunningJobs the same for the jobs of one user
 */
public record QueueLimits(
        @Nullable Integer maxWaitingJobs,
        @Nullable Integer userMaxWaitingJobs,
        @Nullable Integer maxRunningJobs,
        @Nullable Integer userMaxRunningJobs) {

    public static final int MOST_JOBS = 1_000_000;

    public static final QueueLimits NONE = new QueueLimits(null, null, null, null);

    public QueueLimits {
        Check check = new Check();
        inRange(check, maxWaitingJobs, "maxWaitingJobs");
        inRange(check, userMaxWaitingJobs, "perUser.maxWaitingJobs");
        inRange(check, maxRunningJobs, "maxRunningJobs");
        inRange(check, userMaxRunningJobs, "perUser.maxRunningJobs");
        check.orThrow();
    }

    /** Limits of jobs that wait, and none of those that run. */
    public QueueLimits(@Nullable Integer maxWaitingJobs, @Nullable Integer userMaxWaitingJobs) {
        this(maxWaitingJobs, userMaxWaitingJobs, null, null);
    }

    private static void inRange(Check check, @Nullable Integer jobs, String field) {
        if (jobs != null) {
            check.range(jobs, 0, MOST_JOBS, field);
        }
    }
}
