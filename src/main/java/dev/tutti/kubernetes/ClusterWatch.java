package dev.tutti.kubernetes;

import dev.tutti.control.ClusterGateway.Inbox;
import dev.tutti.kubernetes.sighting.Keys;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Watches the pods of Tutti and all nodes of one cluster, for as long as it is open. It only hands on; it decides nothing
 * but whether a watch still lives: informers die silently, so each is looked at again and again, and a dead one is
 * replaced.
 */
final class ClusterWatch implements AutoCloseable {

    private static final long LOOK_MILLIS = 1_000;

    private final KubernetesClient client;
    private final KubernetesSettings settings;
    private final ScheduledExecutorService clock;
    private List<LivingInformer<?>> informers = List.of();
    private boolean closed;

    ClusterWatch(KubernetesClient client, KubernetesSettings settings) {
        this.client = client;
        this.settings = settings;
        this.clock = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "kubernetes-watch-" + settings.cluster());
            thread.setDaemon(true);
            return thread;
        });
    }

    synchronized void start(Inbox inbox) {
        if (closed || !informers.isEmpty()) {
            throw new IllegalStateException("cluster " + settings.cluster() + " is watched already, or closed");
        }
        LivingInformer<Pod> pods = new LivingInformer<>(
                "pods",
                () -> client.pods()
                        .inNamespace(settings.namespace())
                        .withLabel(Keys.MANAGED_BY, Keys.SCHEDULER)
                        .runnableInformer(0),
                new PodEvents(inbox),
                inbox::gap);
        LivingInformer<Node> nodes = new LivingInformer<>(
                "nodes", () -> client.nodes().runnableInformer(0), new NodeEvents(inbox), inbox::gap);
        informers = List.of(pods, nodes);
        clock.scheduleWithFixedDelay(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        List<LivingInformer<?>> all;
        synchronized (this) {
            all = informers;
        }
        all.forEach(informer -> informer.look(System.nanoTime()));
    }

    @Override
    public void close() {
        List<LivingInformer<?>> all;
        synchronized (this) {
            closed = true;
            all = informers;
        }
        clock.shutdownNow();
        all.forEach(LivingInformer::close);
    }
}
