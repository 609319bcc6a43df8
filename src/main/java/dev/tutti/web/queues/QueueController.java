package dev.tutti.web.queues;

import dev.tutti.control.read.QueueQueries;
import dev.tutti.web.calls.PageResponse;
import dev.tutti.web.calls.Pages;
import dev.tutti.web.calls.Versions;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows queues. */
@RestController
@RequestMapping(path = "/api/v1/queues", produces = "application/json")
@Tag(name = "queues")
final class QueueController {

    private final QueueQueries queues;

    QueueController(QueueQueries queues) {
        this.queues = queues;
    }

    @GetMapping
    @Operation(operationId = "listQueues", summary = "List queues, leaves first")
    PageResponse<QueueResponse> list(
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(required = false) @Nullable String cursor) {
        return PageResponse.of(queues.queues(Pages.of(limit, cursor)), QueueResponse::of);
    }

    @GetMapping("/{id}")
    @Operation(
            operationId = "getQueue",
            summary = "Show a queue",
            description = "A queue at the top is also found by its path. The ETag is what a change sends as If-Match.")
    ResponseEntity<QueueResponse> one(@PathVariable String id) {
        return queues.queue(id)
                .map(queue ->
                        ResponseEntity.ok().eTag(Versions.etag(queue.version())).body(QueueResponse.of(queue)))
                .orElseThrow(QueueChanges::notFound);
    }
}
