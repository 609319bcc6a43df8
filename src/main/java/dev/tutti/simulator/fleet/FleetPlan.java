package dev.tutti.simulator.fleet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How machines are spread over zones and racked: each kind evenly over the zones, four to a rack, four racks of one
 * kind to a block.
 *
 * @param groups what was bought
 * @param zones zones, 1 to 26
 */
record FleetPlan(List<Group> groups, int zones) {

    private static final int NODES_PER_RACK = 4;
    private static final int RACKS_PER_BLOCK = 4;
    private static final int POD_SLOTS = 110;
    private static final String REGION = "eu-west";

    FleetPlan {
        groups = List.copyOf(groups);
    }

    /** So many machines of one kind. */
    record Group(Hardware hardware, int nodes) {}

    List<NodeSpec> layOut() {
        List<NodeSpec> fleet = new ArrayList<>();
        Map<String, Integer> numbers = new HashMap<>();
        for (int zone = 0; zone < zones; zone++) {
            int block = 0;
            for (Group group : groups) {
                int nodes = share(group.nodes(), zone);
                for (int i = 0; i < nodes; i++) {
                    int rack = i / NODES_PER_RACK;
                    int number = numbers.merge(group.hardware().flavor(), 1, Integer::sum);
                    fleet.add(node(group.hardware(), number, zone, block + rack / RACKS_PER_BLOCK, rack));
                }
                block += (nodes + NODES_PER_RACK * RACKS_PER_BLOCK - 1) / (NODES_PER_RACK * RACKS_PER_BLOCK);
            }
        }
        return List.copyOf(fleet);
    }

    private int share(int nodes, int zone) {
        return (int) ((long) nodes * (zone + 1) / zones - (long) nodes * zone / zones);
    }

    private static NodeSpec node(Hardware hardware, int number, int zone, int block, int rack) {
        String name = hardware.flavor() + "-" + "%05d".formatted(number);
        String zoneName = REGION + "-" + (char) ('a' + zone);
        String blockName = zoneName + "-b" + (block + 1);
        return new NodeSpec(
                name,
                hardware.flavor(),
                hardware.product(),
                hardware.gpuMemoryMib(),
                hardware.cpuMilli(),
                hardware.memoryMib(),
                POD_SLOTS,
                hardware.nicGroups(),
                hardware.islands(),
                hardware.gpuPlaces(),
                labels(hardware, name, zoneName, blockName, blockName + "-r" + (rack % RACKS_PER_BLOCK + 1)));
    }

    private static Map<String, String> labels(Hardware hardware, String name, String zone, String block, String rack) {
        return Map.of(
                "kubernetes.io/hostname",
                name,
                "topology.kubernetes.io/region",
                REGION,
                "topology.kubernetes.io/zone",
                zone,
                "network.topology.nvidia.com/block",
                block,
                "network.topology.nvidia.com/rack",
                rack,
                "node.kubernetes.io/instance-type",
                hardware.flavor() + "." + hardware.gpus(),
                "nvidia.com/gpu.present",
                "true",
                "nvidia.com/gpu.product",
                hardware.product(),
                "nvidia.com/gpu.memory",
                Integer.toString(hardware.gpuMemoryMib()),
                "nvidia.com/gpu.count",
                Integer.toString(hardware.gpus()));
    }
}
