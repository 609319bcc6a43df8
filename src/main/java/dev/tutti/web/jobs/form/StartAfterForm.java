package dev.tutti.web.jobs.form;

import dev.tutti.model.InvalidInput;
import dev.tutti.model.Violation;
import dev.tutti.model.job.StartAfter;
import dev.tutti.web.input.Texts;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the pods of a set wait for, asked for and shown. */
@Schema(name = "StartAfter", description = "Another set of the job, and how far it must have come.")
public record StartAfterForm(
        @Schema(
                description = "Name of the other set. No set may wait for itself, directly or by way of others.",
                example = "master")
        String podSet,

        @Schema(
                description = "RUNNING: each pod of the other set runs, or once did. SUCCEEDED: each has ended well.",
                allowableValues = {"RUNNING", "SUCCEEDED"},
                defaultValue = "RUNNING")
        @Nullable
        String when) {

    /** The model's; {@link InvalidInput} names the faulty field. */
    StartAfter toModel() {
        String word = when == null ? "RUNNING" : when;
        return switch (word) {
            case "RUNNING" -> new StartAfter(podSet, StartAfter.When.RUNNING);
            case "SUCCEEDED" -> new StartAfter(podSet, StartAfter.When.SUCCEEDED);
            default ->
                throw new InvalidInput(
                        List.of(new Violation("when", "is \"" + Texts.clip(word) + "\"; give RUNNING or SUCCEEDED")));
        };
    }

    public static StartAfterForm of(StartAfter after) {
        return new StartAfterForm(after.podSet(), after.when().name());
    }
}
