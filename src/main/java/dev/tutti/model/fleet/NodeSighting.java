package dev.tutti.model.fleet;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster says of one node. All of it is hostile input: odd values become {@code warnings}, never a lost node.
 *
 * @param name its name in the cluster
 * @param uid the Node object's UID: a node deleted and made anew has another
 * @param bootId changes when the machine restarts; empty when unknown
 * @param ready whether the kubelet reports itself ready
 * @param schedulable false when it is closed to all: cordoned, or tainted as not ready, out of reach or under pressure
 * @param deleted whether the Node object is gone
 * @param flavor name of the flavor its GPUs are of; {@code cpu} for a node without GPUs
 * @param gpuModel GPU product as the node tells it; empty for none
 * @param gpuMemoryMib memory of one GPU in MiB; 0 when unknown
 * @param cpuMilli CPU that pods may ask for
 * @param memoryMib memory that pods may ask for
 * @param podSlots pods the kubelet takes
 * @param nics its RDMA NICs, one group for each resource and place, in order
 * @param labels its labels
 * @param taints its taints, also those that close it to all
 * @param devices its devices, or its slots on the classic device plugin
 * @param warnings what was odd about its labels or numbers
 */
public record NodeSighting(
        String name,
        String uid,
        String bootId,
        boolean ready,
        boolean schedulable,
        boolean deleted,
        String flavor,
        String gpuModel,
        int gpuMemoryMib,
        long cpuMilli,
        long memoryMib,
        int podSlots,
        List<NicGroup> nics,
        Map<String, String> labels,
        List<Taint> taints,
        List<Device> devices,
        List<String> warnings) {

    public NodeSighting {
        nics = NicGroup.merged(nics);
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
        devices = List.copyOf(devices);
        warnings = List.copyOf(warnings);
    }

    /**
     * One device or slot.
     *
     * @param index its place on the node, from 0
     * @param uuid its UUID where the placement fixes the device (DRA, simulator); null for an anonymous slot
     * @param island the NVLink island it is in, from 0; devices of one island are joined at full speed
     * @param healthy false when the node does not offer it
     * @param migLayout name of the {@link MigLayout} in which it may be cut; null where it may not
     * @param place PCIe root, else NUMA node, as the node calls it; empty when unknown
     */
    public record Device(
            int index,
            @Nullable String uuid,
            int island,
            boolean healthy,
            @Nullable String migLayout,
            String place) {

        /** A device that is never cut and of which nobody knows the place. */
        public Device(int index, @Nullable String uuid, int island, boolean healthy) {
            this(index, uuid, island, healthy, null, "");
        }
    }
}
