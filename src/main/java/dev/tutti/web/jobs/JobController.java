package dev.tutti.web.jobs;

import dev.tutti.control.read.EventQueries;
import dev.tutti.control.read.JobFilter;
import dev.tutti.control.read.JobQueries;
import dev.tutti.control.read.JobView;
import dev.tutti.control.read.PageRequest;
import dev.tutti.control.read.QueueQueries;
import dev.tutti.model.InvalidInput;
import dev.tutti.model.JobId;
import dev.tutti.model.Violation;
import dev.tutti.model.life.JobState;
import dev.tutti.web.calls.PageResponse;
import dev.tutti.web.calls.Pages;
import dev.tutti.web.events.EventResponse;
import dev.tutti.web.jobs.form.JobPaths;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows jobs. */
@RestController
@RequestMapping(path = JobPaths.JOBS, produces = "application/json")
@Tag(name = "jobs")
final class JobController {

    private final JobQueries jobs;
    private final EventQueries events;
    private final QueueQueries queues;

    JobController(JobQueries jobs, EventQueries events, QueueQueries queues) {
        this.jobs = jobs;
        this.events = events;
        this.queues = queues;
    }

    @GetMapping
    @Operation(operationId = "listJobs", summary = "List jobs, newest first")
    PageResponse<JobResponse> list(
            @Parameter(
                            description =
                                    "Id or path; a queue that is not a leaf stands for all leaves below it. Refused where there is no such queue.")
                    @RequestParam(required = false)
                    @Nullable
                    String queue,
            @Parameter(description = "Any of these states.") @RequestParam(defaultValue = "") List<JobState> state,
            @Parameter(description = "green, yellow or red.") @RequestParam(required = false) @Nullable String lane,
            @Parameter(description = "key=value; all of them.") @RequestParam(defaultValue = "") List<String> label,
            @Parameter(description = "Submitted at or after this time.") @RequestParam(required = false) @Nullable
                    String since,
            @Parameter(description = "submittedAt or -submittedAt.") @RequestParam(defaultValue = "-submittedAt")
                    String sort,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(required = false) @Nullable String cursor) {
        if (queue != null && queues.queue(queue).isEmpty() && !hasJobs(queue)) {
            throw unknownQueue(queue);
        }
        return PageResponse.of(
                jobs.jobs(JobFilters.of(queue, state, lane, label, since, sort), Pages.of(limit, cursor)),
                JobResponse::of);
    }

    @GetMapping("/{id}")
    @Operation(
            operationId = "getJob",
            summary = "Show a job",
            description =
                    "The ETag changes with the job and, while it waits, with its position and the words of its reason;"
                            + " as If-Match only the job's version counts.")
    ResponseEntity<JobResponse> one(@PathVariable String id) {
        JobView job = jobs.job(JobPaths.id(id)).orElseThrow(JobPaths::notFound);
        return ResponseEntity.ok().eTag(JobResponse.etag(job)).body(JobResponse.of(job));
    }

    @GetMapping("/{id}/allocation")
    @Operation(
            operationId = "getAllocation",
            summary = "Show where a job runs",
            description = "Members of the live or last attempt, in rank order.")
    PageResponse<MemberResponse> allocation(
            @PathVariable String id,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(required = false) @Nullable String cursor) {
        return PageResponse.of(jobs.members(existing(id), Pages.of(limit, cursor)), MemberResponse::of);
    }

    @GetMapping("/{id}/attempts")
    @Operation(operationId = "listAttempts", summary = "List a job's attempts, newest first")
    PageResponse<AttemptResponse> attempts(@PathVariable String id) {
        return PageResponse.whole(jobs.attempts(existing(id)), AttemptResponse::of);
    }

    @GetMapping("/{id}/events")
    @Operation(operationId = "listJobEvents", summary = "List a job's events, oldest first")
    PageResponse<EventResponse> events(
            @PathVariable String id,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(required = false) @Nullable String cursor) {
        return PageResponse.of(events.ofJob(existing(id), Pages.of(limit, cursor)), EventResponse::of);
    }

    /** A removed queue is known as long as one of its jobs is. */
    private boolean hasJobs(String queue) {
        JobFilter all = new JobFilter(queue, Set.of(), null, Map.of(), null, true);
        return !jobs.jobs(all, new PageRequest(1, null)).items().isEmpty();
    }

    private InvalidInput unknownQueue(String name) {
        List<String> known = queues.queues(new PageRequest(QueueQueries.SHOWN + 1, null)).items().stream()
                .map(QueueQueries.QueueView::path)
                .toList();
        return new InvalidInput(List.of(new Violation("queue", QueueQueries.unknown(name, known))));
    }

    private JobId existing(String text) {
        return jobs.job(JobPaths.id(text)).orElseThrow(JobPaths::notFound).id();
    }
}
