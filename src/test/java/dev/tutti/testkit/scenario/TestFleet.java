package dev.tutti.testkit.scenario;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.fleet.Domains;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.allocator.fleet.FleetNics;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.model.QueueId;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.model.fleet.TopologyLevels;
import java.util.ArrayList;
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
                new int[devices],
                new int[devices],
                new long[size],
                new long[size],
                new int[size],
                nics(nodes));
        List<String> clusters = new ArrayList<>();
        List<String> flavors = new ArrayList<>();
        Domains domains = new Domains(levels(levels));
        for (int n = 0; n < size; n++) {
            TestNode node = nodes.get(n);
            fleet.cluster()[n] = numberOf(clusters, node.cluster());
            fleet.flavor()[n] = numberOf(flavors, node.flavor());
            List<String> labels = levels.stream()
                    .map(level -> node.domains().getOrDefault(level, ""))
                    .toList();
            int[] domain = domains.of(node.cluster(), node.name(), labels);
            for (int level = 0; level < domain.length; level++) {
                fleet.domain()[level][n] = domain[level];
            }
            layNode(fleet, n, node);
        }
        List<String> names = nodes.stream().map(TestNode::name).toList();
        return new Snapshot(
                1,
                new FleetNames(
                        clusters,
                        flavors,
                        levels,
                        levels(levels).boundary(),
                        domains.names(),
                        names,
                        nodes.stream().map(TestNode::traits).toList()),
                fleet,
                new QueueShares(queues),
                Mix.UNKNOWN);
    }

    /** Groups get ids from 1 on, through the nodes. */
    private static FleetNics nics(List<TestNode> nodes) {
        List<List<FleetNics.Group>> groups = new ArrayList<>();
        int id = 0;
        for (TestNode node : nodes) {
            List<FleetNics.Group> ofNode = new ArrayList<>();
            for (TestNics nics : node.nics()) {
                ofNode.add(new FleetNics.Group(++id, nics.resource(), nics.place(), nics.count(), nics.free()));
            }
            groups.add(ofNode);
        }
        return FleetNics.of(groups, nodes.stream().map(TestNode::places).toList());
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
            fleet.deviceUnits()[d] = node.units().get(i);
            fleet.island()[d] = node.islands().get(i);
            fleet.migLayout()[d] = MigLayouts.layoutNumber(node.mig());
        }
        fleet.firstDevice()[n + 1] = first + node.used().size();
    }

    /** Gangs cross zones only when they ask, as by default. */
    private static TopologyLevels levels(List<String> names) {
        return new TopologyLevels(names.stream()
                .map(name -> new TopologyLevels.Level(
                        name,
                        List.of(name),
                        name.equals("zone") ? TopologyLevels.Crossing.ASKED : TopologyLevels.Crossing.FREE))
                .toList());
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
