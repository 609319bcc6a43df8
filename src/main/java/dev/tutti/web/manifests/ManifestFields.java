package dev.tutti.web.manifests;

import dev.tutti.model.Violation;
import dev.tutti.web.jobs.form.JobRequest.PodSetRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Says where in a manifest a field of the job stands, so that violations name what the caller wrote. */
final class ManifestFields {

    private static final String ANNOTATIONS = "metadata.annotations." + Annotations.PREFIX;

    /** Names that messages about a job use for its fields, and the manifest's own for the same things. */
    private static final Map<String, String> WORDS = Map.of(
            "gpusPerPod", ResourceReader.GPU,
            "gpuMilli", Annotations.PREFIX + "gpu-milli",
            "minCount", Annotations.PREFIX + "min-count",
            "maxCount", Annotations.PREFIX + "max-count",
            "count", "parallelism",
            "topology.required", Annotations.PREFIX + "topology-required");

    private static final String ENV = "podSets[0].template.env.";

    private final JsonNode container;

    /** Longer beginnings first. */
    private final Map<String, String> places = new LinkedHashMap<>();

    /** @param podSet what was understood of the only pod set */
    ManifestFields(JsonNode manifest, PodSetRequest podSet) {
        JsonNode metadata = manifest.path("metadata");
        container = manifest.at("/spec/template/spec/containers/0");
        putPodSet(podSet);
        places.put("topology.required", ANNOTATIONS + "topology-required");
        places.put("topology.preferred", ANNOTATIONS + "topology-preferred");
        places.put("expectedRuntimeSeconds", ANNOTATIONS + "expected-runtime-seconds");
        places.put("fallbackAfterSeconds", ANNOTATIONS + Annotations.FALLBACK);
        places.put("preemption.graceSeconds", "spec.template.spec.terminationGracePeriodSeconds");
        places.put("retry.maxFailures", "spec.backoffLimit");
        places.put("priority", ANNOTATIONS + "priority");
        places.put("queue", Annotations.queueField(metadata.path("labels")));
        places.put("labels", "metadata.labels");
        places.put("lane", "metadata.labels." + Annotations.PREFIX + "lane");
        places.put("name", metadata.hasNonNull("name") ? "metadata.name" : "metadata.generateName");
    }

    private void putPodSet(PodSetRequest podSet) {
        places.put("podSets[0].count", "spec.parallelism");
        places.put("podSets[0].minCount", ANNOTATIONS + "min-count");
        places.put("podSets[0].maxCount", ANNOTATIONS + "max-count");
        places.put("podSets[0].gpusPerPod", resource(ResourceReader.GPU));
        places.put("podSets[0].gpuMilli", ANNOTATIONS + "gpu-milli");
        places.put("podSets[0].mig", resource(ResourceReader.MIG + podSet.mig()));
        places.put("podSets[0].flavors", ANNOTATIONS + "flavors");
        places.put("podSets[0].cpuMilli", resource("cpu"));
        places.put("podSets[0].memoryMib", resource("memory"));
        places.put("podSets[0].rdmaResource", resource(podSet.rdmaResource()));
        places.put("podSets[0].rdma", resource(podSet.rdmaResource()));
        places.put("podSets[0].topology.segment.pods", ANNOTATIONS + Annotations.SEGMENT_PODS);
        places.put("podSets[0].topology.segment.level", ANNOTATIONS + Annotations.SEGMENT_LEVEL);
        places.put("podSets[0].template", ManifestReader.CONTAINER);
        places.put("podSets[0].nodeSelector", "spec.template.spec.nodeSelector");
        places.put("podSets[0].tolerations", "spec.template.spec.tolerations");
    }

    /** Where the amount of a resource was written: in the limits, or in the requests alone. */
    private String resource(@Nullable String name) {
        boolean requested = name != null
                && !container.at("/resources/limits").has(name)
                && container.at("/resources/requests").has(name);
        return ManifestReader.CONTAINER + ".resources." + (requested ? "requests." : "limits.") + name;
    }

    List<Violation> inManifest(List<Violation> violations) {
        return violations.stream()
                .map(violation -> new Violation(place(violation.field()), words(violation.message())))
                .toList();
    }

    private String place(String field) {
        JsonNode env = container.path("env");
        for (int i = 0; field.startsWith(ENV) && i < env.size(); i++) {
            if (env.get(i).path("name").asString("").equals(field.substring(ENV.length()))) {
                return ManifestReader.CONTAINER + ".env[" + i + "]";
            }
        }
        return places.entrySet().stream()
                .filter(place -> field.startsWith(place.getKey()))
                .findFirst()
                .map(place -> place.getValue() + field.substring(place.getKey().length()))
                .orElse(field);
    }

    /** Only outside of quotes: what the caller wrote stays as it is. */
    private static String words(String message) {
        String[] parts = message.split("\"", -1);
        for (int i = 0; i < parts.length; i += 2) {
            for (Map.Entry<String, String> word : WORDS.entrySet()) {
                parts[i] = parts[i].replaceAll("(?<![\\w.-])" + word.getKey() + "(?![\\w.-])", word.getValue());
            }
        }
        return String.join("\"", parts);
    }
}
