package dev.tutti.simulator.queues;

import dev.tutti.control.Backoff;
import dev.tutti.model.life.EndCause;

/** What became of a job in a run. */
public final class JobStory {

    private final QueuedJob job;
    private long startedAt = -1;
    private long endedAt = -1;
    private long lostSeconds;
    private int evictions;
    private int backOffs;
    private EndCause leavingFor = EndCause.PREEMPTED;

    JobStory(QueuedJob job) {
        this.job = job;
    }

    public QueuedJob job() {
        return job;
    }

    void start(long now) {
        startedAt = now;
    }

    /** It is asked to leave. */
    void leave(EndCause cause) {
        leavingFor = cause;
    }

    /**
     * It had to give way.
     *
     * @return for how many seconds it is not tried again
     */
    long evicted(long now) {
        int earlier = now - startedAt >= Backoff.FORGIVEN_AFTER.toSeconds() ? 0 : backOffs;
        backOffs = leavingFor == EndCause.PREEMPTED ? earlier : earlier + 1;
        evictions++;
        lostSeconds += now - startedAt;
        startedAt = -1;
        return Backoff.ofJob(leavingFor, earlier).toSeconds();
    }

    void end(long now) {
        endedAt = now;
    }

    boolean isWaiting() {
        return startedAt < 0 && endedAt < 0;
    }

    boolean isRunning() {
        return startedAt >= 0 && endedAt < 0;
    }

    /** When its last attempt began, in seconds. */
    public long startedAt() {
        return startedAt;
    }

    /** How long it ran for nothing, because it had to give way before its end. */
    public long lostSeconds() {
        return lostSeconds;
    }

    /** How often it had to give way. */
    public int evictions() {
        return evictions;
    }

    /** From the submit to the end, in seconds. */
    public long completionSeconds() {
        return endedAt - job.atSeconds();
    }

    /** The part of that in which it did nothing that lasts: it waited, or ran for nothing. */
    public long queueingSeconds() {
        return completionSeconds() - job.seconds();
    }
}
