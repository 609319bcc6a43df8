package dev.tutti.web.jobs;

import dev.tutti.control.Actor;
import dev.tutti.control.JobBook;
import dev.tutti.control.JobBook.Steered;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.web.calls.Versions;
import dev.tutti.web.jobs.form.JobPaths;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Stops jobs. */
@RestController
@Tag(name = "jobs")
final class CancelController {

    private final JobBook book;

    CancelController(JobBook book) {
        this.book = book;
    }

    @PostMapping(path = JobPaths.JOBS + "/{id}:cancel", produces = "application/json")
    @Operation(
            operationId = "cancelJob",
            summary = "Cancel a job",
            description =
                    "A waiting job ends at once; a live one is STOPPING until the end of its last pod is confirmed."
                            + " A job that has ended stays as it is. Calling again changes nothing."
                            + " With If-Match only this version is cancelled.")
    ResponseEntity<Cancelled> cancel(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            Principal caller) {
        Steered.Now now = SteeredAnswers.now(book.stop(
                JobPaths.id(id),
                EndCause.CANCELLED_BY_USER,
                Versions.wanted(ifMatch),
                new Actor.Caller(caller.getName())));
        return ResponseEntity.ok()
                .eTag(Versions.etag(now.version()))
                .body(new Cancelled(id, now.state(), now.changed()));
    }

    /** What a cancel answers. */
    @Schema(name = "Cancelled", description = "The job's state after the call.")
    record Cancelled(
            String id,
            JobState state,

            @Schema(description = "False when it had ended or was stopping before.")
            boolean changed) {}
}
