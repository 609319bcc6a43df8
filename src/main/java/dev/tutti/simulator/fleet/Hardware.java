package dev.tutti.simulator.fleet;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Machines one can buy, with what is left of them for pods after the system's own share.
 *
 * @param flavor flavor of its GPUs
 * @param product what {@code nvidia.com/gpu.product} says
 * @param gpuMemoryMib what {@code nvidia.com/gpu.memory} says
 * @param gpus GPUs of one machine
 * @param island GPUs joined by NVLink; 1 where there is PCIe only
 * @param nics RDMA NICs
 */
record Hardware(
        String flavor,
        String product,
        int gpuMemoryMib,
        int gpus,
        int island,
        long cpuMilli,
        long memoryMib,
        int nics) {

    /** One NVSwitch board. */
    static final Hardware H100 = new Hardware("h100-sxm", "NVIDIA-H100-80GB-HBM3", 81_559, 8, 8, 188_000, 2_031_616, 8);

    /** One NVSwitch board. */
    static final Hardware A100 =
            new Hardware("a100-sxm-80g", "NVIDIA-A100-SXM4-80GB", 81_920, 8, 8, 124_000, 1_015_808, 8);

    /** Two boards of four GPUs, each joined in itself. */
    static final Hardware A100_TWO_BOARDS =
            new Hardware("a100-sxm-80g", "NVIDIA-A100-SXM4-80GB", 81_920, 8, 4, 124_000, 1_015_808, 4);

    /** PCIe only. */
    static final Hardware L40S = new Hardware("l40s", "NVIDIA-L40S", 46_068, 8, 1, 124_000, 1_015_808, 2);

    /** PCIe only, no RDMA. */
    static final Hardware A10 = new Hardware("a10", "NVIDIA-A10", 23_028, 8, 1, 92_000, 507_904, 0);

    private static final List<Hardware> ALL = List.of(H100, A100, L40S, A10);

    /** The usual machine with GPUs of this flavor. */
    static Optional<Hardware> ofFlavor(String flavor) {
        return ALL.stream().filter(one -> one.flavor().equals(flavor)).findFirst();
    }

    /** Flavors one can name. */
    static List<String> flavors() {
        return ALL.stream().map(Hardware::flavor).toList();
    }

    Hardware withGpus(int count) {
        return new Hardware(flavor, product, gpuMemoryMib, count, island, cpuMilli, memoryMib, nics);
    }

    /** Island of each GPU, from 0. */
    List<Integer> islands() {
        return IntStream.range(0, gpus).map(gpu -> gpu / island).boxed().toList();
    }
}
