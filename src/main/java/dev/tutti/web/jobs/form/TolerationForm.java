package dev.tutti.web.jobs.form;

import dev.tutti.model.InvalidInput;
import dev.tutti.model.Violation;
import dev.tutti.model.fleet.TaintEffect;
import dev.tutti.model.fleet.Toleration;
import dev.tutti.web.input.Texts;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A kind of taint that pods do not mind, asked for and shown, in the words of Kubernetes. */
@Schema(name = "Toleration", description = "A kind of taint that the pods do not mind, as in Kubernetes.")
public record TolerationForm(
        @Schema(description = "Key of the taint; none is every key, with the operator Exists.", example = "dedicated")
        @Nullable
        String key,

        @Schema(
                description = "Equal compares the value; Exists takes any.",
                allowableValues = {"Equal", "Exists"},
                defaultValue = "Equal")
        @Nullable
        String operator,

        @Schema(description = "Value of the taint; only with Equal.", example = "training") @Nullable
        String value,

        @Schema(
                description = "Effect of the taint; none is every effect.",
                allowableValues = {"NoSchedule", "NoExecute", "PreferNoSchedule"})
        @Nullable
        String effect) {

    private static final String EQUAL = "Equal";
    private static final String EXISTS = "Exists";

    /** The model's; {@link InvalidInput} names the faulty fields. An empty text is the same as none, as in Kubernetes. */
    Toleration toModel() {
        return new Toleration(none(key), modelOperator(), value == null ? "" : value, modelEffect());
    }

    public static TolerationForm of(Toleration toleration) {
        boolean equal = toleration.operator() == Toleration.Operator.EQUAL;
        return new TolerationForm(
                toleration.key(),
                equal ? EQUAL : EXISTS,
                equal ? toleration.value() : null,
                toleration.effect() == null ? null : toleration.effect().word());
    }

    private Toleration.Operator modelOperator() {
        String word = none(operator);
        if (word == null || word.equals(EQUAL)) {
            return Toleration.Operator.EQUAL;
        }
        if (word.equals(EXISTS)) {
            return Toleration.Operator.EXISTS;
        }
        throw invalid("operator", "is \"" + Texts.clip(word) + "\"; give Equal or Exists");
    }

    private @Nullable TaintEffect modelEffect() {
        String word = none(effect);
        return word == null
                ? null
                : TaintEffect.of(word)
                        .orElseThrow(() -> invalid(
                                "effect",
                                "is \"" + Texts.clip(word) + "\"; give NoSchedule, NoExecute or PreferNoSchedule"));
    }

    private static InvalidInput invalid(String field, String message) {
        return new InvalidInput(List.of(new Violation(field, message)));
    }

    private static @Nullable String none(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }
}
