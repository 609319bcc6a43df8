package dev.tutti.web.manifests;

import dev.tutti.web.input.Ignored;
import dev.tutti.web.input.Scalar;
import dev.tutti.web.jobs.form.TolerationForm;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of a {@code batch/v1} Job that Tutti models. Every other field is refused by its name. */
record JobManifest(
        String apiVersion,
        String kind,
        Metadata metadata,
        Spec spec,
        @Nullable Ignored status) {

    record Metadata(
            @Nullable String name,
            @Nullable String generateName,
            @Nullable String namespace,
            @Nullable Map<String, String> labels,
            @Nullable Map<String, String> annotations,
            @Nullable Ignored creationTimestamp) {}

    record Spec(
            @Schema(minimum = "1", maximum = "20000") @Nullable
            Integer parallelism,

            @Schema(minimum = "1", maximum = "20000") @Nullable
            Integer completions,

            @Schema(minimum = "0", maximum = "1000") @Nullable
            Integer backoffLimit,

            @Nullable String completionMode,
            @Nullable Boolean suspend,
            Template template) {}

    record Template(@Nullable TemplateMetadata metadata, PodSpec spec) {}

    record TemplateMetadata(
            @Nullable String name,
            @Nullable Map<String, String> labels,
            @Nullable Map<String, String> annotations,
            @Nullable Ignored creationTimestamp) {}

    record PodSpec(
            List<Container> containers,
            @Nullable String restartPolicy,

            @Schema(minimum = "0", maximum = "3600") @Nullable
            Integer terminationGracePeriodSeconds,

            @Nullable Map<String, String> nodeSelector,
            @Nullable List<TolerationForm> tolerations) {}

    record Container(
            @Nullable String name,
            String image,
            @Nullable List<String> command,
            @Nullable List<String> args,
            @Nullable List<EnvVar> env,
            @Nullable Resources resources) {}

    record EnvVar(String name, @Nullable String value) {}

    record Resources(
            @Nullable Map<String, Scalar> limits, @Nullable Map<String, Scalar> requests) {}
}
