package dev.tutti.simulator.fleet;

import dev.tutti.model.MigLayout;
import dev.tutti.model.MigLayouts;
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
 * @param nics RDMA NICs
 * @param islands the NVLink island of each GPU, in order of the GPUs; its size is the number of GPUs
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
        int nics,
        List<Integer> islands,
        Map<String, String> labels) {

    public NodeSpec {
        islands = List.copyOf(islands);
        labels = Map.copyOf(labels);
    }

    /** How its GPUs can be cut into MIG instances; empty when they cannot. */
    public Optional<MigLayout> migLayout() {
        return MigLayouts.ofProduct(gpuModel, gpuMemoryMib);
    }

    /** GPUs of the machine. */
    public int gpus() {
        return islands.size();
    }
}
