package dev.tutti.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.PodOrder;
import dev.tutti.model.ClusterId;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.simulator.fleet.Fleets;
import dev.tutti.simulator.fleet.NodeSpec;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the simulated cluster costs; prints figures and holds only what does not depend on the machine. Another size:
 * {@code -Dtutti.figures.fleet=100k}.
 */
class SimulatorFiguresTest {

    private static final String FLEET = System.getProperty("tutti.figures.fleet", "default");
    private static final int THREADS = 32;
    private static final ThreadMXBean THREAD = ManagementFactory.getThreadMXBean();

    @TempDir
    Path folder;

    private final VirtualClock clock = new VirtualClock(Bench.START);

    @Test
    void aFullFleetRunsEndsAndRestarts() throws Exception {
        List<NodeSpec> fleet = Fleets.named(FLEET);
        List<PodOrder> orders = orders(fleet);
        long bytes = usedBytes();
        try (SimulatedCluster cluster = SimulatedCluster.open(folder, fleet, clock)) {
            ClusterGateway gateway = cluster.gateway(new ClusterId(1));
            List<PodSighting> pods = new ArrayList<>();
            say("creates", orders.size(), timed(() -> pods.addAll(inParallel(orders, gateway::create))));
            long syncs = cluster.syncs();
            say(
                    "binds",
                    orders.size(),
                    timed(() -> inParallel(pairs(orders, pods), pair -> gateway.bind(pair.pod(), pair.order(), 1))));
            syncs = cluster.syncs() - syncs;
            System.out.println(
                    "=== simulator: " + syncs + " syncs for " + orders.size() + " binds by " + THREADS + " threads");
            assertThat(syncs).isLessThan(orders.size() / 2);
            clock.advance(Duration.ofSeconds(5));
            say("starts in one step (CPU)", orders.size(), cpu(cluster::step));
            assertThat(cluster.cluster().witness().running()).hasSize(orders.size());
            say("idle steps (CPU)", 10_000, cpu(() -> idle(cluster)));
            say("nodes in one list (CPU)", fleet.size(), cpu(gateway::nodes));
            say("pods in one list (CPU)", orders.size(), cpu(gateway::pods));
            say("memory of the cluster in KiB", (usedBytes() - bytes) >> 10, 0);
        }
        restart(fleet, orders.size());
    }

    private void restart(List<NodeSpec> fleet, int pods) {
        long start = THREAD.getCurrentThreadCpuTime();
        try (SimulatedCluster cluster = SimulatedCluster.open(folder, fleet, clock)) {
            say("pods taken up at restart (CPU)", pods, THREAD.getCurrentThreadCpuTime() - start);
            assertThat(cluster.cluster().witness().running()).hasSize(pods);
            assertThat(cluster.cluster().witness().overloads()).isEmpty();
            clock.advance(Duration.ofHours(1));
            say("ends in one step (CPU)", pods, cpu(cluster::step));
            assertThat(cluster.cluster().witness().running()).isEmpty();
            clock.advance(Duration.ofHours(2));
            say("removals in one step (CPU)", pods, cpu(cluster::step));
            assertThat(cluster.gateway(new ClusterId(1)).pods()).isEmpty();
        }
    }

    private static void idle(SimulatedCluster cluster) {
        for (int i = 0; i < 10_000; i++) {
            cluster.step();
        }
    }

    /** One pod for each GPU of the fleet. */
    private static List<PodOrder> orders(List<NodeSpec> fleet) {
        List<PodOrder> orders = new ArrayList<>();
        for (NodeSpec node : fleet) {
            for (int gpu = 0; gpu < node.gpus(); gpu++) {
                orders.add(TestOrders.order(orders.size() + 1)
                        .on(node.name(), gpu)
                        .runtime(600)
                        .make());
            }
        }
        return orders;
    }

    private record Pair(PodOrder order, PodSighting pod) {}

    private static List<Pair> pairs(List<PodOrder> orders, List<PodSighting> pods) {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < orders.size(); i++) {
            pairs.add(new Pair(orders.get(i), pods.get(i)));
        }
        return pairs;
    }

    private interface Call<T> {
        Outcome on(T one);
    }

    private static <T> List<PodSighting> inParallel(List<T> all, Call<T> call)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Callable<PodSighting>> calls = new ArrayList<>();
            all.forEach(one -> calls.add(() -> ((Outcome.Done) call.on(one)).pod()));
            List<PodSighting> pods = new ArrayList<>();
            for (Future<PodSighting> pod : threads.invokeAll(calls)) {
                pods.add(pod.get());
            }
            return pods;
        } finally {
            threads.shutdown();
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private static long timed(Work work) {
        long start = System.nanoTime();
        try {
            work.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return System.nanoTime() - start;
    }

    /** Time of this thread on a core: the same on a busy machine as on an idle one. */
    private static long cpu(Work work) {
        long start = THREAD.getCurrentThreadCpuTime();
        timed(work);
        return THREAD.getCurrentThreadCpuTime() - start;
    }

    private static void say(String what, long count, long nanos) {
        String speed = nanos == 0 ? "" : " in %.1f ms, %.0f/s".formatted(nanos / 1e6, count / (nanos / 1e9));
        System.out.println("=== simulator: " + count + " " + what + speed);
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
