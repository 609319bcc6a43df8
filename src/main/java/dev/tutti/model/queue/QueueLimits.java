package dev.tutti.model.queue;

import dev.tutti.model.Check;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much may be in a queue and in all below it at once, beside its quota. What is null has no limit.
 *
 * @param maxWaitingJobs jobs that are QUEUED or SUSPENDED: no more are taken in at the door; those that come back after they
 *     ran are never refused. 0 to {@link #MOST_JOBS}
 * @param userMaxWaitingJobs the same for the jobs of one user, whoever it is
 * @param maxRunningJobs jobs that hold something: bound, running or stopping; no more start. 0 to {@link #MOST_JOBS}
 * @param userMaxRunningJobs the same for the jobs of one user
 * @param userMaxGpuMilli what the jobs of one user hold of GPUs, of all flavors together, in milli-GPU; nothing starts or grows
 *     beyond it. 0 to {@link #MOST_MILLI}
 * @param maxWholeNodes by flavor, how many whole nodes are held: by pods with as many GPUs as any node of the flavor has;
 *     nothing starts or grows beyond it. 0 to {@link #MOST_JOBS}
 */
public record QueueLimits(
        @Nullable Integer maxWaitingJobs,
        @Nullable Integer userMaxWaitingJobs,
        @Nullable Integer maxRunningJobs,
        @Nullable Integer userMaxRunningJobs,
        @Nullable Long userMaxGpuMilli,
        Map<String, Integer> maxWholeNodes) {

    public static final int MOST_JOBS = 1_000_000;

    public static final long MOST_MILLI = 1_000_000_000;

    public static final QueueLimits NONE = new QueueLimits(null, null, null, null, null);

    public QueueLimits {
        maxWholeNodes = Map.copyOf(maxWholeNodes);
        Check check = new Check();
        inRange(check, maxWaitingJobs, "maxWaitingJobs");
        inRange(check, userMaxWaitingJobs, "perUser.maxWaitingJobs");
        inRange(check, maxRunningJobs, "maxRunningJobs");
        inRange(check, userMaxRunningJobs, "perUser.maxRunningJobs");
        if (userMaxGpuMilli != null) {
            check.range(userMaxGpuMilli, 0, MOST_MILLI, "perUser.maxGpuMilli");
        }
        maxWholeNodes.forEach((flavor, nodes) -> inRange(check, nodes, "maxWholeNodes." + flavor));
        check.orThrow();
    }

    /** No limits of whole nodes. */
    public QueueLimits(
            @Nullable Integer maxWaitingJobs,
            @Nullable Integer userMaxWaitingJobs,
            @Nullable Integer maxRunningJobs,
            @Nullable Integer userMaxRunningJobs,
            @Nullable Long userMaxGpuMilli) {
        this(maxWaitingJobs, userMaxWaitingJobs, maxRunningJobs, userMaxRunningJobs, userMaxGpuMilli, Map.of());
    }

    /** Limits of jobs that wait, and none of those that run. */
    public QueueLimits(@Nullable Integer maxWaitingJobs, @Nullable Integer userMaxWaitingJobs) {
        this(maxWaitingJobs, userMaxWaitingJobs, null, null, null);
    }

    /** Whether jobs of different users may not start alike. */
    public boolean ofUsers() {
        return userMaxRunningJobs != null || userMaxGpuMilli != null;
    }

    /** Whether it says anything of what runs. */
    public boolean ofWhatRuns() {
        return maxRunningJobs != null || ofUsers() || !maxWholeNodes.isEmpty();
    }

    private static void inRange(Check check, @Nullable Integer jobs, String field) {
        if (jobs != null) {
            check.range(jobs, 0, MOST_JOBS, field);
        }
    }
}
