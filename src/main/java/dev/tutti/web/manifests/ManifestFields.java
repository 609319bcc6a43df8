package dev.tutti.web.manifests;

import dev.tutti.model.Violation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says where in the manifest a field of the job stands, so that violations name what the caller wrote. */
final class ManifestFields {

    private static final String ANNOTATIONS = "metadata.annotations." + Annotations.PREFIX;
    private static final String RESOURCES = ManifestReader.CONTAINER + ".resources.requests.";
    private static final Map<String, String> PLACES = places();

    private ManifestFields() {}

    /** Longer beginnings first. */
    private static Map<String, String> places() {
        Map<String, String> places = new LinkedHashMap<>();
        places.put("podSets[0].count", "spec.parallelism");
        places.put("podSets[0].minCount", ANNOTATIONS + "min-count");
        places.put("podSets[0].gpusPerPod", ManifestReader.CONTAINER + ".resources.limits." + ResourceReader.GPU);
        places.put("podSets[0].gpuMilli", ANNOTATIONS + "gpu-milli");
        places.put("podSets[0].flavors", ANNOTATIONS + "flavors");
        places.put("podSets[0].cpuMilli", RESOURCES + "cpu");
        places.put("podSets[0].memoryMib", RESOURCES + "memory");
        places.put("podSets[0].rdmaResource", ManifestReader.CONTAINER + ".resources");
        places.put("podSets[0].rdma", ManifestReader.CONTAINER + ".resources");
        places.put("podSets[0].topology.segment.pods", ANNOTATIONS + Annotations.SEGMENT_PODS);
        places.put("podSets[0].topology.segment.level", ANNOTATIONS + Annotations.SEGMENT_LEVEL);
        places.put("podSets[0].template", ManifestReader.CONTAINER);
        places.put("podSets[0].nodeSelector", "spec.template.spec.nodeSelector");
        places.put("podSets[0].tolerations", "spec.template.spec.tolerations");
        places.put("topology.required", ANNOTATIONS + "topology-required");
        places.put("topology.preferred", ANNOTATIONS + "topology-preferred");
        places.put("expectedRuntimeSeconds", ANNOTATIONS + "expected-runtime-seconds");
        places.put("preemption.graceSeconds", "spec.template.spec.terminationGracePeriodSeconds");
        places.put("retry.maxFailures", "spec.backoffLimit");
        places.put("priority", ANNOTATIONS + "priority");
        places.put("labels", "metadata.labels");
        places.put("lane", "metadata.labels." + Annotations.PREFIX + "lane");
        places.put("name", "metadata.name");
        return places;
    }

    static List<Violation> inManifest(List<Violation> violations, String queueField) {
        return violations.stream()
                .map(violation -> new Violation(place(violation.field(), queueField), violation.message()))
                .toList();
    }

    private static String place(String field, String queueField) {
        if (field.equals("queue")) {
            return queueField;
        }
        return PLACES.entrySet().stream()
                .filter(place -> field.startsWith(place.getKey()))
                .findFirst()
                .map(place -> place.getValue() + field.substring(place.getKey().length()))
                .orElse(field);
    }
}
