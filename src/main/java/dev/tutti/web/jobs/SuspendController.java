package dev.tutti.web.jobs;

import dev.tutti.control.Actor;
import dev.tutti.control.JobBook;
import dev.tutti.control.JobBook.Steered;
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

/** Suspends and resumes jobs. */
@RestController
@Tag(name = "jobs")
final class SuspendController {

    private final JobBook book;

    SuspendController(JobBook book) {
        this.book = book;
    }

    @PostMapping(path = JobPaths.JOBS + "/{id}:suspend", produces = "application/json")
    @Operation(
            operationId = "suspendJob",
            summary = "Suspend a job",
            description = "A waiting job is SUSPENDED at once; a live one is STOPPING until the end of its last pod is"
                    + " confirmed, and SUSPENDED then: it holds no GPU and no quota. It costs no failure."
                    + " Calling again changes nothing. A job that has ended, or stops for good, answers 409."
                    + " With If-Match only this version is suspended.")
    ResponseEntity<Life> suspend(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            Principal caller) {
        return answer(id, book.suspend(JobPaths.id(id), Versions.wanted(ifMatch), actor(caller)));
    }

    @PostMapping(path = JobPaths.JOBS + "/{id}:resume", produces = "application/json")
    @Operation(
            operationId = "resumeJob",
            summary = "Resume a suspended job",
            description = "The job waits in its queue again, with the age it had; one that is still stopping for its"
                    + " suspension will when it has stopped. A job that is not suspended stays as it is."
                    + " A job that has ended, or stops for good, answers 409."
                    + " With If-Match only this version is resumed.")
    ResponseEntity<Life> resume(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
            Principal caller) {
        return answer(id, book.resume(JobPaths.id(id), Versions.wanted(ifMatch), actor(caller)));
    }

    private static ResponseEntity<Life> answer(String id, Steered steered) {
        Steered.Now now = SteeredAnswers.now(steered);
        return ResponseEntity.ok().eTag(Versions.etag(now.version())).body(new Life(id, now.state(), now.changed()));
    }

    private static Actor.Caller actor(Principal caller) {
        return new Actor.Caller(caller.getName());
    }

    /** What a suspension and a resumption answer. */
    @Schema(name = "JobLife", description = "The job's state after the call.")
    record Life(
            String id,
            JobState state,

            @Schema(description = "False when all was as wished before.")
            boolean changed) {}
}
