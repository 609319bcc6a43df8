package dev.tutti.model.life;

/** Why an attempt, a member or a job ended. A closed list: the same token in API, SQL, events and metrics. */
public enum EndCause {
    COMPLETED,
    EXIT_CODE,
    CANCELLED_BY_USER,
    PREEMPTED,
    RECLAIMED,
    MOVED,
    NODE_LOST,
    DEVICE_LOST,
    REJECTED_BY_NODE,
    NOT_READY_IN_TIME,
    MAX_RUNTIME,
    DEADLINE,
    DEPENDENCY_FAILED,
    QUEUE_REMOVED,
    /** What is stored of the job is no job any more, so that nobody can place it. */
    UNREADABLE;

    /** Whether it had to give way to another job. */
    public boolean isEviction() {
        return this == PREEMPTED || this == RECLAIMED;
    }

    /** Whether an attempt that ends so counts against the job's own {@code retry.maxFailures}. */
    public boolean countsAsFailure() {
        return this == EXIT_CODE;
    }
}
