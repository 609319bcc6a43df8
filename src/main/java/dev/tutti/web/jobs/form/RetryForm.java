package dev.tutti.web.jobs.form;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** What is forgiven, asked for and shown. */
@Schema(name = "Retry", description = "Which failures are forgiven.")
public record RetryForm(
        @Schema(
                description = "Failures of its own that are followed by another attempt; lost nodes do not count.",
                minimum = "0",
                maximum = "1000",
                defaultValue = "0")
        @Nullable
        Integer maxFailures) {}
