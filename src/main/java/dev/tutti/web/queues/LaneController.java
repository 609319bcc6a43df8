package dev.tutti.web.queues;

import dev.tutti.control.Actor;
import dev.tutti.control.LaneBook;
import dev.tutti.control.read.QueueQueries;
import dev.tutti.control.read.QueueQueries.LaneView;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.LaneRules;
import dev.tutti.web.calls.PageResponse;
import dev.tutti.web.calls.Versions;
import dev.tutti.web.input.Form;
import dev.tutti.web.input.Violations;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import dev.tutti.web.queues.LaneForms.LanePatch;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.security.Principal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows lanes, and changes their rules. */
@RestController
@RequestMapping(path = "/api/v1/lanes", produces = "application/json")
@Tag(name = "queues")
final class LaneController {

    private final QueueQueries queues;
    private final LaneBook book;

    LaneController(QueueQueries queues, LaneBook book) {
        this.queues = queues;
        this.book = book;
    }

    @GetMapping
    @Operation(operationId = "listLanes", summary = "List lanes in the order they are considered")
    PageResponse<LaneResponse> list() {
        return PageResponse.whole(queues.lanes(), LaneResponse::of);
    }

    @GetMapping("/{name}")
    @Operation(
            operationId = "getLane",
            summary = "Show a lane",
            description = "The ETag is what a change sends as If-Match.")
    ResponseEntity<LaneResponse> one(@PathVariable String name) {
        return answer(existing(name));
    }

    @PatchMapping(
            path = "/{name}",
            consumes = {"application/merge-patch+json", "application/json"})
    @Operation(
            operationId = "changeLane",
            summary = "Change when jobs of a lane may start, how many, on which flavors, and whom they may make leave",
            description =
                    "What runs goes on, whatever changes. What waits follows the new rules from the next decision on. Needs the"
                            + " lane's ETag as If-Match.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = LanePatch.class))))
    ResponseEntity<LaneResponse> change(
            @PathVariable String name,
            Form<LanePatch> form,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            Principal caller) {
        long version = Versions.required(ifMatch);
        LaneView before = existing(name);
        Violations violations = new Violations();
        LaneRules rules = form.value().read(before.rules(), violations);
        violations.orThrow();
        if (before.version() != version) {
            throw Versions.stale(before.version());
        }
        if (!rules.equals(before.rules())) {
            Lane lane = Arrays.stream(Lane.values())
                    .filter(each -> each.word().equals(before.name()))
                    .findFirst()
                    .orElseThrow(LaneController::notFound);
            if (!book.change(lane, version, rules, new Actor.Caller(caller.getName()))) {
                throw Versions.stale(existing(name).version());
            }
        }
        return answer(existing(name));
    }

    private static ResponseEntity<LaneResponse> answer(LaneView lane) {
        return ResponseEntity.ok().eTag(Versions.etag(lane.version())).body(LaneResponse.of(lane));
    }

    private LaneView existing(String name) {
        return queues.lanes().stream()
                .filter(lane -> lane.name().equals(name))
                .findFirst()
                .orElseThrow(LaneController::notFound);
    }

    private static ProblemFound notFound() {
        return new ProblemFound(ProblemKind.NOT_FOUND, "there is no lane of this name; give green, yellow or red");
    }
}
