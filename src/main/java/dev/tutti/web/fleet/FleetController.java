package dev.tutti.web.fleet;

import dev.tutti.control.read.FleetQueries;
import dev.tutti.control.read.FleetQueries.GpuFilter;
import dev.tutti.control.read.FleetQueries.NodeFilter;
import dev.tutti.model.InvalidInput;
import dev.tutti.model.Violation;
import dev.tutti.web.calls.Ids;
import dev.tutti.web.calls.PageResponse;
import dev.tutti.web.calls.Pages;
import dev.tutti.web.fleet.FleetResponses.ClusterResponse;
import dev.tutti.web.fleet.FleetResponses.DomainResponse;
import dev.tutti.web.fleet.FleetResponses.FlavorResponse;
import dev.tutti.web.fleet.FleetResponses.GpuResponse;
import dev.tutti.web.input.Texts;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the resource map. */
@RestController
@RequestMapping(path = "/api/v1", produces = "application/json")
@Tag(name = "fleet")
final class FleetController {

    private static final List<String> NODE_STATES = List.of("ready", "not-ready", "cordoned", "backing-off", "gone");

    private final FleetQueries fleet;

    FleetController(FleetQueries fleet) {
        this.fleet = fleet;
    }

    @GetMapping("/clusters")
    @Operation(operationId = "listClusters", summary = "List clusters")
    PageResponse<ClusterResponse> clusters() {
        return PageResponse.whole(fleet.clusters(), ClusterResponse::of);
    }

    @GetMapping("/nodes")
    @Operation(operationId = "listNodes", summary = "List nodes")
    PageResponse<NodeResponse> nodes(
            @RequestParam(required = false) @Nullable String cluster,
            @RequestParam(required = false) @Nullable String flavor,
            @Parameter(description = "ready, not-ready, cordoned, backing-off or gone.")
                    @RequestParam(required = false)
                    @Nullable
                    String state,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(required = false) @Nullable String cursor) {
        if (state != null && !NODE_STATES.contains(state)) {
            throw invalid("state", "is \"" + Texts.clip(state) + "\"; give one of " + String.join(", ", NODE_STATES));
        }
        return PageResponse.of(
                fleet.nodes(new NodeFilter(cluster, flavor, state), Pages.of(limit, cursor)), NodeResponse::of);
    }

    @GetMapping("/nodes/{id}")
    @Operation(operationId = "getNode", summary = "Show a node")
    NodeResponse node(@PathVariable String id) {
        return Ids.number(id)
                .flatMap(fleet::node)
                .map(NodeResponse::of)
                .orElseThrow(() -> new ProblemFound(
                        ProblemKind.NOT_FOUND,
                        "there is no node with this id; GET /api/v1/nodes lists those that there are"));
    }

    @GetMapping("/gpus")
    @Operation(operationId = "listGpus", summary = "List GPUs")
    PageResponse<GpuResponse> gpus(
            @RequestParam(required = false) @Nullable String cluster,
            @RequestParam(required = false) @Nullable String flavor,
            @Parameter(description = "Id of a node.") @RequestParam(required = false) @Nullable String node,
            @Parameter(description = "true: nothing of it is held; false: some of it is.")
                    @RequestParam(required = false)
                    @Nullable
                    Boolean free,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(required = false) @Nullable String cursor) {
        Long nodeId = node == null
                ? null
                : Ids.number(node)
                        .orElseThrow(() -> invalid(
                                "node",
                                "is \"" + Texts.clip(node)
                                        + "\"; give the id of a node, as the list of nodes shows it"));
        return PageResponse.of(
                fleet.gpus(new GpuFilter(cluster, flavor, nodeId, free), Pages.of(limit, cursor)), GpuResponse::of);
    }

    @GetMapping("/topology")
    @Operation(operationId = "listDomains", summary = "List the domains of every topology level, widest first")
    PageResponse<DomainResponse> topology(@RequestParam(required = false) @Nullable String cluster) {
        return PageResponse.whole(fleet.topology(cluster), DomainResponse::of);
    }

    @GetMapping("/flavors")
    @Operation(operationId = "listFlavors", summary = "List flavors")
    PageResponse<FlavorResponse> flavors() {
        return PageResponse.whole(fleet.flavors(), FlavorResponse::of);
    }

    private static InvalidInput invalid(String field, String message) {
        return new InvalidInput(List.of(new Violation(field, message)));
    }
}
