package dev.tutti.allocator.board;

import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.fleet.FleetNames;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The order of nodes: flavor, cluster, domains from wide to narrow, node; each by name, so that neither ids nor the
 * order of rows decide anything.
 *
 * @param node index in the snapshot of the node at each position
 * @param flavorRank number of each snapshot flavor when sorted by name
 * @param flavorNames flavor names in that order
 */
record Positions(int[] node, int[] flavorRank, String[] flavorNames) {

    static Positions of(FleetNames names, FleetArrays fleet) {
        int[] flavorRank = ranks(names.flavors());
        int[] clusterRank = ranks(names.clusters());
        int levels = fleet.domain().length;
        int[][] domainRank = new int[levels][];
        for (int level = 0; level < levels; level++) {
            domainRank[level] = ranks(names.domains().get(level));
        }
        Integer[] order = new Integer[fleet.nodes()];
        Arrays.setAll(order, n -> n);
        Comparator<Integer> byPlace = (a, b) -> {
            int compared = Integer.compare(flavorRank[fleet.flavor()[a]], flavorRank[fleet.flavor()[b]]);
            if (compared == 0) {
                compared = Integer.compare(clusterRank[fleet.cluster()[a]], clusterRank[fleet.cluster()[b]]);
            }
            for (int level = 0; compared == 0 && level < levels; level++) {
                compared = Integer.compare(
                        rank(domainRank[level], fleet.domain()[level][a]),
                        rank(domainRank[level], fleet.domain()[level][b]));
            }
            return compared;
        };
        List<String> nodes = names.nodes();
        Arrays.sort(order, byPlace.thenComparing(nodes::get).thenComparing(Comparator.naturalOrder()));
        String[] flavorNames = names.flavors().stream().sorted().toArray(String[]::new);
        return new Positions(Arrays.stream(order).mapToInt(n -> n).toArray(), flavorRank, flavorNames);
    }

    private static int rank(int[] ranks, int index) {
        return index < 0 ? ranks.length : ranks[index];
    }

    private static int[] ranks(List<String> names) {
        Integer[] order = new Integer[names.size()];
        Arrays.setAll(order, n -> n);
        Arrays.sort(order, Comparator.<Integer, String>comparing(names::get).thenComparing(Comparator.naturalOrder()));
        int[] ranks = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            ranks[order[i]] = i;
        }
        return ranks;
    }
}
