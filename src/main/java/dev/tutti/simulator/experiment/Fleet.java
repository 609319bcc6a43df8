package dev.tutti.simulator.experiment;

import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.allocator.fleet.FleetNics;
import dev.tutti.model.Limits;
import dev.tutti.simulator.fleet.NodeSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Machines as the allocator sees them when nothing runs, in one cluster. Experiments do not cut GPUs into MIG instances.
 *
 * @param names what the numbers stand for
 * @param arrays capacity
 */
public record Fleet(FleetNames names, FleetArrays arrays) {

    /**
     * Lays machines out.
     *
     * @param levels label keys of the topology levels, widest first; none for a fleet without topology
     */
    public static Fleet of(List<NodeSpec> nodes, List<String> levels) {
        List<String> flavors =
                List.copyOf(new TreeSet<>(nodes.stream().map(NodeSpec::flavor).toList()));
        int devices = nodes.stream().mapToInt(NodeSpec::gpus).sum();
        int size = nodes.size();
        int[] firstDevice = new int[size + 1];
        int[] island = new int[devices];
        for (int n = 0; n < size; n++) {
            List<Integer> islands = nodes.get(n).islands();
            firstDevice[n + 1] = firstDevice[n] + islands.size();
            for (int d = 0; d < islands.size(); d++) {
                island[firstDevice[n] + d] = islands.get(d);
            }
        }
        List<List<String>> domainNames = new ArrayList<>();
        int[][] domains = domains(nodes, levels, domainNames);
        boolean[] open = new boolean[size];
        Arrays.fill(open, true);
        int[] whole = new int[devices];
        Arrays.fill(whole, Limits.DEVICE_MILLI);
        int[] migLayout = new int[devices];
        Arrays.fill(migLayout, -1);
        long[] cpuMilli = nodes.stream().mapToLong(NodeSpec::cpuMilli).toArray();
        long[] memoryMib = nodes.stream().mapToLong(NodeSpec::memoryMib).toArray();
        int[] podSlots = nodes.stream().mapToInt(NodeSpec::podSlots).toArray();
        FleetArrays arrays = new FleetArrays(
                numbers(size),
                new int[size],
                nodes.stream().mapToInt(node -> flavors.indexOf(node.flavor())).toArray(),
                domains,
                open,
                cpuMilli,
                memoryMib,
                podSlots,
                firstDevice,
                numbers(devices),
                whole,
                whole,
                new int[devices],
                island,
                migLayout,
                cpuMilli,
                memoryMib,
                podSlots,
                FleetNics.none(size, devices));
        List<String> nodeNames = nodes.stream().map(NodeSpec::name).toList();
        return new Fleet(new FleetNames(List.of("experiment"), flavors, levels, domainNames, nodeNames), arrays);
    }

    /** Milli-GPU of all devices. */
    public long capacityMilli() {
        return (long) arrays.devices() * Limits.DEVICE_MILLI;
    }

    private static long[] numbers(int size) {
        long[] numbers = new long[size];
        Arrays.setAll(numbers, i -> i + 1);
        return numbers;
    }

    private static int[][] domains(List<NodeSpec> nodes, List<String> levels, List<List<String>> names) {
        int[][] domains = new int[levels.size()][nodes.size()];
        String[] path = new String[nodes.size()];
        Arrays.fill(path, "");
        for (int level = 0; level < levels.size(); level++) {
            Map<String, Integer> numbers = new LinkedHashMap<>();
            for (int n = 0; n < path.length; n++) {
                path[n] += "/"
                        + nodes.get(n)
                                .labels()
                                .getOrDefault(levels.get(level), nodes.get(n).name());
                domains[level][n] = numbers.computeIfAbsent(path[n], fresh -> numbers.size());
            }
            names.add(List.copyOf(numbers.keySet()));
        }
        return domains;
    }
}
