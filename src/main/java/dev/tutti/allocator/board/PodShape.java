package dev.tutti.allocator.board;

import dev.tutti.model.Limits;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.PodSet;

/**
 * What one pod takes of a node, and of which nodes. A share of 1000 milli-GPU is a whole GPU.
 *
 * @param devices devices it touches; 0 for a CPU-only pod
 * @param milli milli-GPU taken of each of them; of a MIG instance the least that it can be
 * @param mig the MIG profile of the instance it takes, by its place in {@link MigLayouts#PROFILES}; negative for none
 * @param cpuMilli CPU in milli-cores
 * @param memoryMib memory in MiB
 * @param nodes the nodes it may use
 * @param nics RDMA NICs it takes; all of one resource
 * @param nicResource number of that resource in {@link Layout#nicResourceOf}; {@link #ANY_RESOURCE} for any one
 */
public record PodShape(
        int devices, int milli, int mig, long cpuMilli, long memoryMib, NodeSet nodes, int nics, int nicResource) {

    private static final int NO_MIG = -1;

    public static final int ANY_RESOURCE = -1;

    /** A pod without NICs that may use every node. */
    public PodShape(int devices, int milli, long cpuMilli, long memoryMib) {
        this(devices, milli, NO_MIG, cpuMilli, memoryMib, NodeSet.ALL, 0, ANY_RESOURCE);
    }

    /** What a pod of the set takes, whatever nodes it may use and whatever NICs it needs. */
    public static PodShape of(PodSet set) {
        GpuRequest gpus = set.gpus();
        int mig = gpus instanceof GpuRequest.Mig one ? MigLayouts.numberOf(one.profile()) : NO_MIG;
        return new PodShape(
                gpus.devices(),
                gpus.milliPerDevice(),
                mig,
                set.cpuMilli(),
                set.memoryMib(),
                NodeSet.ALL,
                0,
                ANY_RESOURCE);
    }

    /** The same pod on these nodes. */
    public PodShape on(NodeSet others) {
        return new PodShape(devices, milli, mig, cpuMilli, memoryMib, others, nics, nicResource);
    }

    /** The same pod with another least of what its MIG instance takes. */
    public PodShape atLeast(int leastMilli) {
        return new PodShape(devices, leastMilli, mig, cpuMilli, memoryMib, nodes, nics, nicResource);
    }

    /** The same pod with so many NICs of this resource. */
    public PodShape with(int otherNics, int resource) {
        return new PodShape(devices, milli, mig, cpuMilli, memoryMib, nodes, otherNics, resource);
    }

    /** The same pod without GPUs. */
    public PodShape withoutDevices() {
        return new PodShape(0, 0, NO_MIG, cpuMilli, memoryMib, nodes, nics, nicResource);
    }

    /** The same pod with so much CPU, in milli-cores, and memory, in MiB. */
    public PodShape withHost(long otherCpuMilli, long otherMemoryMib) {
        return new PodShape(devices, milli, mig, otherCpuMilli, otherMemoryMib, nodes, nics, nicResource);
    }

    public boolean isWhole() {
        return devices > 0 && milli == Limits.DEVICE_MILLI && mig < 0;
    }

    public boolean isShare() {
        return devices > 0 && milli < Limits.DEVICE_MILLI && mig < 0;
    }

    public boolean isMig() {
        return mig >= 0;
    }

    /** Whether it takes part of one device, so that which one is to be chosen. */
    public boolean isPart() {
        return isShare() || isMig();
    }

    public long gpuMilli() {
        return (long) devices * milli;
    }
}
