package dev.tutti.testkit.envtest.kubelet;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.TreeMap;

/** Pods for the tests of the toy kubelet. */
final class ToyPods {

    private ToyPods() {}

    /** A pod with one container that asks for these resources, waiting for a scheduler that does not exist. */
    static Pod pod(String name, Map<String, String> requests, Map<String, String> annotations) {
        Map<String, Quantity> resources = new TreeMap<>();
        requests.forEach((resource, amount) -> resources.put(resource, new Quantity(amount)));
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid(name)
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("tutti")
                .withRestartPolicy("Never")
                .addNewContainer()
                .withName("main")
                .withImage("toy")
                .withNewResources()
                .withRequests(resources)
                .withLimits(resources)
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    static Pod gpuPod(String name, int gpus, Map<String, String> annotations) {
        return pod(name, Map.of(NodeObjects.GPU, Integer.toString(gpus)), annotations);
    }
}
