package dev.tutti.allocator;

import dev.tutti.model.JobId;
import org.jspecify.annotations.Nullable;

/**
 * An allocator that remembers what it saw, so that a decision costs what changed since the last one and not what there is.
 * Its plans are those that {@link Allocator} makes of the same input. For one caller; not safe for use by two threads.
 */
public interface StandingAllocator {

    /**
     * One decision over everything that waits, asking nobody to leave.
     *
     * @param snapshot capacity, quota and use
     * @param waiting every job that waits
     * @param nowMicros the database's time of the snapshot, in microseconds since 1970; never before that of the last call
     * @return placements that all fit together, and changed verdicts
     */
    default Plan decide(Snapshot snapshot, WaitingBook waiting, long nowMicros) {
        return decide(snapshot, waiting, new RunningBook(), nowMicros);
    }

    /**
     * The same, with the jobs that hold capacity: some may have to give way, and what will become free can be promised.
     *
     * @param running every job that holds capacity
     */
    Plan decide(Snapshot snapshot, WaitingBook waiting, RunningBook running, long nowMicros);

    /**
     * What the last decision found of a job that waited, for whoever asks why. Takes and changes nothing.
     *
     * @return null when it did not wait, or runs and wants more pods
     */
    default @Nullable Inspection inspect(JobId job) {
        return null;
    }

    /** Whether it has more to decide although nothing changes: a decision looks for victims for a bounded number of jobs. */
    default boolean hasMore() {
        return false;
    }

    /**
     * When somebody who waits is to be told new numbers though nothing changes, in microseconds since 1970; {@link Long#MAX_VALUE}
     * when all that was written is true.
     */
    default long nextRetellingMicros() {
        return Long.MAX_VALUE;
    }

    /**
     * Another one that knows only what was promised here: which jobs have a time and a place. Its next plan is the one that this would make. One that never remembers anything may return itself.
     */
    default StandingAllocator afresh() {
        return this;
    }
}
