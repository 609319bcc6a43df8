package dev.tutti.allocator.board;

import dev.tutti.model.GpuRequest;
import dev.tutti.model.Limits;
import dev.tutti.model.PodSet;

/**
 * What one pod takes of a node, and of which nodes. A share of 1000 milli-GPU is a whole GPU.
 *
 * @param devices devices it touches; 0 for a CPU-only pod
 * @param milli milli-GPU taken of each of them
 * @param cpuMilli CPU in milli-cores
 * @param memoryMib memory in MiB
 * @param nodes the nodes it may use
 */
public record PodShape(int devices, int milli, long cpuMilli, long memoryMib, NodeSet nodes) {

    /** A pod that may use every node. */
    public PodShape(int devices, int milli, long cpuMilli, long memoryMib) {
        this(devices, milli, cpuMilli, memoryMib, NodeSet.ALL);
    }

    /** What a pod of the set takes, whatever nodes it may use. */
    public static PodShape of(PodSet set) {
        GpuRequest gpus = set.gpus();
        return new PodShape(gpus.devices(), gpus.milliPerDevice(), set.cpuMilli(), set.memoryMib());
    }

    /** The same pod on these nodes. */
    public PodShape on(NodeSet others) {
        return new PodShape(devices, milli, cpuMilli, memoryMib, others);
    }

    public boolean isWhole() {
        return devices > 0 && milli == Limits.DEVICE_MILLI;
    }

    public boolean isShare() {
        return devices > 0 && milli < Limits.DEVICE_MILLI;
    }

    public long gpuMilli() {
        return (long) devices * milli;
    }
}
