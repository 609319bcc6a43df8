package dev.tutti.simulation;

import dev.tutti.control.ClusterGateway;
import dev.tutti.model.ClusterId;
import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.simulator.ClusterTimings;
import dev.tutti.simulator.FakeCluster;
import dev.tutti.simulator.SimulatedGateway;
import dev.tutti.simulator.VirtualClock;
import dev.tutti.simulator.fleet.NodeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** One cluster of a run: its machines, and a view of its pods that nothing disturbs. */
final class Site {

    private static final ClusterTimings TIMINGS = ClusterTimings.DEFAULT.withForceDelete(Duration.ofSeconds(60));

    final String name;
    final ClusterId id;
    final FakeCluster cluster;
    final ClusterGateway view;
    final List<NodeSpec> nodes;
    boolean away;

    /** Whether the API server's admission takes no pod of odd rank, as an exhausted object quota does to part of a gang. */
    boolean refusing;

    Map<String, PodSighting> pods = Map.of();

    /** UIDs of all pods that Tutti ever made here; what else runs is a stranger's, whatever its name. */
    final Set<String> ours = new HashSet<>();

    Site(String name, ClusterId id, List<NodeSpec> nodes, VirtualClock clock) {
        this.name = name;
        this.id = id;
        this.nodes = nodes;
        this.cluster = new FakeCluster(nodes, clock, TIMINGS, name, 50);
        this.view = new SimulatedGateway(id, cluster);
    }

    /** Looks at the pods as they are now. */
    void look() {
        Map<String, PodSighting> seen = new HashMap<>();
        for (PodSighting pod : view.pods()) {
            seen.put(pod.name(), pod);
            ours.add(pod.uid());
        }
        pods = seen;
    }

    /** {@code racks} racks of {@code perRack} nodes, two racks a block. */
    static List<NodeSpec> fleet(String prefix, String flavor, int racks, int perRack, int gpus) {
        List<NodeSpec> nodes = new ArrayList<>();
        for (int rack = 0; rack < racks; rack++) {
            for (int n = 0; n < perRack; n++) {
                nodes.add(new NodeSpec(
                        prefix + rack + "-" + n,
                        flavor,
                        flavor,
                        81_920,
                        32_000,
                        262_144,
                        12,
                        List.of(new NicGroup("rdma/hca", "pcie-0", 2), new NicGroup("rdma/hca", "pcie-1", 2)),
                        IntStream.range(0, gpus).mapToObj(i -> i / 4).toList(),
                        IntStream.range(0, gpus).mapToObj(i -> "pcie-" + i / 4).toList(),
                        Map.of("block", "b" + rack / 2, "rack", "r" + rack)));
            }
        }
        return nodes;
    }
}
