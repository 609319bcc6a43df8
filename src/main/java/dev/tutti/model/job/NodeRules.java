package dev.tutti.model.job;

import dev.tutti.model.Check;
import dev.tutti.model.Labels;
import dev.tutti.model.fleet.NodeTraits;
import dev.tutti.model.fleet.Taint;
import dev.tutti.model.fleet.Toleration;
import java.util.List;
import java.util.Map;

/**
 * Which nodes the pods of a set may use, whatever their flavor.
 *
 * @param selector labels a node must have, each with this value; at most {@link #MOST}
 * @param tolerations taints the pods do not mind; at most {@link #MOST}
 */
public record NodeRules(Map<String, String> selector, List<Toleration> tolerations) {

    /** Labels of a selector, and tolerations. */
    public static final int MOST = 16;

    /** Any node without a taint that bars. */
    public static final NodeRules NONE = new NodeRules(Map.of(), List.of());

    public NodeRules {
        selector = Map.copyOf(selector);
        tolerations = List.copyOf(tolerations);
        Check check = new Check()
                .atMost(selector.size(), MOST, "labels", "nodeSelector")
                .atMost(tolerations.size(), MOST, "items", "tolerations");
        selector.forEach((key, value) -> {
            check.that(Labels.isKey(key), "nodeSelector", Labels.notAKey(key));
            if (Labels.isKey(key)) {
                check.that(Labels.isValue(value), "nodeSelector." + key, Labels.notAValue(value));
            }
        });
        check.orThrow();
    }

    /** Whether the pods may go to a node of these traits. Says nothing of its state. */
    public boolean admit(NodeTraits node) {
        return select(node.labels()) && tolerate(node.bars());
    }

    /** Whether a node with these labels is selected. */
    public boolean select(Map<String, String> labels) {
        for (Map.Entry<String, String> wanted : selector.entrySet()) {
            if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the pods mind none of these taints, all of which bar. */
    public boolean tolerate(List<Taint> bars) {
        return bars.stream().allMatch(taint -> tolerations.stream().anyMatch(one -> one.tolerates(taint)));
    }
}
