package dev.tutti.simulation;

import java.util.Map;

/**
 * What one run that kept all invariants was made of.
 *
 * @param instances members that held a MIG instance
 * @param withNics pods that ran with RDMA NICs
 */
record Report(
        long seed,
        long ticks,
        int jobs,
        int gangs,
        long attempts,
        long instances,
        long withNics,
        Map<Fault, Long> faults) {}
