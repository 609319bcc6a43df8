package dev.tutti.allocator.evict;

import dev.tutti.allocator.Plan;
import dev.tutti.model.JobId;
import dev.tutti.model.life.Reason;
import java.util.List;

/**
 * A place that will be free for a job that waits.
 *
 * @param job the beneficiary
 * @param reason why it waits still
 * @param evictions those that are asked to leave for it now; empty when enough is leaving already
 */
public record Claim(JobId job, Reason reason, List<Plan.Eviction> evictions) {
    public Claim {
        evictions = List.copyOf(evictions);
    }
}
