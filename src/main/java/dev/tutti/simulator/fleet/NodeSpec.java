package dev.tutti.simulator.fleet;

import dev.tutti.model.fleet.MigLayout;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.model.fleet.NicGroup;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One machine as it was bought and racked.
 *
 * @param name its name, unique in the fleet
 * @param flavor name of the flavor of its GPUs; {@code cpu} without GPUs
 * @param gpuModel GPU product; empty without GPUs
 * @param gpuMemoryMib memory of one GPU in MiB; 0 when unknown
 * @param cpuMilli CPU for pods in milli-cores
 * @param memoryMib memory for pods in MiB
 * @param podSlots pods the kubelet takes
 * @param nics RDMA NICs, one group for each resource and place
 * @param islands the NVLink island of each GPU, in order of the GPUs; its size is the number of GPUs
 * @param places the place of each GPU, PCIe root or NUMA node; empty texts where unknown
 * @param labels its labels
 */
public record NodeSpec(
        String name,
        String flavor,
        String gpuModel,
        int gpuMemoryMib,
        long cpuMilli,
        long memoryMib,
        int podSlots,
        List<NicGroup> nics,
        List<Integer> islands,
        List<String> places,
        Map<String, String> labels) {

    public NodeSpec {
        nics = NicGroup.merged(nics);
        islands = List.copyOf(islands);
        places = List.copyOf(places);
        if (places.size() != islands.size()) {
            throw new IllegalArgumentException(
                    name + " has places for " + places.size() + " of its GPUs, not for all " + islands.size());
        }
        labels = Map.copyOf(labels);
    }

    /** How its GPUs can be cut into MIG instances; empty when they cannot. */
    public Optional<MigLayout> migLayout() {
        return MigLayouts.ofProduct(gpuModel, gpuMemoryMib);
    }

    /** A machine of which nobody knows the places of GPUs. */
    public NodeSpec(
            String name,
            String flavor,
            String gpuModel,
            int gpuMemoryMib,
            long cpuMilli,
            long memoryMib,
            int podSlots,
            List<NicGroup> nics,
            List<Integer> islands,
            Map<String, String> labels) {
        this(
                name,
                flavor,
                gpuModel,
                gpuMemoryMib,
                cpuMilli,
                memoryMib,
                podSlots,
                nics,
                islands,
                Collections.nCopies(islands.size(), ""),
                labels);
    }

    /** GPUs of the machine. */
    public int gpus() {
        return islands.size();
    }
}
