package dev.tutti.simulator.experiment;

import dev.tutti.allocator.fleet.FleetArrays;
import java.util.List;
import java.util.Random;

/** Draws gangs: sizes from 2 to 1,024 GPUs, each doubling equally often, for the flavors as often as there are GPUs of them. */
final class GangDraw {

    private static final int DOUBLINGS = 9;
    private static final int NODE = 8;

    private final Fleet fleet;
    private final Random random;
    /** GPUs of the largest domain of each depth and flavor. */
    private final int[][] largest;

    GangDraw(Fleet fleet, Census empty, Random random) {
        this.fleet = fleet;
        this.random = random;
        largest = new int[empty.nodeDepth() + 1][fleet.names().flavors().size()];
        for (int depth = 0; depth < largest.length; depth++) {
            int[][] gpus = new int[largest[0].length][fleet.arrays().nodes()];
            for (int n = 0; n < fleet.arrays().nodes(); n++) {
                int flavor = fleet.arrays().flavor()[n];
                int domain = empty.domain(depth, n);
                gpus[flavor][domain] += empty.free(n);
                largest[depth][flavor] = Math.max(largest[depth][flavor], gpus[flavor][domain]);
            }
        }
    }

    Gang next() {
        int flavor = flavor();
        Gang.Kind kind = kind();
        List<Gang.Pods> sets = sets(kind, (int) Math.round(Math.pow(2, 1 + DOUBLINGS * random.nextDouble())));
        int gpus = sets.stream().mapToInt(set -> set.gpus() * set.count()).sum();
        int deepest = deepest(gpus, flavor);
        boolean requires = deepest > 0 && (kind == Gang.Kind.REQUIRED || kind == Gang.Kind.ELASTIC);
        int required = requires ? 1 + random.nextInt(deepest) : 0;
        boolean prefers = !requires || kind == Gang.Kind.ELASTIC;
        int preferred = prefers ? required + random.nextInt(largest.length - required) : -1;
        return new Gang(kind, fleet.names().flavors().get(flavor), sets, required, preferred);
    }

    private int flavor() {
        FleetArrays arrays = fleet.arrays();
        int device = random.nextInt(arrays.devices());
        int node = 0;
        while (arrays.firstDevice()[node + 1] <= device) {
            node++;
        }
        return arrays.flavor()[node];
    }

    private Gang.Kind kind() {
        int percent = random.nextInt(100);
        return percent < 40
                ? Gang.Kind.REQUIRED
                : percent < 80 ? Gang.Kind.PREFERRED : percent < 90 ? Gang.Kind.ELASTIC : Gang.Kind.TWO_SETS;
    }

    private List<Gang.Pods> sets(Gang.Kind kind, int gpus) {
        boolean wholeNodes = gpus >= 2 * NODE && random.nextInt(10) < 7;
        int each = wholeNodes ? NODE : 1 << random.nextInt(Math.min(4, 32 - Integer.numberOfLeadingZeros(gpus / 2)));
        int pods = Math.max(2, gpus / each);
        if (kind == Gang.Kind.TWO_SETS && each > 1) {
            int helpers = 1 + random.nextInt(pods);
            return List.of(new Gang.Pods(each, pods, pods), new Gang.Pods(1, helpers, helpers));
        }
        return List.of(new Gang.Pods(each, pods, kind == Gang.Kind.ELASTIC ? pods / 2 : pods));
    }

    /** The deepest depth at which an empty domain holds so many GPUs. */
    private int deepest(int gpus, int flavor) {
        int depth = largest.length - 1;
        while (depth > 0 && largest[depth][flavor] < gpus) {
            depth--;
        }
        return depth;
    }
}
