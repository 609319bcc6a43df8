package dev.tutti.web.jobs;

import dev.tutti.control.explain.Explainer;
import dev.tutti.control.explain.Explanation;
import dev.tutti.control.read.JobQueries;
import dev.tutti.control.read.JobView;
import dev.tutti.control.read.PlaceView;
import dev.tutti.model.JobId;
import dev.tutti.model.life.JobState;
import dev.tutti.web.jobs.form.JobPaths;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Says why a job waits, runs where it runs, or ended. */
@RestController
@Tag(name = "jobs")
final class ExplanationController {

    private static final Set<JobState> WAITING = EnumSet.of(JobState.QUEUED, JobState.SUSPENDED);

    private final JobQueries jobs;
    private final Explainer explainer;

    ExplanationController(JobQueries jobs, Explainer explainer) {
        this.jobs = jobs;
        this.explainer = explainer;
    }

    @GetMapping(path = JobPaths.JOBS + "/{id}/explanation", produces = "application/json")
    @Operation(
            operationId = "explainJob",
            summary = "Explain a job",
            description =
                    "Of a job that waits: why, who is in its way, and what would let it start, each remedy tried with the"
                            + " engine on the state of now. Takes two seconds at most; known is false when that was too short."
                            + " Of one that runs: where, and since when. Nothing is written and nothing promised.")
    @ApiResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = "application/json",
                            schema = @Schema(implementation = ExplanationResponse.class),
                            examples = @ExampleObject(ExplanationResponse.EXAMPLE)))
    ExplanationResponse explain(@PathVariable String id) {
        JobId job = JobPaths.id(id);
        JobView view = jobs.job(job).orElseThrow(JobPaths::notFound);
        Optional<Explanation> explanation = explainer.explain(view);
        if (explanation.isEmpty() && WAITING.contains(view.state())) {
            // It may have started meanwhile.
            view = jobs.job(job).orElseThrow(JobPaths::notFound);
        }
        boolean isLive = !WAITING.contains(view.state()) && !view.state().isFinal();
        List<PlaceView> places = isLive ? jobs.places(job) : List.of();
        return ExplanationResponse.of(view, explanation, !WAITING.contains(view.state()), places);
    }
}
