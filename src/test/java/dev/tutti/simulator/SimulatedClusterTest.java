package dev.tutti.simulator;

import static dev.tutti.simulator.TestOrders.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.PodOrder;
import dev.tutti.model.ClusterId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.fleet.PodSighting.Phase;
import dev.tutti.simulator.fleet.NodeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A simulated cluster goes on after its process died, as if its machines had never noticed. */
class SimulatedClusterTest {

    private static final List<NodeSpec> FLEET =
            Stream.of("node-a", "node-b").map(FakeClusterUnderTest::node).toList();

    @TempDir
    Path folder;

    private final VirtualClock clock = new VirtualClock(Bench.START);
    private SimulatedCluster cluster;
    private ClusterGateway gateway;

    @BeforeEach
    void open() {
        open(FLEET);
    }

    private void open(List<NodeSpec> fleet) {
        cluster = SimulatedCluster.open(folder, fleet, clock);
        gateway = cluster.gateway(new ClusterId(1));
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private void restartAfter(Duration time) {
        cluster.close();
        clock.advance(time);
        open();
    }

    @Test
    void aJobThatEndedWhileNobodyLookedEndedAtItsStoredTime() {
        PodOrder order = bind(order(1).runtime(100).exit("4"));
        pass(2);

        restartAfter(Duration.ofHours(5));
        assertThat(read(order).phase()).isEqualTo(Phase.RUNNING);
        pass(1);

        assertThat(read(order).phase()).isEqualTo(Phase.FAILED);
        assertThat(read(order).exitCode()).isEqualTo(4);
        assertThat(cluster.cluster().witness().runs()).singleElement().satisfies(run -> {
            assertThat(run.start()).isEqualTo(Bench.START.plusSeconds(1));
            assertThat(run.end()).isEqualTo(Bench.START.plusSeconds(101));
        });
    }

    @Test
    void aJobThatRunsGoesOnAndKeepsItsDevices() {
        PodOrder order = bind(order(1).on("node-a", 0).runtime(1_000));
        pass(2);

        restartAfter(Duration.ofSeconds(100));
        PodOrder rival = bind(order(2).on("node-a", 0));
        pass(3);

        assertThat(read(order).phase()).isEqualTo(Phase.RUNNING);
        assertThat(read(rival).phase()).isEqualTo(Phase.REJECTED);
    }

    @Test
    void anInstanceKeepsItsUnitsAcrossARestart() {
        PodOrder order = bind(order(1).on("node-a", 0).cut("3g.40gb", 4, 4).runtime(1_000));
        pass(2);

        restartAfter(Duration.ofSeconds(100));
        PodOrder rival = bind(order(2).on("node-a", 0).cut("1g.20gb", 6, 2));
        PodOrder beside = bind(order(3).on("node-a", 0).cut("4g.40gb", 0, 4));
        pass(3);

        assertThat(read(order).phase()).isEqualTo(Phase.RUNNING);
        assertThat(read(rival).phase()).isEqualTo(Phase.REJECTED);
        assertThat(read(beside).phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void aPodThatWasOnlyBoundStartsAfterTheRestart() {
        PodOrder order = bind(order(1));

        restartAfter(Duration.ofSeconds(1));
        pass(2);

        assertThat(read(order).phase()).isEqualTo(Phase.RUNNING);
        assertThat(cluster.cluster().annotations(order.name()))
                .containsEntry("tutti.dev/job-name", "job | 作业 \\ 1")
                .containsEntry("tutti.dev/term", "1");
    }

    @Test
    void aDeletionGoesOn() {
        PodOrder order = bind(order(1).runtime(1_000));
        pass(2);
        delete(order);

        restartAfter(Duration.ofSeconds(1));
        assertThat(read(order).terminating()).isTrue();
        pass(5);

        assertThat(gateway.read(order.name())).isInstanceOf(Outcome.Absent.class);
    }

    @Test
    void aStopThatHadBegunEndsTheContainerOnce() {
        PodOrder order = bind(order(1).runtime(1_000));
        pass(2);
        delete(order);
        pass(1);

        restartAfter(Duration.ofSeconds(10));
        clock.advance(Duration.ofMillis(100));
        cluster.step();

        assertThat(read(order).exitCode()).isEqualTo(143);
        assertThat(cluster.cluster().witness().runs()).hasSize(1);
    }

    @Test
    void anEndedPodIsKeptForItsHourAfterTheRestartSoThatItsEndIsSeen() {
        PodOrder order = bind(order(1).runtime(10));
        pass(2);

        restartAfter(Duration.ofDays(3));
        pass(60);

        assertThat(read(order).phase()).isEqualTo(Phase.SUCCEEDED);
        clock.advance(Duration.ofHours(1));
        cluster.step();
        assertThat(gateway.read(order.name())).isInstanceOf(Outcome.Absent.class);
    }

    @Test
    void resourceVersionsAndUidsAreNeverUsedAgain() {
        PodOrder order = order(1).make();
        PodSighting first = Bench.done(gateway.create(order));
        gateway.delete(order.name(), first.uid());

        restartAfter(Duration.ZERO);
        PodSighting second = Bench.done(gateway.create(order));

        assertThat(second.uid()).isNotEqualTo(first.uid());
        assertThat(Long.parseLong(second.resourceVersion())).isGreaterThan(Long.parseLong(first.resourceVersion()));
    }

    @Test
    void whatIsWrongWithNodesStaysWrong() {
        cluster.cluster().faults().cordon("node-a", true);
        cluster.cluster().faults().deviceHealth("node-a", 3, false);
        cluster.cluster().faults().losePower("node-b");
        pass(50);
        NodeSighting before = node("node-a");

        restartAfter(Duration.ofSeconds(1));

        assertThat(node("node-a")).isEqualTo(before);
        assertThat(node("node-a").schedulable()).isFalse();
        assertThat(node("node-b").ready()).isFalse();
        cluster.cluster().faults().returnNode("node-b");
        pass(1);
        assertThat(node("node-b").ready()).isTrue();
    }

    @Test
    void aCutOffMachineGoesOnThroughTheRestart() {
        PodOrder order = bind(order(1).runtime(1_000));
        pass(2);
        cluster.cluster().faults().partition("node-a");
        cluster.cluster().faults().forceDelete(order.name());

        restartAfter(Duration.ofSeconds(20));
        pass(30);
        assertThat(cluster.cluster().witness().running()).hasSize(1);
        assertThat(node("node-a").ready()).isFalse();
        cluster.cluster().faults().returnNode("node-a");
        pass(5);

        assertThat(cluster.cluster().witness().running()).isEmpty();
    }

    @Test
    void aMachineThatTheFleetNoLongerHasTakesItsPodsWithIt() {
        PodOrder order = bind(order(1).on("node-b", 0).runtime(10_000));
        pass(2);
        cluster.close();

        open(FLEET.subList(0, 1));
        assertThat(gateway.nodes()).hasSize(1);
        assertThat(read(order).phase()).isEqualTo(Phase.RUNNING);
        pass(41);

        assertThat(gateway.read(order.name())).isInstanceOf(Outcome.Absent.class);
    }

    @Test
    void anotherFolderIsAnotherCluster(@TempDir Path other) {
        PodSighting here = Bench.done(gateway.create(order(1).make()));
        try (SimulatedCluster twin = SimulatedCluster.open(other, FLEET, clock)) {
            ClusterGateway there = twin.gateway(new ClusterId(2));

            assertThat(Bench.done(there.create(order(1).make())).uid()).isNotEqualTo(here.uid());
            assertThat(there.nodes().get(0).uid())
                    .isNotEqualTo(gateway.nodes().get(0).uid());
        }
    }

    @Test
    void theSameFolderIsRefusedASecondTime() {
        assertThatThrownBy(() -> SimulatedCluster.open(folder, FLEET, clock))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in use by process");
    }

    @Test
    void whenNothingCanBeKeptOutcomesAreUnknownAndListsUnreachable() {
        SimulatedCluster lost = cluster;
        ClusterGateway behind = gateway;
        lost.close();
        open();

        assertThat(behind.create(order(1).make())).isInstanceOf(Outcome.Unknown.class);
        assertThat(behind.read(order(1).make().name())).isInstanceOf(Outcome.Unknown.class);
        assertThatThrownBy(behind::pods).isInstanceOf(ClusterGateway.Unreachable.class);
        assertThat(gateway.pods()).isEmpty();
    }

    @Test
    void afterAnyHistoryARestartFindsTheSameState() {
        for (int seed = 1; seed <= 8; seed++) {
            history(new Random(seed), seed * 1_000);
            Map<String, String> before = state();
            cluster.close();

            open();

            assertThat(state()).as("seed %s", seed).isEqualTo(before);
            assertThat(before.keySet()).anyMatch(key -> key.startsWith("container/"));
        }
    }

    private Map<String, String> state() {
        Map<String, String> state = new TreeMap<>();
        cluster.cluster().writeTo(state::put);
        return state;
    }

    private void history(Random random, int first) {
        for (int i = 0; i < 40; i++) {
            PodOrder order = bind(order(first + i)
                    .on(random.nextBoolean() ? "node-a" : "node-b", random.nextInt(9))
                    .share(1 + random.nextInt(600))
                    .runtime(1 + random.nextInt(60))
                    .exit(Integer.toString(random.nextInt(3))));
            String node = random.nextBoolean() ? "node-a" : "node-b";
            switch (random.nextInt(10)) {
                case 0 -> cluster.cluster().faults().losePower(node);
                case 1 -> cluster.cluster().faults().partition(node);
                case 2 -> cluster.cluster().faults().forceDelete(order.name());
                case 3 -> delete(order);
                case 4 -> cluster.cluster().faults().cordon(node, random.nextBoolean());
                case 5 -> cluster.cluster().faults().missImages(node, random.nextBoolean());
                default -> cluster.cluster().faults().returnNode(node);
            }
            clock.advance(Duration.ofMillis(random.nextInt(3_000)));
            cluster.step();
        }
    }

    private void pass(int seconds) {
        for (int tenth = 0; tenth < seconds * 10; tenth++) {
            clock.advance(Duration.ofMillis(100));
            cluster.step();
        }
    }

    private PodOrder bind(TestOrders orders) {
        PodOrder order = orders.make();
        Bench.done(gateway.bind(Bench.done(gateway.create(order)), order, 1));
        return order;
    }

    private PodSighting read(PodOrder order) {
        return Bench.done(gateway.read(order.name()));
    }

    private void delete(PodOrder order) {
        gateway.delete(order.name(), read(order).uid());
    }

    private NodeSighting node(String name) {
        return gateway.nodes().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
