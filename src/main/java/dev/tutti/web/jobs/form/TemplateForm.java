package dev.tutti.web.jobs.form;

import dev.tutti.model.job.PodTemplate;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What runs in each pod, asked for and shown. */
@Schema(name = "Template", description = "What runs in each pod: these fields and no others.")
public record TemplateForm(
        @Schema(description = "Container image.", example = "pytorch/pytorch:2.9")
        String image,

        @Schema(description = "Entry point; none is the image's own.") @Nullable
        List<String> command,

        @Schema(description = "Arguments.") @Nullable List<String> args,

        @Schema(description = "Environment. NVIDIA_*, CUDA_VISIBLE_DEVICES and TUTTI_* are Tutti's.") @Nullable
        Map<String, String> env) {

    PodTemplate toModel() {
        return new PodTemplate(
                image,
                command == null ? List.of() : command,
                args == null ? List.of() : args,
                env == null ? Map.of() : env);
    }

    public static TemplateForm of(PodTemplate template) {
        return new TemplateForm(template.image(), template.command(), template.args(), template.env());
    }
}
