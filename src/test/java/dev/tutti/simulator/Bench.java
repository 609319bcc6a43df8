package dev.tutti.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.PodOrder;
import dev.tutti.model.ClusterId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Two nodes of eight GPUs, a clock, and everything that the watch has told, as text. */
final class Bench {

    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    final VirtualClock clock = new VirtualClock(START);
    final FakeCluster cluster;
    final SimulatedGateway gateway;
    final List<String> told = new ArrayList<>();

    Bench() {
        this(ClusterTimings.DEFAULT);
    }

    Bench(ClusterTimings timings) {
        cluster = new FakeCluster(
                Stream.of("node-a", "node-b").map(FakeClusterUnderTest::node).toList(), clock, timings, "bench", 1_000);
        gateway = new SimulatedGateway(new ClusterId(1), cluster);
        gateway.watch(new ClusterGateway.Inbox() {
            @Override
            public void pod(PodSighting pod) {
                told.add(line(pod));
            }

            @Override
            public void node(NodeSighting node) {
                told.add(node.name() + (node.ready() ? " ready" : " not ready") + (node.deleted() ? " deleted" : ""));
            }

            @Override
            public void gap() {
                told.add("gap");
            }
        });
    }

    static String line(PodSighting pod) {
        return pod.phase()
                + (pod.node() == null ? "" : " " + pod.node())
                + (pod.terminating() ? " terminating" : "")
                + (pod.exitCode() == null ? "" : " exit " + pod.exitCode())
                + (pod.deleted() ? " deleted" : "");
    }

    void pass(long seconds) {
        for (long tenth = 0; tenth < seconds * 10; tenth++) {
            clock.advance(Duration.ofMillis(100));
            cluster.advance();
        }
    }

    PodOrder bind(TestOrders orders) {
        PodOrder order = orders.make();
        PodSighting pod = done(gateway.create(order));
        done(gateway.bind(pod, order, 1));
        return order;
    }

    PodOrder run(TestOrders orders) {
        PodOrder order = bind(orders);
        pass(2);
        assertThat(read(order).phase()).isEqualTo(PodSighting.Phase.RUNNING);
        return order;
    }

    PodSighting read(PodOrder order) {
        return done(gateway.read(order.name()));
    }

    boolean isGone(PodOrder order) {
        return gateway.read(order.name()) instanceof Outcome.Absent;
    }

    PodSighting delete(PodOrder order) {
        return done(gateway.delete(order.name(), read(order).uid()));
    }

    NodeSighting node(String name) {
        return gateway.nodes().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Seconds from the start at which each run of the pod began and ended; -1 for one that goes on. */
    List<String> runs(PodOrder order) {
        return cluster.witness().runs().stream()
                .filter(run -> run.podName().equals(order.name()))
                .map(run -> seconds(run.start()) + " to " + (run.end() == null ? "now" : seconds(run.end())))
                .toList();
    }

    private static String seconds(Instant time) {
        return String.valueOf(Duration.between(START, time).toMillis() / 1_000.0);
    }

    static PodSighting done(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        return ((Outcome.Done) outcome).pod();
    }
}
