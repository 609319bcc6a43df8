package dev.tutti.web.jobs;

import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.web.input.Fixed;
import dev.tutti.web.input.FormReader;
import dev.tutti.web.input.Texts;
import dev.tutti.web.input.Times;
import dev.tutti.web.input.Violations;
import dev.tutti.web.jobs.form.JobReader;
import dev.tutti.web.jobs.form.JobRequest;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A JSON Merge Patch of a job. What is not named stays, null takes a value away or back to its default. */
@Schema(
        name = "JobPatch",
        description =
                "JSON Merge Patch: what is named changes; null takes a limit or a label away, and lane and priority"
                        + " back to their defaults.")
@Fixed({JobRequest.class, JobResponse.class})
record JobPatch(
        @Schema(
                description = "Only while the job waits.",
                allowableValues = {"green", "yellow", "red"})
        @Nullable
        String lane,

        @Schema(description = "Higher is stronger.", minimum = "-1000000", maximum = "1000000", example = "5") @Nullable
        Integer priority,

        @Schema(minimum = "1", maximum = "315360000") @Nullable
        Integer maxRuntimeSeconds,

        @Schema(description = "An RFC 3339 time with its offset, to come.", format = "date-time") @Nullable
        String deadline,

        @Schema(minimum = "1", maximum = "315360000") @Nullable
        Integer maxQueueSeconds,

        @Schema(minimum = "1", maximum = "86400") @Nullable Integer readyTimeoutSeconds,

        @Schema(minimum = "0", maximum = "2678400") @Nullable
        Integer fallbackAfterSeconds,

        @Schema(
                description = "Labels to set by key; null for a key takes that label away.",
                implementation = Map.class,
                example = "{\"team\": \"nlp\"}")
        @Nullable
        Map<String, JsonNode> labels) {

    private static final Lane DEFAULT_LANE = Lane.YELLOW;

    /** What the document makes of a job; throws {@code InvalidInput} for one that makes no sense for any. */
    static UnaryOperator<JobSpec> read(JsonNode tree) {
        JobPatch patch = FormReader.read(tree, JobPatch.class);
        Violations violations = new Violations();
        Lane lane = patch.lane == null ? DEFAULT_LANE : JobReader.lane(patch.lane, "", violations);
        Instant deadline = patch.deadline == null ? null : Times.read(patch.deadline, "deadline", violations);
        checkLabels(patch.labels, violations);
        violations.orThrow();
        return before -> before.with(
                tree.has("lane") ? lane : before.lane(),
                tree.has("priority") ? patch.priority == null ? 0 : patch.priority : before.priority(),
                new TimeLimits(
                        tree.has("maxRuntimeSeconds")
                                ? patch.maxRuntimeSeconds
                                : before.limits().maxRuntimeSeconds(),
                        tree.has("deadline") ? deadline : before.limits().deadline(),
                        tree.has("maxQueueSeconds")
                                ? patch.maxQueueSeconds
                                : before.limits().maxQueueSeconds(),
                        tree.has("readyTimeoutSeconds")
                                ? patch.readyTimeoutSeconds
                                : before.limits().readyTimeoutSeconds(),
                        tree.has("fallbackAfterSeconds")
                                ? patch.fallbackAfterSeconds
                                : before.limits().fallbackAfterSeconds()),
                tree.has("labels") ? merged(before.labels(), patch.labels) : before.labels());
    }

    private static void checkLabels(@Nullable Map<String, JsonNode> labels, Violations violations) {
        if (labels != null) {
            labels.forEach((key, value) -> {
                if (!value.isString() && !value.isNull()) {
                    violations.add(
                            "labels." + key,
                            "is " + Texts.shown(value) + "; give a text, or null to take the label away");
                }
            });
        }
    }

    private static Map<String, String> merged(Map<String, String> before, @Nullable Map<String, JsonNode> patch) {
        if (patch == null) {
            return Map.of();
        }
        Map<String, String> labels = new LinkedHashMap<>(before);
        patch.forEach((key, value) -> {
            if (value.isNull()) {
                labels.remove(key);
            } else {
                labels.put(key, value.stringValue());
            }
        });
        return labels;
    }
}
