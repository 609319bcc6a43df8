package dev.tutti.control;

import java.time.Duration;

/**
 * Removes what is no longer kept: answers to idempotency keys and receipts after a day, events after a week, jobs that have
 * ended after as long as is configured.
 */
public interface Retention {

    /**
     * One bounded step, oldest first.
     *
     * @param rows the most rows of each kind to remove
     * @return how many rows were removed; call again soon when it is not zero
     */
    int prune(int rows, Actor.Leader leader);

    /**
     * One bounded step through the jobs that ended so long ago, oldest first, with all that is known of their attempts. A
     * job that others still wait for stays until they do no longer.
     *
     * @param rows the most jobs, attempts' members counted too, to remove; one job is removed whatever its size
     * @return how many jobs were removed; call again soon when it is not zero
     */
    int pruneJobs(Duration age, int rows, Actor.Leader leader);
}
