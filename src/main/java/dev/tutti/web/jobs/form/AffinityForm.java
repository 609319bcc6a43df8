package dev.tutti.web.jobs.form;

import dev.tutti.model.InvalidInput;
import dev.tutti.model.Violation;
import dev.tutti.model.job.SetAffinity;
import dev.tutti.web.input.Texts;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** Where the pods of a set have to be, seen from those of another, asked for and shown. */
@Schema(name = "Affinity", description = "Where the pods of a set have to be, seen from those of another set.")
public record AffinityForm(
        @Schema(description = "Name of the other set.", example = "ps")
        String podSet,

        @Schema(description = "A topology level.", example = "rack")
        String level,

        @Schema(
                description = "TOGETHER: all pods of both sets in one domain of the level. APART: no domain of it holds"
                        + " pods of both; refused where the two sets, directly or by way of others, are together in"
                        + " such a domain or one inside it.",
                allowableValues = {"TOGETHER", "APART"})
        String kind) {

    /** The model's; {@link InvalidInput} names the faulty fields. */
    SetAffinity toModel() {
        return switch (kind) {
            case "TOGETHER" -> new SetAffinity(podSet, level, SetAffinity.Kind.TOGETHER);
            case "APART" -> new SetAffinity(podSet, level, SetAffinity.Kind.APART);
            default ->
                throw new InvalidInput(
                        List.of(new Violation("kind", "is \"" + Texts.clip(kind) + "\"; give TOGETHER or APART")));
        };
    }

    public static AffinityForm of(SetAffinity affinity) {
        return new AffinityForm(
                affinity.podSet(), affinity.level(), affinity.kind().name());
    }
}
