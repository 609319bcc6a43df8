package dev.tutti.simulator.experiment;

/**
 * What became of one gang.
 *
 * @param gang what was asked for
 * @param fits whether an independent count found a domain for it
 * @param placed whether it was placed
 * @param isSmallest whether it was placed whole in a domain of the deepest level that could hold it, and none of that level
 *     that could hold it had fewer free GPUs
 * @param pairs pairs of its GPUs
 * @param crossRack pairs of them in two racks
 * @param crossIsland pairs of them not joined by NVLink
 * @param nanos CPU time of the search, in nanoseconds
 */
public record GangOutcome(
        Gang gang,
        boolean fits,
        boolean placed,
        boolean isSmallest,
        long pairs,
        long crossRack,
        long crossIsland,
        long nanos) {}
