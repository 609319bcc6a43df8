/**
 * Placement experiments: a fleet, arrivals drawn under a seed, one policy, and what it leaves idle. They drive the same
 * boards, costs and searches as the scheduler does, without database and clock.
 */
@NullMarked
package dev.tutti.simulator.experiment;

import org.jspecify.annotations.NullMarked;
