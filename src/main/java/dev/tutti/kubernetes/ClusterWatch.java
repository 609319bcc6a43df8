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
    private static final long STEP_MILLIS = 10;

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

    /** Starts watching and returns when both watches stand, or when the time limit of a call is over without that. */
    void start(Inbox inbox) {
        prepare(inbox);
        long limit = System.nanoTime() + settings.requestTimeout().toNanos();
        while (!look() && System.nanoTime() - limit < 0 && pause()) {
            // Another look decides.
        }
        startLooking();
    }

    private synchronized void startLooking() {
        if (!closed) {
            clock.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(STEP_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private synchronized void prepare(Inbox inbox) {
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
    }

    /** Looks at every watch; answers whether all of them stand. */
    private boolean look() {
        List<LivingInformer<?>> all;
        synchronized (this) {
            all = informers;
        }
        boolean stand = true;
        for (LivingInformer<?> informer : all) {
            stand &= informer.look(System.nanoTime());
        }
        return stand;
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
