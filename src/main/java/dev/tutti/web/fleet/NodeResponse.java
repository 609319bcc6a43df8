package dev.tutti.web.fleet;

import dev.tutti.control.read.FleetQueries.NicView;
import dev.tutti.control.read.FleetQueries.NodeView;
import dev.tutti.model.fleet.Taint;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;

/** One node. */
@Schema(name = "Node", description = "A machine that carries pods.")
record NodeResponse(
        @Schema(description = "Opaque.") String id,
        String cluster,
        String name,
        String flavor,

        @Schema(allowableValues = {"ready", "not-ready", "cordoned", "backing-off", "gone"})
        String state,

        @Schema(description = "Its domain at each level.", example = "{\"rack\": \"r1\"}")
        Map<String, String> domains,

        Map<String, String> labels,

        @Schema(description = "Marks that keep out pods which do not tolerate them.")
        List<TaintResponse> taints,

        @Schema(description = "What was odd about what the cluster says of it.")
        List<String> warnings,

        int gpus,
        long gpuMilliHeld,
        long cpuMilli,
        long cpuMilliHeld,
        long memoryMib,
        long memoryMibHeld,
        int podSlots,
        int podsHeld,
        @Schema(description = "RDMA NICs.") int nics,

        @Schema(description = "RDMA NICs that jobs hold.") int nicsHeld,

        @Schema(description = "The RDMA NICs by resource and place.")
        List<NicGroupResponse> nicGroups) {

    static NodeResponse of(NodeView node) {
        return new NodeResponse(
                Long.toString(node.id()),
                node.cluster(),
                node.name(),
                node.flavor(),
                node.state(),
                node.domains(),
                node.labels(),
                node.taints().stream().map(TaintResponse::of).toList(),
                node.warnings(),
                node.gpus(),
                node.gpuMilliHeld(),
                node.cpuMilli(),
                node.cpuMilliHeld(),
                node.memoryMib(),
                node.memoryMibHeld(),
                node.podSlots(),
                node.podsHeld(),
                node.nics().stream().mapToInt(NicView::count).sum(),
                node.nics().stream().mapToInt(NicView::held).sum(),
                node.nics().stream().map(NicGroupResponse::of).toList());
    }

    /** NICs that are worth the same. */
    @Schema(name = "NicGroup", description = "RDMA NICs of a node that are worth the same.")
    record NicGroupResponse(
            @Schema(description = "The name under which a container asks for one.", example = "rdma/hca")
            String resource,

            @Schema(
                    description = "PCIe root or NUMA node, as the node calls it; empty when unknown.",
                    example = "pcie-0")
            String place,

            @Schema(description = "How many the node offers.")
            int count,

            @Schema(description = "How many jobs hold; more than count while the node is in debt.")
            int held) {

        static NicGroupResponse of(NicView nics) {
            return new NicGroupResponse(nics.resource(), nics.place(), nics.count(), nics.held());
        }
    }

    /** One taint, as Kubernetes writes it. */
    @Schema(name = "Taint", description = "A mark that keeps out pods which do not tolerate it.")
    record TaintResponse(
            @Schema(example = "dedicated") String key,

            @Schema(description = "Empty for none.", example = "training")
            String value,

            @Schema(allowableValues = {"NoSchedule", "NoExecute", "PreferNoSchedule"})
            String effect) {

        static TaintResponse of(Taint taint) {
            return new TaintResponse(taint.key(), taint.value(), taint.effect().word());
        }
    }
}
