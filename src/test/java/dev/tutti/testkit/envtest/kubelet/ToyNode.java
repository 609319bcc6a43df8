package dev.tutti.testkit.envtest.kubelet;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What a toy node offers, and the labels it carries; see {@link NodeObjects} for how they appear in Kubernetes.
 *
 * @param gpus whole devices, 0 or more
 * @param cpuMilli thousandths of a core
 * @param memoryMib for pods, in MiB
 * @param pods how many pods the kubelet takes
 * @param labels all labels, those of the GPU operator and of the topology included
 */
public record ToyNode(String name, int gpus, long cpuMilli, long memoryMib, int pods, Map<String, String> labels) {

    private static final int DEFAULT_PODS = 110;
    private static final long H100_CPU_MILLI = 96_000;
    private static final long H100_MEMORY_MIB = 1_048_576;
    private static final String H100_MEMORY_LABEL_MIB = "81559";

    public ToyNode {
        labels = Map.copyOf(labels);
    }

    /** A machine with eight H100 of 80 GB, 96 cores and 1 TiB, in the given place. */
    public static ToyNode h100(String name, String zone, String block, String rack) {
        return new ToyNode(name, 8, H100_CPU_MILLI, H100_MEMORY_MIB, DEFAULT_PODS, Map.of())
                .withLabel("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3")
                .withLabel("nvidia.com/gpu.memory", H100_MEMORY_LABEL_MIB)
                .withLabel("topology.kubernetes.io/zone", zone)
                .withLabel("network.topology.nvidia.com/block", block)
                .withLabel("network.topology.nvidia.com/rack", rack);
    }

    /** The same node with another number of GPUs; 0 takes the GPU labels away. */
    public ToyNode withGpus(int count) {
        return new ToyNode(name, count, cpuMilli, memoryMib, pods, labels);
    }

    public ToyNode withCpuMilli(long milli) {
        return new ToyNode(name, gpus, milli, memoryMib, pods, labels);
    }

    public ToyNode withMemoryMib(long mib) {
        return new ToyNode(name, gpus, cpuMilli, mib, pods, labels);
    }

    public ToyNode withPods(int count) {
        return new ToyNode(name, gpus, cpuMilli, memoryMib, count, labels);
    }

    /** The same node inside an NVLink domain that spans nodes. */
    public ToyNode withClique(String clique) {
        return withLabel("nvidia.com/gpu.clique", clique);
    }

    public ToyNode withLabel(String key, String value) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(key, value);
        return new ToyNode(name, gpus, cpuMilli, memoryMib, pods, more);
    }

    /** The stable UUID of one device, 0 to {@code gpus - 1}, in NVIDIA's form. */
    public String deviceId(int index) {
        return "GPU-" + UUID.nameUUIDFromBytes((name + "/" + index).getBytes(StandardCharsets.UTF_8));
    }
}
