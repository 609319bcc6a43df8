package dev.tutti.simulator.experiment;

import dev.tutti.allocator.fleet.FleetArrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Free GPUs counted node by node, without any index: an independent and slow witness of where a gang fits. Depth 0 is the
 * cluster, then come the levels, then the node.
 */
final class Census {

    private final FleetArrays fleet;
    private final int[] free;

    Census(FleetArrays fleet) {
        this.fleet = fleet;
        free = IntStream.range(0, fleet.nodes())
                .map(n -> fleet.firstDevice()[n + 1] - fleet.firstDevice()[n])
                .toArray();
    }

    /**
     * The smallest domain that holds a gang.
     *
     * @param depth its depth
     * @param freeGpus free GPUs it has of the gang's flavor
     * @param pods pods of the gang that start in it
     */
    record Smallest(int depth, int freeGpus, int pods) {}

    int nodeDepth() {
        return fleet.domain().length + 1;
    }

    int free(int node) {
        return free[node];
    }

    /** GPUs of a node are taken, or given back where {@code gpus} is negative. */
    void take(int node, int gpus) {
        free[node] -= gpus;
        if (free[node] < 0) {
            throw new IllegalStateException("node " + node + " has " + free[node] + " GPUs left: one was given twice");
        }
    }

    /** The domain of a node. */
    int domain(int depth, int node) {
        return depth == 0 ? 0 : depth == nodeDepth() ? node : fleet.domain()[depth - 1][node];
    }

    int freeGpus(int depth, int domain, int flavor) {
        return IntStream.range(0, free.length)
                .filter(n -> fleet.flavor()[n] == flavor && domain(depth, n) == domain)
                .map(n -> free[n])
                .sum();
    }

    /** Where the gang must go: the deepest allowed depth with room for all pods wins; without one, for the least pods. */
    Optional<Smallest> smallest(Gang gang, int flavor) {
        Optional<Smallest> all = smallest(gang, flavor, false);
        return all.isPresent() || !gang.isElastic() ? all : smallest(gang, flavor, true);
    }

    private Optional<Smallest> smallest(Gang gang, int flavor, boolean least) {
        for (int depth = gang.narrowest(nodeDepth()); depth >= gang.required(); depth--) {
            Optional<Smallest> found = at(depth, gang, flavor, least);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Of the domains that hold most of the gang the one with fewest free GPUs. */
    private Optional<Smallest> at(int depth, Gang gang, int flavor, boolean least) {
        int domains = 1
                + IntStream.range(0, free.length)
                        .map(n -> domain(depth, n))
                        .max()
                        .orElse(0);
        int[] gpus = new int[domains];
        int[][] slots = new int[gang.sets().size()][domains];
        for (int n = 0; n < free.length; n++) {
            if (fleet.flavor()[n] == flavor) {
                int domain = domain(depth, n);
                gpus[domain] += free[n];
                for (int s = 0; s < slots.length; s++) {
                    slots[s][domain] += free[n] / gang.sets().get(s).gpus();
                }
            }
        }
        Smallest best = null;
        for (int domain = 0; domain < domains; domain++) {
            int pods = pods(gang, slots, domain, least);
            boolean isBetter = best == null || pods > best.pods || (pods == best.pods && gpus[domain] < best.freeGpus);
            if (pods > 0 && isBetter) {
                best = new Smallest(depth, gpus[domain], pods);
            }
        }
        return Optional.ofNullable(best);
    }

    /** Pods that start in a domain, 0 when the gang does not fit; each larger pod takes a whole number of smaller slots. */
    private static int pods(Gang gang, int[][] slots, int domain, boolean least) {
        int pods = 0;
        int gpusBefore = 0;
        for (int s = 0; s < slots.length; s++) {
            Gang.Pods set = gang.sets().get(s);
            int room = slots[s][domain] - gpusBefore / set.gpus();
            if (room < (least ? set.min() : set.count())) {
                return 0;
            }
            int started = Math.min(room, set.count());
            pods += started;
            gpusBefore += started * set.gpus();
        }
        return pods;
    }
}
