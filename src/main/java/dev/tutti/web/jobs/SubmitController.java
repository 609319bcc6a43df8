package dev.tutti.web.jobs;

import dev.tutti.model.InvalidInput;
import dev.tutti.model.JobId;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.life.JobLife;
import dev.tutti.web.calls.Keys;
import dev.tutti.web.calls.Versions;
import dev.tutti.web.input.Form;
import dev.tutti.web.input.Violations;
import dev.tutti.web.jobs.Submitter.Call;
import dev.tutti.web.jobs.Submitter.Taken;
import dev.tutti.web.jobs.form.JobPaths;
import dev.tutti.web.jobs.form.JobReader;
import dev.tutti.web.jobs.form.JobRequest;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Takes jobs in. */
@RestController
@Tag(name = "jobs")
final class SubmitController {

    /** Queues may vanish while a batch is being taken; more rounds than this are not tried. */
    private static final int ROUNDS = 4;

    private final Submitter submitter;

    SubmitController(Submitter submitter) {
        this.submitter = submitter;
    }

    @PostMapping(path = "/api/v1/jobs", consumes = "application/json", produces = "application/json")
    @Operation(
            operationId = "submitJob",
            summary = "Submit a job",
            description =
                    "The answer says whether the job can ever run, its position, and what blocks it, as far as that is known within"
                            + " a quarter of a second. With dryRun=true nothing is stored: the answer says what would become of"
                            + " it, however long that takes.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = JobRequest.class))))
    @ApiResponse(
            responseCode = "201",
            description = "Stored. Location and ETag are set.",
            content = @Content(schema = @Schema(implementation = SubmitResponses.SubmittedJob.class)))
    @ApiResponse(
            responseCode = "200",
            description = "The forecast of a dry run.",
            content = @Content(schema = @Schema(implementation = ForecastResponse.class)))
    ResponseEntity<?> submit(
            Form<JobRequest> form,
            @RequestParam(defaultValue = "false") boolean dryRun,
            @RequestHeader(name = Keys.HEADER, required = false) @Nullable String key,
            Principal caller) {
        Violations violations = new Violations();
        JobSpec spec = JobReader.read(form.value(), "", violations);
        if (spec == null) {
            throw new InvalidInput(violations.list());
        }
        if (dryRun) {
            return ResponseEntity.ok(submitter.forecast(spec, caller.getName()));
        }
        byte[] answer = submitter.submit(
                new Call(caller.getName(), key, form.hash()), spec, (id, estimate) -> submitted(id, spec, estimate));
        return created(answer);
    }

    @PostMapping(path = "/api/v1/jobs:batch", consumes = "application/json", produces = "application/json")
    @Operation(
            operationId = "submitJobs",
            summary = "Submit many jobs",
            description =
                    "Good jobs are stored in one transaction, bad ones are refused; each has its result, in order: 400 for"
                            + " what is wrong, 409 for what its queue does not take in now. Where every job is bad the"
                            + " answer is 400. There are no estimates: ask with dryRun=true for the forecast of each.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = BatchRequest.class))))
    @ApiResponse(
            responseCode = "200",
            description = "At least one job is stored. With dryRun=true: one forecast per job instead.",
            content = @Content(schema = @Schema(oneOf = {SubmitResponses.BatchResult.class, Forecasts.class})))
    ResponseEntity<?> submitAll(
            Form<BatchRequest> form,
            @RequestParam(defaultValue = "false") boolean dryRun,
            @RequestHeader(name = Keys.HEADER, required = false) @Nullable String key,
            Principal caller) {
        Batch batch = new Batch(form.value());
        if (dryRun) {
            return ResponseEntity.ok(
                    new Forecasts(batch.forecasts(submitter.forecast(batch.specs(), caller.getName()))));
        }
        Call call = new Call(caller.getName(), key, form.hash());
        for (int round = 0; round < ROUNDS && !batch.specs().isEmpty(); round++) {
            Taken taken = submitter.take(call, batch.specs(), batch.links(), batch::result);
            if (taken instanceof Taken.Answer answer) {
                return ResponseEntity.ok()
                        .contentType(MediaType.APPLICATION_JSON)
                        .body(answer.bytes());
            }
            Taken.Wrong wrong = (Taken.Wrong) taken;
            batch.refuse(wrong.violations(), wrong.kind().status());
        }
        if (batch.specs().isEmpty()) {
            throw batch.allRefused();
        }
        throw new ProblemFound(ProblemKind.CONFLICT, "queues or flavors change faster than the batch can be taken");
    }

    /** What a dry run of a batch answers. */
    @Schema(name = "Forecasts", description = "One forecast per job, in the order of the batch.")
    record Forecasts(List<ForecastResponse> items) {}

    private ResponseEntity<byte[]> created(byte[] answer) {
        return ResponseEntity.created(URI.create(submitter.location(answer)))
                .contentType(MediaType.APPLICATION_JSON)
                .eTag(Versions.etag(0))
                .body(answer);
    }

    private static SubmitResponses.SubmittedJob submitted(JobId id, JobSpec spec, EstimateResponse estimate) {
        return new SubmitResponses.SubmittedJob(
                id.toString(), spec.name(), JobLife.first(spec.suspended()), JobPaths.of(id), estimate);
    }
}
