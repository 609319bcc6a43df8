package dev.tutti.testkit.envtest.kubelet;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The kubelets of many nodes that exist only as API objects. Bound pods run, end and vanish as on real nodes, by the
 * clock and by their annotations:
 *
 * <ul>
 *   <li>{@code tutti.dev/simulated-runtime-seconds}: the containers end by themselves after this; without it, never
 *   <li>{@code tutti.dev/simulated-exit-code}: with this code; 0 without it
 *   <li>{@code tutti.dev/simulated-stop-seconds}: how long they need to stop when the pod is deleted, at most its grace
 * </ul>
 *
 * It decides only what a kubelet decides: whether a bound pod fits, which devices it gets, when it has ended. It knows
 * only pods that it started itself, and does nothing about nodes that it did not register.
 */
public final class ToyKubelet implements AutoCloseable {

    private static final long LOOK_MILLIS = 50;
    private static final long BEAT_MILLIS = 10_000;
    private static final long STOP_SECONDS = 20;
    private static final int WORKERS = 8;

    private final NodeReports nodeReports;
    private final PodReports podReports;
    private final Complaints complaints = new Complaints();
    private final Map<String, NodeAgent> agents = new ConcurrentHashMap<>();
    private final PodWatch pods;
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
    private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);

    /** Starts to watch; {@code admin} needs all rights on nodes, pods and leases, and stays the caller's to close. */
    public static ToyKubelet start(KubernetesClient admin) {
        return start(admin, BEAT_MILLIS);
    }

    static ToyKubelet start(KubernetesClient admin, long beatMillis) {
        ToyKubelet kubelet = new ToyKubelet(admin);
        kubelet.clock.scheduleWithFixedDelay(kubelet::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        kubelet.clock.scheduleWithFixedDelay(kubelet::beat, beatMillis, beatMillis, TimeUnit.MILLISECONDS);
        return kubelet;
    }

    private ToyKubelet(KubernetesClient admin) {
        nodeReports = new NodeReports(admin);
        podReports = new PodReports(admin, complaints);
        pods = new PodWatch(admin);
    }

    /** Creates the nodes, ready and without taints; known names are registered anew with empty books. */
    public void register(Collection<ToyNode> nodes) {
        onWorkers(nodes, node -> {
            nodeReports.register(node);
            agents.put(node.name(), new NodeAgent(node, podReports, complaints));
        });
    }

    /** The kubelet says nothing more, heartbeats included; the node still counts as ready. Containers go on. */
    public void silence(String node) {
        agent(node).turn(false, name -> {});
    }

    /** Like {@link #silence}, and the cluster has noticed: Ready is Unknown, the unreachable taints are there. */
    public void lose(String node) {
        agent(node).turn(false, nodeReports::lost);
    }

    /** The kubelet speaks again: Ready, taints gone, and it reports all that happened meanwhile. */
    public void recover(String node) {
        NodeAgent agent = agent(node);
        pods.catchUp(node);
        agent.turn(true, nodeReports::back);
    }

    /** The containers of a pod that runs here end by themselves now, whatever its annotations say. */
    public void endContainers(String pod, int exitCode) {
        if (agents.values().stream().noneMatch(agent -> agent.endContainers(pod, exitCode))) {
            throw new IllegalArgumentException("no pod " + pod + " runs here");
        }
    }

    /** When which container was on which device, as it truly was; in no order. */
    public List<DeviceUse> deviceUses() {
        return agents.values().stream().flatMap(agent -> agent.uses().stream()).toList();
    }

    /** What went wrong inside this kubelet or was refused by the server; empty in a healthy test. */
    public List<String> complaints() {
        return complaints.all();
    }

    /** Deletes every node that was registered here; their pods stay. */
    public void deleteNodes() {
        List<NodeAgent> all = List.copyOf(agents.values());
        agents.clear();
        onWorkers(all, agent -> agent.turn(false, nodeReports::delete));
    }

    private NodeAgent agent(String node) {
        NodeAgent agent = agents.get(node);
        if (agent == null) {
            throw new IllegalArgumentException("no node " + node + " here: " + agents.keySet());
        }
        return agent;
    }

    private void look() {
        forEachAgent(agent -> agent.look(pods));
    }

    private void beat() {
        forEachAgent(agent -> agent.beat(nodeReports::beat));
    }

    /** One node's trouble is noted and stops neither the others nor the next look. */
    private void forEachAgent(Consumer<NodeAgent> work) {
        onWorkers(agents.values(), agent -> {
            try {
                work.accept(agent);
            } catch (RuntimeException e) {
                complaints.add("node " + agent.name(), e);
            }
        });
    }

    private <T> void onWorkers(Collection<T> items, Consumer<T> work) {
        CompletableFuture<?>[] all = items.stream()
                .map(item -> CompletableFuture.runAsync(() -> work.accept(item), workers))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(all).join();
    }

    /** Stops watching and reporting; all objects stay as they are. */
    @Override
    public void close() {
        stop(clock);
        stop(workers);
        pods.close();
    }

    private static void stop(ExecutorService threads) {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
