package dev.tutti.web.manifests;

import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.life.JobState;
import dev.tutti.web.calls.Keys;
import dev.tutti.web.calls.Versions;
import dev.tutti.web.input.Document;
import dev.tutti.web.input.Violations;
import dev.tutti.web.jobs.Submitter;
import dev.tutti.web.jobs.form.JobPaths;
import dev.tutti.web.jobs.form.JobReader;
import dev.tutti.web.problem.Problem;
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
import tools.jackson.databind.JsonNode;

/** Takes what kubectl takes. */
@RestController
@Tag(name = "manifests")
final class ManifestController {

    private final Submitter submitter;

    ManifestController(Submitter submitter) {
        this.submitter = submitter;
    }

    @PostMapping(
            path = "/api/v1/manifests",
            consumes = {"application/yaml", "application/x-yaml", "text/yaml", "application/json"},
            produces = "application/json")
    @Operation(
            operationId = "submitManifest",
            summary = "Submit a Kubernetes manifest",
            description = "One batch/v1 Job as YAML or JSON. parallelism is the gang's size; the labels tutti.dev/queue"
                    + " (or kueue.x-k8s.io/queue-name) and tutti.dev/lane and the annotations tutti.dev/priority,"
                    + " min-count, max-count, gpu-milli, flavors, topology-required, topology-preferred,"
                    + " expected-runtime-seconds and fallback-after-seconds are read. What Tutti does not model is refused by its name."
                    + " With dryRun=true nothing is stored.",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = {
                                @Content(mediaType = "application/yaml", schema = @Schema(type = "string")),
                                @Content(mediaType = "application/json", schema = @Schema(type = "object"))
                            }))
    @ApiResponse(
            responseCode = "201",
            description = "Stored. Location and ETag are set.",
            content = @Content(schema = @Schema(implementation = ManifestResponse.class)))
    @ApiResponse(
            responseCode = "200",
            description = "A dry run.",
            content = @Content(schema = @Schema(implementation = ManifestResponse.class)))
    ResponseEntity<?> submit(
            Document manifest,
            @RequestParam(defaultValue = "false") boolean dryRun,
            @RequestHeader(name = Keys.HEADER, required = false) @Nullable String key,
            Principal caller) {
        Understood understood = understand(manifest.tree());
        ManifestFields fields =
                new ManifestFields(manifest.tree(), understood.job().podSets().get(0));
        Violations violations = new Violations();
        JobSpec spec = JobReader.read(understood.job(), "", violations);
        if (spec == null) {
            throw invalid(violations.list(), fields);
        }
        try {
            return dryRun
                    ? ResponseEntity.ok(forecast(understood, spec, caller))
                    : store(manifest, key, caller, understood, spec);
        } catch (ProblemFound found) {
            throw found.problem().kind() == ProblemKind.VALIDATION
                    ? invalid(found.problem().violations(), fields)
                    : found;
        }
    }

    private ManifestResponse forecast(Understood understood, JobSpec spec, Principal caller) {
        return new ManifestResponse(
                null,
                null,
                null,
                understood.job(),
                understood.ignored(),
                submitter.forecast(spec, caller.getName()),
                null);
    }

    private ResponseEntity<byte[]> store(
            Document manifest, @Nullable String key, Principal caller, Understood understood, JobSpec spec) {
        byte[] answer = submitter.submit(
                new Submitter.Call(caller.getName(), key, manifest.hash()),
                spec,
                (id, estimate) -> new ManifestResponse(
                        id.toString(),
                        JobState.QUEUED,
                        JobPaths.of(id),
                        understood.job(),
                        understood.ignored(),
                        null,
                        estimate));
        return ResponseEntity.created(URI.create(submitter.location(answer)))
                .contentType(MediaType.APPLICATION_JSON)
                .eTag(Versions.etag(0))
                .body(answer);
    }

    private static Understood understand(JsonNode tree) {
        Violations violations = new Violations();
        Understood understood = new ManifestReader(violations).read(tree);
        if (understood == null) {
            throw new ProblemFound(Problem.violations(ProblemKind.MISCONFIGURED, violations.list()));
        }
        return understood;
    }

    private static ProblemFound invalid(List<Violation> violations, ManifestFields fields) {
        return new ProblemFound(Problem.violations(ProblemKind.VALIDATION, fields.inManifest(violations)));
    }
}
