package dev.tutti.web.jobs;

import dev.tutti.control.Actor;
import dev.tutti.control.JobBook;
import dev.tutti.control.JobBook.Steered;
import dev.tutti.web.calls.Versions;
import dev.tutti.web.input.Form;
import dev.tutti.web.jobs.form.JobPaths;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Changes how many pods jobs want. */
@RestController
@Tag(name = "jobs")
final class ScaleController {

    private final JobBook book;

    ScaleController(JobBook book) {
        this.book = book;
    }

    @PostMapping(path = JobPaths.JOBS + "/{id}:scale", consumes = "application/json", produces = "application/json")
    @Operation(
            operationId = "scaleJob",
            summary = "Change how many pods a job wants",
            description =
                    "A waiting job starts with so many pods. Of a live one the pods of highest rank that are too many are"
                            + " stopped with their grace, and the job runs on; more pods start where quota and room are. Calling"
                            + " again changes nothing. A count below minCount or above maxCount answers 400; a job that has ended"
                            + " or is stopping answers 409. With If-Match only this version is scaled.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = ScaleRequest.class))))
    ResponseEntity<SuspendController.Life> scale(
            @PathVariable String id,
            Form<ScaleRequest> form,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            Principal caller) {
        Steered.Now now = SteeredAnswers.now(book.scale(
                JobPaths.id(id),
                form.value().podSet(),
                form.value().count(),
                Versions.wanted(ifMatch),
                new Actor.Caller(caller.getName())));
        return ResponseEntity.ok()
                .eTag(Versions.etag(now.version()))
                .body(new SuspendController.Life(id, now.state(), now.changed()));
    }

    /** Another number of pods. */
    @Schema(name = "ScaleRequest", description = "How many pods of one set are wanted.")
    record ScaleRequest(
            @Schema(description = "Name of the pod set; a job that has only one need not say it.", example = "worker")
            @Nullable
            String podSet,

            @Schema(
                    description = "Pods wanted, from the set's minCount to its maxCount.",
                    minimum = "1",
                    maximum = "20000",
                    example = "4")
            Integer count) {}
}
