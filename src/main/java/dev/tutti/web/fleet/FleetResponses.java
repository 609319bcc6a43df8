package dev.tutti.web.fleet;

import dev.tutti.control.read.FleetQueries.ClusterView;
import dev.tutti.control.read.FleetQueries.DomainView;
import dev.tutti.control.read.FleetQueries.FlavorView;
import dev.tutti.control.read.FleetQueries.GpuView;
import dev.tutti.control.read.FleetQueries.HeldInstance;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The resource map as it is sent. Ids are text, because they are opaque. */
final class FleetResponses {

    private FleetResponses() {}

    /** One cluster. */
    @Schema(name = "Cluster", description = "One cluster that Tutti binds to.")
    record ClusterResponse(
            @Schema(description = "Opaque.") String id,
            String name,

            @Schema(allowableValues = {"simulated", "kubernetes"})
            String kind,

            @Schema(description = "Whether it answers.") boolean reachable,
            @Nullable Instant lastSeenAt,
            long nodes,
            long gpus,

            @Schema(description = "Thousandths of a GPU that are free.")
            long gpuMilliFree) {

        static ClusterResponse of(ClusterView cluster) {
            return new ClusterResponse(
                    Long.toString(cluster.id()),
                    cluster.name(),
                    cluster.kind(),
                    cluster.reachable(),
                    cluster.lastSeenAt(),
                    cluster.nodes(),
                    cluster.gpus(),
                    cluster.gpuMilliFree());
        }
    }

    /** One GPU. */
    @Schema(name = "Gpu", description = "A GPU, or a slot where the kubelet picks the GPU.")
    record GpuResponse(
            @Schema(description = "Opaque.") String id,
            String cluster,
            String nodeId,
            String node,

            @Schema(description = "Place on the node, from 0.")
            int index,

            @Schema(description = "Absent for a slot.") @Nullable
            String uuid,

            String flavor,
            String model,
            int memoryMib,

            @Schema(description = "NVLink island on the node, from 0.")
            int island,

            @Schema(
                    description = "PCIe root or NUMA node, as the node calls it; empty when unknown.",
                    example = "pcie-0")
            String place,

            boolean healthy,

            @Schema(description = "Thousandths of it that jobs hold.")
            int gpuMilliHeld,

            @Schema(description = "Ids of the jobs that hold some of it.")
            List<String> jobs,

            @Schema(description = "How it can be cut into MIG instances; absent when it cannot.", example = "h100-80gb")
            @Nullable
            String migLayout,

            @Schema(description = "MIG instances on it, by their first memory unit.")
            List<GpuInstance> migInstances) {

        static GpuResponse of(GpuView gpu) {
            return new GpuResponse(
                    Long.toString(gpu.id()),
                    gpu.cluster(),
                    Long.toString(gpu.nodeId()),
                    gpu.node(),
                    gpu.index(),
                    gpu.uuid(),
                    gpu.flavor(),
                    gpu.model(),
                    gpu.memoryMib(),
                    gpu.island(),
                    gpu.place(),
                    gpu.healthy(),
                    gpu.milliHeld(),
                    gpu.jobs(),
                    gpu.migLayout(),
                    gpu.instances().stream().map(GpuInstance::of).toList());
        }
    }

    /** A MIG instance on a GPU. */
    @Schema(name = "GpuInstance", description = "A MIG instance: a run of the eight memory units of a GPU.")
    record GpuInstance(
            @Schema(description = "Id of the job that holds it.")
            String job,

            @Schema(example = "3g.40gb") String profile,

            @Schema(description = "First memory unit, from 0.")
            int start,

            @Schema(description = "Memory units.") int units) {

        static GpuInstance of(HeldInstance instance) {
            return new GpuInstance(instance.job(), instance.profile(), instance.start(), instance.units());
        }
    }

    /** One domain. */
    @Schema(name = "Domain", description = "One domain of a topology level, with its sums.")
    record DomainResponse(
            String cluster,
            @Schema(example = "rack") String level,
            String name,

            @Schema(description = "The domain of the next wider level it is in.") @Nullable
            String parent,

            long nodes,
            long gpus,
            long gpuMilliFree,

            @Schema(description = "GPUs of which nothing is held.")
            long wholeGpusFree) {

        static DomainResponse of(DomainView domain) {
            return new DomainResponse(
                    domain.cluster(),
                    domain.level(),
                    domain.name(),
                    domain.parent(),
                    domain.nodes(),
                    domain.gpus(),
                    domain.gpuMilliFree(),
                    domain.wholeGpusFree());
        }
    }

    /** One flavor. */
    @Schema(name = "Flavor", description = "A kind of capacity that jobs can ask for.")
    record FlavorResponse(
            String name, String model, int memoryMib, long nodes, long gpus, long gpuMilliHeld, long gpuMilliFree) {

        static FlavorResponse of(FlavorView flavor) {
            return new FlavorResponse(
                    flavor.name(),
                    flavor.model(),
                    flavor.memoryMib(),
                    flavor.nodes(),
                    flavor.gpus(),
                    flavor.gpuMilliHeld(),
                    flavor.gpuMilliFree());
        }
    }
}
