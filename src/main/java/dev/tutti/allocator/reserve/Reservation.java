package dev.tutti.allocator.reserve;

import dev.tutti.allocator.board.Hold;
import dev.tutti.allocator.board.Place;
import dev.tutti.model.JobId;

/**
 * A waiting job that will start at the latest at some time, if all others keep to their limits.
 *
 * @param job the job
 * @param queue number of its queue
 * @param startMicros when, in microseconds since 1970
 * @param endMicros when it will have ended; {@link Ends#UNKNOWN} when nobody knows
 * @param place what it will hold
 * @param hold what is kept free for that
 */
public record Reservation(JobId job, int queue, long startMicros, long endMicros, Place place, Hold hold) {

    /** Whether its queue saves quota for it, and no place is kept. */
    public boolean isOfQuota() {
        return place.isEmpty();
    }
}
