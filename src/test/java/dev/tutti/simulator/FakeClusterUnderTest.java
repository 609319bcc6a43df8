package dev.tutti.simulator;

import static org.assertj.core.api.Assertions.fail;

import dev.tutti.contract.ClusterUnderTest;
import dev.tutti.control.ClusterGateway;
import dev.tutti.model.ClusterId;
import dev.tutti.simulator.fleet.NodeSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The fake cluster with its clock in the test's hand. */
final class FakeClusterUnderTest implements ClusterUnderTest {

    private static final Duration STEP = Duration.ofMillis(100);
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final VirtualClock clock = new VirtualClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final FakeCluster cluster = new FakeCluster(
            Stream.of("node-a", "node-b", "node-c")
                    .map(FakeClusterUnderTest::node)
                    .toList(),
            clock,
            ClusterTimings.DEFAULT,
            "contract",
            1_000);
    private final SimulatedGateway gateway = new SimulatedGateway(new ClusterId(1), cluster);

    static NodeSpec node(String name) {
        return new NodeSpec(
                name,
                "h100-sxm",
                "NVIDIA-H100-80GB-HBM3",
                81_559,
                64_000,
                524_288,
                110,
                List.of(),
                List.of(0, 0, 0, 0, 0, 0, 0, 0),
                Map.of("kubernetes.io/hostname", name));
    }

    @Override
    public ClusterGateway gateway() {
        return gateway;
    }

    @Override
    public List<String> nodes() {
        return List.of("node-a", "node-b", "node-c");
    }

    @Override
    public void await(String what, BooleanSupplier holds) {
        Instant limit = clock.instant().plus(LIMIT);
        while (!holds.getAsBoolean()) {
            if (clock.instant().isAfter(limit)) {
                fail("in " + LIMIT + " it never happened that " + what);
            }
            pass(STEP);
        }
    }

    @Override
    public void settle() {
        pass(Duration.ofSeconds(10));
    }

    private void pass(Duration time) {
        clock.advance(time);
        cluster.advance();
    }

    @Override
    public void endContainers(String pod, int exitCode) {
        cluster.faults().endContainers(pod, exitCode);
    }

    @Override
    public void cordon(String node) {
        cluster.faults().cordon(node, true);
    }

    @Override
    public void uncordon(String node) {
        cluster.faults().cordon(node, false);
    }

    @Override
    public void silence(String node) {
        cluster.faults().partition(node);
    }

    @Override
    public void recover(String node) {
        cluster.faults().returnNode(node);
    }

    @Override
    public void removeNode(String node) {
        cluster.faults().removeNodeObject(node);
    }

    @Override
    public void breakOneDevice(String node) {
        cluster.faults().deviceHealth(node, 3, false);
    }

    @Override
    public void forceDelete(String pod) {
        cluster.faults().forceDelete(pod);
    }

    @Override
    public void addForeignPod(String name, Map<String, String> annotations) {
        cluster.faults().addForeignPod(name, null, List.of(), annotations);
    }

    @Override
    public void annotate(String pod, String key, String value) {
        cluster.faults().annotate(pod, key, value);
    }

    @Override
    public @Nullable Map<String, String> annotations(String pod) {
        return cluster.annotations(pod);
    }

    @Override
    public void breakWatches() {
        cluster.faults().interruptWatches();
    }

    @Override
    public void mendWatches() {
        cluster.faults().mendWatches();
    }

    @Override
    public void close() {
        gateway.close();
    }
}
