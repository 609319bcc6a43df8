package dev.tutti.web.jobs;

import dev.tutti.control.Actor;
import dev.tutti.control.JobBook;
import dev.tutti.control.read.JobQueries;
import dev.tutti.control.read.JobView;
import dev.tutti.web.calls.Versions;
import dev.tutti.web.input.Document;
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
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Changes what jobs ask for. */
@RestController
@Tag(name = "jobs")
final class ChangeController {

    private final JobBook book;
    private final JobQueries jobs;

    ChangeController(JobBook book, JobQueries jobs) {
        this.book = book;
        this.jobs = jobs;
    }

    @PatchMapping(
            path = JobPaths.JOBS + "/{id}",
            consumes = {"application/merge-patch+json", "application/json"},
            produces = "application/json")
    @Operation(
            operationId = "changeJob",
            summary = "Change a job's priority, lane, limits of time or labels",
            description =
                    "A waiting job changes all of them; a live one all but its lane, which says on whose quota it runs."
                            + " A job that has ended, or stops for good, answers 409. A patch that changes nothing makes"
                            + " no new version. With If-Match only this version is changed.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = JobPatch.class))))
    ResponseEntity<JobResponse> change(
            @PathVariable String id,
            Document document,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            Principal caller) {
        SteeredAnswers.now(book.change(
                JobPaths.id(id),
                JobPatch.read(document.tree()),
                Versions.wanted(ifMatch),
                new Actor.Caller(caller.getName())));
        JobView after = jobs.job(JobPaths.id(id)).orElseThrow(JobPaths::notFound);
        return ResponseEntity.ok().eTag(JobResponse.etag(after)).body(JobResponse.of(after));
    }
}
