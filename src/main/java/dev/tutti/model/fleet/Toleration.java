package dev.tutti.model.fleet;

import dev.tutti.model.Check;
import dev.tutti.model.Labels;
import org.jspecify.annotations.Nullable;

/**
 * A kind of taint that a pod does not mind, by the rules of Kubernetes.
 *
 * @param key key of the taint; null means every key, and then the operator is {@link Operator#EXISTS}
 * @param operator how the value is compared
 * @param value value of the taint; empty with {@link Operator#EXISTS}
 * @param effect effect of the taint; null means every effect
 */
public record Toleration(
        @Nullable String key,
        Operator operator,
        String value,
        @Nullable TaintEffect effect) {

    /** Nodes with GPUs are often tainted with this key; every pod of Tutti's tolerates it. */
    public static final Toleration OF_GPU_NODES = new Toleration("nvidia.com/gpu", Operator.EXISTS, "", null);

    /** How the value of a taint is compared. */
    public enum Operator {
        EQUAL,
        EXISTS
    }

    public Toleration {
        Check check = new Check();
        if (key == null) {
            check.that(
                    operator == Operator.EXISTS,
                    "key",
                    "is missing; give one, or the operator Exists, which alone goes without a key");
        } else {
            check.that(Labels.isKey(key), "key", Labels.notAKey(key))
                    .that(
                            !Taint.isState(key),
                            "key",
                            "is \"" + Labels.shown(key)
                                    + "\", which tells the state of a node, and a node that is cordoned or not ready takes no pods of"
                                    + " anyone; leave it out");
        }
        if (operator == Operator.EXISTS) {
            check.that(
                    value.isEmpty(),
                    "value",
                    "is \"" + Labels.shown(value)
                            + "\" beside the operator Exists; leave it out, or give the operator Equal");
        } else {
            check.that(Labels.isValue(value), "value", Labels.notAValue(value));
        }
        check.orThrow();
    }

    /** Whether a pod with this toleration does not mind the taint. */
    public boolean tolerates(Taint taint) {
        return (effect == null || effect == taint.effect())
                && (key == null || key.equals(taint.key()))
                && (operator == Operator.EXISTS || value.equals(taint.value()));
    }
}
