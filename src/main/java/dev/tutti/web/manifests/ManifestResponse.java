package dev.tutti.web.manifests;

import dev.tutti.model.life.JobState;
import dev.tutti.web.jobs.EstimateResponse;
import dev.tutti.web.jobs.ForecastResponse;
import dev.tutti.web.jobs.form.JobRequest;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a manifest answers. */
@Schema(name = "ManifestResult", description = "What Tutti understood of a manifest, and what became of it.")
record ManifestResponse(
        @Schema(description = "Id of the job; absent in a dry run.") @Nullable
        String id,

        @Schema(description = "The state it begins in; absent in a dry run.") @Nullable
        JobState state,

        @Schema(description = "Path to read it from; absent in a dry run.") @Nullable
        String href,

        @Schema(description = "The job that the manifest asks for, as one would POST it.")
        JobRequest understood,

        @Schema(description = "Fields that have no meaning to Tutti.")
        List<String> ignored,

        @Schema(description = "Only in a dry run.") @Nullable
        ForecastResponse forecast,

        @Schema(description = "Absent in a dry run.") @Nullable
        EstimateResponse estimate) {}
