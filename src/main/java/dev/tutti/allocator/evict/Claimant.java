package dev.tutti.allocator.evict;

import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.quota.Account;

/**
 * A waiting job that may ask others to give way.
 *
 * @param queue number of its queue
 * @param request what it asks for
 * @param flavors flavors that some pod of it could run on
 */
public record Claimant(WaitingJob job, int queue, Request request, boolean[] flavors) {

    /** As whose it counts. */
    Account account() {
        return new Account(queue, job.lane(), job.user());
    }

    /** The same, with no more pods than must start together. */
    public Claimant least() {
        return new Claimant(job, queue, request.least(), flavors);
    }
}
