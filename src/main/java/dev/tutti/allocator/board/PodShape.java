package dev.tutti.allocator.board;

import dev.tutti.model.GpuRequest;
import dev.tutti.model.Limits;
import dev.tutti.model.PodSet;

/**
 * What one pod takes of a node. A share of 1000 milli-GPU is a whole GPU.
 *
 * @param devices devices it touches; 0 for a CPU-only pod
 * @param milli milli-GPU taken of each of them
 * @param cpuMilli CPU in milli-cores
 * @param memoryMib memory in MiB
 */
public record PodShape(int devices, int milli, long cpuMilli, long memoryMib) {

    public static PodShape of(PodSet set) {
        GpuRequest gpus = set.gpus();
        return new PodShape(gpus.devices(), gpus.milliPerDevice(), set.cpuMilli(), set.memoryMib());
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
