package dev.tutti.simulation;

import java.util.Map;

/**
 * What one run that kept all invariants was made of.
 *
 * @param instances members that held a MIG instance
 * @param withNics pods that ran with RDMA NICs
 * @param kept pods on the first flavor of a job that still waited for it
 * @param fellBack pods on a later flavor, after the wait for those before it
 */
record Report(
        long seed,
        long ticks,
        int jobs,
        int gangs,
        long attempts,
        long instances,
        long withNics,
        long kept,
        long fellBack,
        Map<Fault, Long> faults) {}
