package dev.tutti.web.fleet;

import dev.tutti.control.read.FleetQueries.NodeView;
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
        @Schema(description = "RDMA NICs.") int nics) {

    static NodeResponse of(NodeView node) {
        return new NodeResponse(
                Long.toString(node.id()),
                node.cluster(),
                node.name(),
                node.flavor(),
                node.state(),
                node.domains(),
                node.labels(),
                node.warnings(),
                node.gpus(),
                node.gpuMilliHeld(),
                node.cpuMilli(),
                node.cpuMilliHeld(),
                node.memoryMib(),
                node.memoryMibHeld(),
                node.podSlots(),
                node.podsHeld(),
                node.nics());
    }
}
