package dev.tutti.testkit.envtest.kubelet;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeConditionBuilder;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.NodeStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** Writes a toy node as the Node object, labels and status that a real one of its kind has. */
final class NodeObjects {

    static final String GPU = "nvidia.com/gpu";
    static final String LABEL_OF_TOYS = "tutti.dev/toy-kubelet";

    private NodeObjects() {}

    static Node node(ToyNode toy) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(toy.name())
                .withLabels(labels(toy))
                .endMetadata()
                .build();
    }

    private static Map<String, String> labels(ToyNode toy) {
        Map<String, String> labels = new TreeMap<>(toy.labels());
        labels.put("kubernetes.io/hostname", toy.name());
        labels.put("kubernetes.io/os", "linux");
        labels.put("kubernetes.io/arch", "amd64");
        labels.put(LABEL_OF_TOYS, "true");
        if (toy.gpus() > 0) {
            labels.put("nvidia.com/gpu.present", "true");
            labels.put("nvidia.com/gpu.count", Integer.toString(toy.gpus()));
        } else {
            labels.keySet().removeIf(key -> key.startsWith("nvidia.com/gpu."));
        }
        return labels;
    }

    static NodeStatus status(ToyNode toy, Instant now) {
        Map<String, Quantity> resources = resources(toy);
        return new NodeStatusBuilder()
                .withCapacity(resources)
                .withAllocatable(resources)
                .withConditions(ready(now))
                .withNewNodeInfo()
                .withKubeletVersion("v1.36.0-toy")
                .withOperatingSystem("linux")
                .withArchitecture("amd64")
                .withContainerRuntimeVersion("toy://1")
                .withKernelVersion("6.8.0")
                .withOsImage("toy")
                .withMachineID(toy.name())
                .withSystemUUID(toy.name())
                .withBootID(toy.name())
                .withKubeProxyVersion("")
                .endNodeInfo()
                .build();
    }

    private static Map<String, Quantity> resources(ToyNode toy) {
        Map<String, Quantity> resources = new TreeMap<>();
        resources.put("cpu", new Quantity(toy.cpuMilli() + "m"));
        resources.put("memory", new Quantity(toy.memoryMib() + "Mi"));
        resources.put("pods", new Quantity(Integer.toString(toy.pods())));
        if (toy.gpus() > 0) {
            resources.put(GPU, new Quantity(Integer.toString(toy.gpus())));
        }
        return resources;
    }

    static NodeCondition ready(Instant now) {
        return condition(now, "True", "KubeletReady", "kubelet is posting ready status");
    }

    /** What the node lifecycle controller writes about a node whose kubelet went silent. */
    static NodeCondition unknown(Instant now) {
        return condition(now, "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.");
    }

    private static NodeCondition condition(Instant now, String status, String reason, String message) {
        return new NodeConditionBuilder()
                .withType("Ready")
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .withLastHeartbeatTime(Times.seconds(now))
                .withLastTransitionTime(Times.seconds(now))
                .build();
    }
}
