package dev.tutti.bench;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.allocator.fleet.FleetNics;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.model.QueueId;
import dev.tutti.model.queue.QueueRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Large fleets, made from numbers. */
final class BenchFleets {

    static final QueueId QUEUE = new QueueId(1);

    /** Nodes of a production cluster of 6,212 GPUs: how many, CPU, memory, GPUs, model. */
    private static final Object[][] MIXED = {
        {549, 96_000, 393_216, 8, "G2"},
        {387, 104_000, 524_288, 2, "T4"},
        {110, 16_000, 122_880, 2, "P100"},
        {39, 128_000, 786_432, 8, "G3"},
        {28, 32_000, 131_072, 4, "V100M16"},
        {24, 64_000, 262_144, 2, "P100"},
        {21, 96_000, 786_432, 8, "V100M32"},
        {19, 8_000, 32_768, 1, "V100M16"},
        {17, 96_000, 393_216, 4, "T4"},
        {9, 48_000, 376_832, 4, "V100M32"},
        {7, 64_000, 262_144, 8, "V100M16"},
        {3, 128_000, 1_048_576, 1, "A10"},
    };

    private static final int NODES_A_RACK = 16;
    private static final int RACKS_A_BLOCK = 16;
    private static final int BLOCKS_A_ZONE = 8;

    private BenchFleets() {}

    /** 1,213 empty nodes of several models, without topology. */
    static Snapshot mixed() {
        List<int[]> sizes = new ArrayList<>();
        List<String> models = new ArrayList<>();
        for (Object[] kind : MIXED) {
            for (int i = 0; i < (int) kind[0]; i++) {
                sizes.add(new int[] {(int) kind[1], (int) kind[2], (int) kind[3]});
                models.add((String) kind[4]);
            }
        }
        return build(sizes, models, false, 0);
    }

    /**
     * Nodes of 8 GPUs in racks of 16, blocks of 16 racks, zones of 8 blocks.
     *
     * @param usedPercent share of the nodes that are wholly in use
     */
    static Snapshot racks(int gpus, int usedPercent) {
        List<int[]> sizes = new ArrayList<>();
        List<String> models = new ArrayList<>();
        for (int n = 0; n < gpus / 8; n++) {
            sizes.add(new int[] {192_000, 2_000_000, 8});
            models.add("h100");
        }
        return build(sizes, models, true, usedPercent);
    }

    /** The same fleet after one node got CPU back; everything that does not change is shared. */
    static Snapshot withFreeCpu(Snapshot before, int node) {
        FleetArrays old = before.fleet();
        long[] cpu = old.cpuFreeMilli().clone();
        cpu[node] += 1_000;
        FleetArrays fleet = old.withFree(
                old.open(),
                cpu,
                old.memoryFreeMib(),
                old.podsFree(),
                old.deviceFreeMilli(),
                old.deviceWhole(),
                old.deviceUnits(),
                old.nics().free());
        return new Snapshot(before.revision() + 1, before.names(), fleet, before.queues(), before.mix());
    }

    private static Snapshot build(List<int[]> sizes, List<String> models, boolean racks, int usedPercent) {
        int nodes = sizes.size();
        int devices = sizes.stream().mapToInt(size -> size[2]).sum();
        List<String> flavors = models.stream().distinct().sorted().toList();
        FleetArrays fleet = new FleetArrays(
                new long[nodes],
                new int[nodes],
                new int[nodes],
                new int[racks ? 3 : 0][nodes],
                new boolean[nodes],
                new long[nodes],
                new long[nodes],
                new int[nodes],
                new int[nodes + 1],
                new long[devices],
                new int[devices],
                new int[devices],
                new int[devices],
                new int[devices],
                new int[devices],
                new long[nodes],
                new long[nodes],
                new int[nodes],
                FleetNics.none(nodes, devices));
        Random random = new Random(42);
        for (int n = 0; n < nodes; n++) {
            int[] size = sizes.get(n);
            fleet.nodeId()[n] = n + 1;
            fleet.flavor()[n] = flavors.indexOf(models.get(n));
            fleet.open()[n] = true;
            fleet.cpuMilli()[n] = fleet.cpuFreeMilli()[n] = size[0];
            fleet.memoryMib()[n] = fleet.memoryFreeMib()[n] = size[1];
            fleet.podSlots()[n] = fleet.podsFree()[n] = 110;
            fleet.firstDevice()[n + 1] = fleet.firstDevice()[n] + size[2];
            boolean used = random.nextInt(100) < usedPercent;
            for (int d = fleet.firstDevice()[n]; d < fleet.firstDevice()[n + 1]; d++) {
                fleet.deviceId()[d] = d + 1;
                fleet.deviceWhole()[d] = 1_000;
                fleet.migLayout()[d] = -1;
                fleet.deviceFreeMilli()[d] = used ? 0 : 1_000;
            }
            for (int level = 0; level < fleet.domain().length; level++) {
                fleet.domain()[level][n] = domain(level, n);
            }
        }
        return new Snapshot(1, names(flavors, fleet), fleet, queues(), Mix.UNKNOWN);
    }

    private static int domain(int level, int n) {
        int rack = n / NODES_A_RACK;
        int block = rack / RACKS_A_BLOCK;
        return level == 2 ? rack : level == 1 ? block : block / BLOCKS_A_ZONE;
    }

    private static FleetNames names(List<String> flavors, FleetArrays fleet) {
        List<List<String>> domains = new ArrayList<>();
        for (int[] level : fleet.domain()) {
            int most = IntStream.of(level).max().orElse(0);
            domains.add(IntStream.rangeClosed(0, most)
                    .mapToObj(d -> String.format("d%06d", d))
                    .toList());
        }
        List<String> nodes = IntStream.range(0, fleet.nodes())
                .mapToObj(n -> String.format("node-%06d", n))
                .toList();
        List<String> levels = domains.isEmpty() ? List.of() : List.of("zone", "block", "rack");
        return new FleetNames(List.of("main"), flavors, levels, domains, nodes);
    }

    private static QueueShares queues() {
        return new QueueShares(Map.of(QUEUE, new QueueShares.Share(null, QueueRules.PLAIN, Map.of(), Map.of())));
    }
}
