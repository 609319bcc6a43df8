package dev.tutti.testkit.scenario;

import dev.tutti.model.fleet.NodeTraits;
import dev.tutti.model.fleet.Taint;
import dev.tutti.model.fleet.TaintEffect;
import dev.tutti.model.fleet.Toleration;
import dev.tutti.model.job.NodeRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Labels, taints and rules in scenarios. {@code labels=pool:a,disk:ssd} and {@code select=pool:a};
 * {@code taints=dedicated:training:NoExecute}, where {@code NoSchedule} is understood; {@code tolerate=dedicated} for any
 * value, {@code tolerate=dedicated:training} for this one, a third part for one effect, {@code tolerate=*} for all taints.
 */
public final class TestRules {

    private TestRules() {}

    static NodeTraits traits(Words words) {
        return new NodeTraits(
                labels(words.list("labels")),
                words.list("taints").stream().map(TestRules::taint).toList());
    }

    static NodeRules rules(Words words) {
        return new NodeRules(
                labels(words.list("select")),
                words.list("tolerate").stream().map(TestRules::toleration).toList());
    }

    /** Kubernetes' own rule, written down once more, apart from the model. */
    public static boolean mayUse(NodeRules rules, NodeTraits node) {
        boolean selected = node.labels().entrySet().containsAll(rules.selector().entrySet());
        for (Taint taint : node.taints()) {
            boolean bars = !taint.effect().word().equals("PreferNoSchedule")
                    && !taint.key().startsWith("node.kubernetes.io/")
                    && !taint.key().equals("nvidia.com/gpu");
            boolean tolerated = false;
            for (Toleration one : rules.tolerations()) {
                boolean key = one.key() == null || one.key().equals(taint.key());
                boolean value = one.operator() == Toleration.Operator.EXISTS
                        || one.value().equals(taint.value());
                tolerated |= key && value && (one.effect() == null || one.effect() == taint.effect());
            }
            selected &= !bars || tolerated;
        }
        return selected;
    }

    static String picture(NodeTraits node) {
        String labels = node.labels().entrySet().stream()
                .map(label -> " " + label.getKey() + ":" + label.getValue())
                .sorted()
                .collect(Collectors.joining());
        String taints = node.taints().stream()
                .map(taint -> " !" + taint.key() + ":" + taint.value() + ":"
                        + taint.effect().word())
                .collect(Collectors.joining());
        return labels + taints;
    }

    private static Map<String, String> labels(List<String> words) {
        Map<String, String> labels = new LinkedHashMap<>();
        words.forEach(word -> labels.put(part(word, 0), part(word, 1)));
        return labels;
    }

    private static Taint taint(String word) {
        TaintEffect effect = effect(word);
        return new Taint(part(word, 0), part(word, 1), effect == null ? TaintEffect.NO_SCHEDULE : effect);
    }

    private static Toleration toleration(String word) {
        String value = part(word, 1);
        return new Toleration(
                word.equals("*") ? null : part(word, 0),
                value.isEmpty() ? Toleration.Operator.EXISTS : Toleration.Operator.EQUAL,
                value,
                effect(word));
    }

    private static @Nullable TaintEffect effect(String word) {
        return TaintEffect.of(part(word, 2)).orElse(null);
    }

    private static String part(String word, int index) {
        String[] parts = word.split(":", -1);
        return index < parts.length ? parts[index] : "";
    }
}
