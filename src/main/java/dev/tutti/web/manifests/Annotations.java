package dev.tutti.web.manifests;

import dev.tutti.web.input.Nearest;
import dev.tutti.web.input.Texts;
import dev.tutti.web.input.Violations;
import dev.tutti.web.manifests.JobManifest.Metadata;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The wishes a manifest carries in its metadata: {@code tutti.dev/…}, and Kueue's queue name. */
final class Annotations {

    static final String PREFIX = "tutti.dev/";

    static final String SEGMENT_PODS = "topology-segment-pods";
    static final String SEGMENT_LEVEL = "topology-segment-level";

    static final String FALLBACK = "fallback-after-seconds";

    private static final String QUEUE = PREFIX + "queue";
    private static final String LANE = PREFIX + "lane";
    static final String KUEUE = "kueue.x-k8s.io/queue-name";
    private static final List<String> KNOWN = Stream.of(
                    "priority",
                    "min-count",
                    "max-count",
                    "gpu-milli",
                    "flavors",
                    "topology-required",
                    "topology-preferred",
                    SEGMENT_PODS,
                    SEGMENT_LEVEL,
                    "expected-runtime-seconds",
                    FALLBACK)
            .map(name -> PREFIX + name)
            .toList();

    private final Metadata metadata;
    private final Map<String, String> labels;
    private final Map<String, String> annotations;
    private final Violations violations;

    Annotations(Metadata metadata, Violations violations) {
        this.metadata = metadata;
        this.labels = metadata.labels() == null ? Map.of() : metadata.labels();
        this.annotations = metadata.annotations() == null ? Map.of() : metadata.annotations();
        this.violations = violations;
    }

    /** A wish that is misspelt would be lost without a word. */
    void refuseUnknown() {
        for (String name : new TreeSet<>(annotations.keySet())) {
            if (name.startsWith(PREFIX) && !KNOWN.contains(name)) {
                violations.add("metadata.annotations." + name, Nearest.hint(name, KNOWN));
            }
        }
        for (String name : new TreeSet<>(labels.keySet())) {
            if (name.startsWith(PREFIX) && !name.equals(QUEUE) && !name.equals(LANE)) {
                violations.add("metadata.labels." + name, Nearest.hint(name, List.of(QUEUE, LANE)));
            }
        }
    }

    String name() {
        String name = metadata.name() == null ? metadata.generateName() : metadata.name();
        if (name == null) {
            violations.add("metadata.name", "is missing; give a text");
        }
        return name == null ? "" : name;
    }

    boolean isQueuedByKueue() {
        return labels.containsKey(KUEUE);
    }

    @Nullable
    String queue() {
        String own = labels.get(QUEUE);
        return own == null ? labels.get(KUEUE) : own;
    }

    /** Where the queue's name stands in the manifest. */
    static String queueField(JsonNode labels) {
        return "metadata.labels." + (!labels.has(QUEUE) && labels.has(KUEUE) ? KUEUE : QUEUE);
    }

    @Nullable
    String lane() {
        return labels.get(LANE);
    }

    @Nullable
    String text(String name) {
        return annotations.get(PREFIX + name);
    }

    @Nullable
    List<String> list(String name) {
        String text = text(name);
        return text == null
                ? null
                : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    @Nullable
    Integer number(String name) {
        String text = text(name);
        if (text == null) {
            return null;
        }
        if (!text.matches("-?(0|[1-9]\\d{0,8})")) {
            String range = text.matches("-?[0-9]+") ? " of at most nine digits without leading zeroes" : "";
            violations.add(
                    "metadata.annotations." + PREFIX + name,
                    "is \"" + Texts.clip(text) + "\"; give a whole number" + range);
            return null;
        }
        return Integer.valueOf(text);
    }

    /** The labels that are not wishes. */
    Map<String, String> jobLabels() {
        Map<String, String> rest = new LinkedHashMap<>(labels);
        rest.keySet().removeAll(List.of(QUEUE, LANE, KUEUE));
        return rest;
    }
}
