package dev.tutti.testkit.envtest.kubelet;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** All pods that are bound to any node, as a watch shows them: a little late, as every kubelet sees them. */
final class PodWatch implements AutoCloseable {

    private static final long CATCH_UP_SECONDS = 20;
    private static final long PAUSE_MILLIS = 20;

    private final KubernetesClient client;
    private final BoundPods pods = new BoundPods();
    private final SharedIndexInformer<Pod> informer;

    PodWatch(KubernetesClient client) {
        this.client = client;
        informer =
                client.pods().inAnyNamespace().withoutField("spec.nodeName", "").inform(pods);
    }

    List<Pod> ofNode(String node) {
        return pods.of(node);
    }

    /** Waits until the watch shows what the server has of one node, as a kubelet does that was away. */
    void catchUp(String node) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CATCH_UP_SECONDS);
        while (!versions(ofNode(node)).equals(versions(listed(node)))) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the watch of pods stays behind for node " + node);
            }
            pause();
        }
    }

    private List<Pod> listed(String node) {
        return client.pods()
                .inAnyNamespace()
                .withField("spec.nodeName", node)
                .list()
                .getItems();
    }

    private static Map<String, String> versions(Collection<Pod> pods) {
        return pods.stream()
                .collect(Collectors.toMap(
                        pod -> pod.getMetadata().getUid(),
                        pod -> pod.getMetadata().getResourceVersion()));
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        informer.close();
    }
}
