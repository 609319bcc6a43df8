package dev.tutti.allocator;

import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.allocator.policy.Mix;
import java.util.HashMap;
import java.util.Map;

/**
 * All the allocator may know, at one revision. Immutable; safe to share between threads.
 *
 * @param revision counts up with every change the fleet view took in
 * @param names what the indexes stand for
 * @param fleet capacity as arrays
 * @param queues quota and use
 * @param mix what pods asked for lately
 */
public record Snapshot(long revision, FleetNames names, FleetArrays fleet, QueueShares queues, Mix mix) {

    /** For each flavor the most GPUs that one of its nodes has: a pod with as many has a whole node. */
    public Map<String, Integer> gpusOfWholeNodes() {
        Map<String, Integer> most = new HashMap<>();
        for (int n = 0; n < fleet.flavor().length; n++) {
            int gpus = fleet.firstDevice()[n + 1] - fleet.firstDevice()[n];
            if (gpus > 0) {
                most.merge(names.flavors().get(fleet.flavor()[n]), gpus, Math::max);
            }
        }
        return most;
    }
}
