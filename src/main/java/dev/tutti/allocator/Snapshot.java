package dev.tutti.allocator;

import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.allocator.policy.Mix;

/**
 * All the allocator may know, at one revision. Immutable; safe to share between threads.
 *
 * @param revision counts up with every change the fleet view took in
 * @param names what the indexes stand for
 * @param fleet capacity as arrays
 * @param queues quota and use
 * @param mix what pods asked for lately
 */
public record Snapshot(long revision, FleetNames names, FleetArrays fleet, QueueShares queues, Mix mix) {}
