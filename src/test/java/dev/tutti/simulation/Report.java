package dev.tutti.simulation;

import java.util.Map;

/** What one run that kept all invariants was made of. */
record Report(long seed, long ticks, int jobs, int gangs, long attempts, Map<Fault, Long> faults) {}
