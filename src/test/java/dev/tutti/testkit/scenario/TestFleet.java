package dev.tutti.testkit.scenario;

import dev.tutti.allocator.FleetArrays;
import dev.tutti.allocator.FleetNames;
import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.model.QueueId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds a snapshot of test nodes; node {@code i} gets id {@code i + 1}, devices count on through the nodes. */
public final class TestFleet {

    private TestFleet() {}

    public static Snapshot snapshot(List<TestNode> nodes, Map<QueueId, QueueShares.Share> queues) {
        List<String> levels = TestNode.LEVELS.stream()
                .filter(level -> nodes.stream().anyMatch(node -> node.domains().containsKey(level)))
                .toList();
        int devices = nodes.stream().mapToInt(node -> node.used().size()).sum();
        int size = nodes.size();
        FleetArrays fleet = new FleetArrays(
                new long[size],
                new int[size],
                new int[size],
                new int[levels.size()][size],
                new boolean[size],
                new long[size],
                new long[size],
                new int[size],
                new int[size + 1],
                new long[devices],
                new int[devices],
                new int[devices],
                new int[devices],
                new long[size],
                new long[size],
                new int[size]);
        List<String> clusters = new ArrayList<>();
        List<String> flavors = new ArrayList<>();
        List<Map<String, Integer>> domains = new ArrayList<>();
        levels.forEach(level -> domains.add(new LinkedHashMap<>()));
        for (int n = 0; n < size; n++) {
            TestNode node = nodes.get(n);
            fleet.cluster()[n] = numberOf(clusters, node.cluster());
            fleet.flavor()[n] = numberOf(flavors, node.flavor());
            layDomains(fleet, n, node, levels, domains);
            layNode(fleet, n, node);
        }
        List<List<String>> domainNames =
                domains.stream().map(map -> List.copyOf(map.keySet())).toList();
        List<String> names = nodes.stream().map(TestNode::name).toList();
        return new Snapshot(
                1,
                new FleetNames(clusters, flavors, levels, domainNames, names),
                fleet,
                new QueueShares(queues),
                Mix.UNKNOWN);
    }

    private static void layNode(FleetArrays fleet, int n, TestNode node) {
        fleet.nodeId()[n] = n + 1;
        fleet.open()[n] = node.open();
        fleet.cpuMilli()[n] = node.cpuMilli();
        fleet.cpuFreeMilli()[n] = node.cpuMilli() - node.cpuUsed();
        fleet.memoryMib()[n] = node.memoryMib();
        fleet.memoryFreeMib()[n] = node.memoryMib() - node.memoryUsed();
        fleet.podSlots()[n] = node.pods();
        fleet.podsFree()[n] = node.pods() - node.podsUsed();
        int first = fleet.firstDevice()[n];
        for (int i = 0; i < node.used().size(); i++) {
            int d = first + i;
            fleet.deviceId()[d] = d + 1;
            fleet.deviceWhole()[d] = node.used().get(i) > 1_000 ? 0 : 1_000;
            fleet.deviceFreeMilli()[d] = node.free(i);
            fleet.island()[d] = node.islands().get(i);
        }
        fleet.firstDevice()[n + 1] = first + node.used().size();
    }

    /** A domain is its whole path; a node that names no domain of a level is in none there. */
    private static void layDomains(
            FleetArrays fleet, int n, TestNode node, List<String> levels, List<Map<String, Integer>> domains) {
        String path = node.cluster();
        for (int level = 0; level < levels.size(); level++) {
            String name = node.domains().get(levels.get(level));
            path += "/" + name;
            Map<String, Integer> numbers = domains.get(level);
            Integer number = name == null ? Integer.valueOf(-1) : numbers.computeIfAbsent(path, p -> numbers.size());
            fleet.domain()[level][n] = number;
        }
    }

    private static int numberOf(List<String> names, String name) {
        int known = names.indexOf(name);
        if (known >= 0) {
            return known;
        }
        names.add(name);
        return names.size() - 1;
    }
}
