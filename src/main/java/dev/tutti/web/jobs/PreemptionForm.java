package dev.tutti.web.jobs;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** How a job is stopped, asked for and shown. */
@Schema(name = "Preemption", description = "How the job is stopped.")
public record PreemptionForm(
        @Schema(
                description = "Time between the signal to stop and the kill.",
                minimum = "0",
                maximum = "3600",
                defaultValue = "30")
        @Nullable
        Integer graceSeconds) {}
