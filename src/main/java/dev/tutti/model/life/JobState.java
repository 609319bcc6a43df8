package dev.tutti.model.life;

/** Where a job is in its life. Which changes are allowed is {@link JobLife}'s to say. */
public enum JobState {
    QUEUED,
    SUSPENDED,
    ALLOCATED,
    RUNNING,
    STOPPING,
    SUCCEEDED,
    CANCELLED,
    TIMED_OUT,
    FAILED;

    /** Whether nothing will ever change again. */
    public boolean isFinal() {
        return this == SUCCEEDED || this == CANCELLED || this == TIMED_OUT || this == FAILED;
    }

    /** Whether an attempt is live, so that capacity may be held. */
    public boolean isLive() {
        return this == ALLOCATED || this == RUNNING || this == STOPPING;
    }
}
