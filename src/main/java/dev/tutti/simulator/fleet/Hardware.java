package dev.tutti.simulator.fleet;

import dev.tutti.model.fleet.NicGroup;
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
 * @param place what a place of GPUs and NICs is called, before its number
 * @param places places over which GPUs and NICs are spread evenly: PCIe roots, or NUMA nodes where those are not known
 */
record Hardware(
        String flavor,
        String product,
        int gpuMemoryMib,
        int gpus,
        int island,
        long cpuMilli,
        long memoryMib,
        int nics,
        String place,
        int places) {

    private static final String PCIE = "pcie-";
    private static final String NUMA = "numa-";
    private static final String NIC_RESOURCE = "rdma/hca";

    /** One NVSwitch board; a PCIe root for each GPU and its NIC. */
    static final Hardware H100 =
            new Hardware("h100-sxm", "NVIDIA-H100-80GB-HBM3", 81_559, 8, 8, 188_000, 2_031_616, 8, PCIE, 8);

    /** One NVSwitch board; a PCIe root for each two GPUs and their two NICs. */
    static final Hardware A100 =
            new Hardware("a100-sxm-80g", "NVIDIA-A100-SXM4-80GB", 81_920, 8, 8, 124_000, 1_015_808, 8, PCIE, 4);

    /** Two boards of four GPUs, each joined in itself; each two GPUs share one NIC. */
    static final Hardware A100_TWO_BOARDS =
            new Hardware("a100-sxm-80g", "NVIDIA-A100-SXM4-80GB", 81_920, 8, 4, 124_000, 1_015_808, 4, PCIE, 4);

    /** PCIe only; one NIC on each socket. */
    static final Hardware L40S = new Hardware("l40s", "NVIDIA-L40S", 46_068, 8, 1, 124_000, 1_015_808, 2, NUMA, 2);

    /** PCIe only, no RDMA. */
    static final Hardware A10 = new Hardware("a10", "NVIDIA-A10", 23_028, 8, 1, 92_000, 507_904, 0, NUMA, 2);

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
        return new Hardware(flavor, product, gpuMemoryMib, count, island, cpuMilli, memoryMib, nics, place, places);
    }

    /** Island of each GPU, from 0. */
    List<Integer> islands() {
        return IntStream.range(0, gpus).map(gpu -> gpu / island).boxed().toList();
    }

    /** Place of each GPU. */
    List<String> gpuPlaces() {
        return IntStream.range(0, gpus)
                .mapToObj(gpu -> place + gpu * places / gpus)
                .toList();
    }

    /** Its NICs, place by place. */
    List<NicGroup> nicGroups() {
        return NicGroup.merged(IntStream.range(0, nics)
                .mapToObj(nic -> new NicGroup(NIC_RESOURCE, place + nic * places / nics, 1))
                .toList());
    }
}
