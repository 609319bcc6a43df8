package dev.tutti.control.read;

import dev.tutti.model.fleet.Taint;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the resource map. Amounts are what the ledger says at one moment; lists are keyset pages by id. */
public interface FleetQueries {

    List<ClusterView> clusters();

    Page<NodeView> nodes(NodeFilter filter, PageRequest page);

    Optional<NodeView> node(long id);

    Page<GpuView> gpus(GpuFilter filter, PageRequest page);

    /** Every domain of every level with its sums, widest first, then by name. */
    List<DomainView> topology(@Nullable String cluster);

    List<FlavorView> flavors();

    /** @param kind {@code simulated} or {@code kubernetes} */
    record ClusterView(
            long id,
            String name,
            String kind,
            boolean reachable,
            @Nullable Instant lastSeenAt,
            long nodes,
            long gpus,
            long gpuMilliFree) {}

    record NodeFilter(
            @Nullable String cluster,
            @Nullable String flavor,
            @Nullable String state) {}

    /** @param state {@code ready}, {@code not-ready}, {@code cordoned}, {@code backing-off} or {@code gone} */
    record NodeView(
            long id,
            String cluster,
            String name,
            String flavor,
            String state,
            Map<String, String> domains,
            Map<String, String> labels,
            List<Taint> taints,
            List<String> warnings,
            int gpus,
            long gpuMilliHeld,
            long cpuMilli,
            long cpuMilliHeld,
            long memoryMib,
            long memoryMibHeld,
            int podSlots,
            int podsHeld,
            List<NicView> nics) {}

    /**
     * RDMA NICs of a node that are worth the same.
     *
     * @param resource the name under which a container asks for one
     * @param place PCIe root or NUMA node; empty when unknown
     * @param held how many jobs hold; more than {@code count} while the node is in debt
     */
    record NicView(String resource, String place, int count, int held) {}

    record GpuFilter(
            @Nullable String cluster,
            @Nullable String flavor,
            @Nullable Long node,
            @Nullable Boolean free) {}

    /**
     * One GPU or slot.
     *
     * @param place PCIe root or NUMA node; empty when unknown
     * @param jobs ids of the jobs that hold some of it
     * @param migLayout name of the MIG layout in which it may be cut; null where it may not
     * @param instances MIG instances on it, by their first unit
     */
    record GpuView(
            long id,
            String cluster,
            long nodeId,
            String node,
            int index,
            @Nullable String uuid,
            String flavor,
            String model,
            int memoryMib,
            int island,
            String place,
            boolean healthy,
            int milliHeld,
            List<String> jobs,
            @Nullable String migLayout,
            List<HeldInstance> instances) {}

    /** A MIG instance and the job that holds it. */
    record HeldInstance(String job, String profile, int start, int units) {}

    record DomainView(
            String cluster,
            String level,
            String name,
            @Nullable String parent,
            long nodes,
            long gpus,
            long gpuMilliFree,
            long wholeGpusFree) {}

    record FlavorView(
            String name, String model, int memoryMib, long nodes, long gpus, long gpuMilliHeld, long gpuMilliFree) {}
}
