package dev.tutti.allocator.quota;

import dev.tutti.model.job.Lane;

/**
 * As whose something counts that a job holds.
 *
 * @param queue number of its leaf queue in {@link QuotaCheck}; -1 when it is unknown
 * @param lane its lane
 * @param user who submitted it; empty when nobody knows
 */
public record Account(int queue, Lane lane, String user) {}
