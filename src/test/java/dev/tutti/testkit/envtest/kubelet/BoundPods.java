package dev.tutti.testkit.envtest.kubelet;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The pods of each node as of one moment of the watch. The informer's own store does not serve here: a list taken from
 * it while events arrive may show a pod that came and miss that another went before it.
 */
final class BoundPods implements ResourceEventHandler<Pod> {

    private final Map<String, Map<String, Pod>> byNodeAndName = new HashMap<>();

    synchronized List<Pod> of(String node) {
        return List.copyOf(byNodeAndName.getOrDefault(node, Map.of()).values());
    }

    @Override
    public synchronized void onAdd(Pod pod) {
        byNodeAndName
                .computeIfAbsent(pod.getSpec().getNodeName(), node -> new HashMap<>())
                .put(name(pod), pod);
    }

    /** Between two looks of the watch, a name may have passed to another pod on another node. */
    @Override
    public synchronized void onUpdate(Pod old, Pod pod) {
        onDelete(old, false);
        onAdd(pod);
    }

    @Override
    public synchronized void onDelete(Pod pod, boolean finalStateUnknown) {
        byNodeAndName.getOrDefault(pod.getSpec().getNodeName(), new HashMap<>()).remove(name(pod));
    }

    private static String name(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }
}
