package dev.tutti.simulator;

import static dev.tutti.simulator.TestOrders.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.PodOrder;
import dev.tutti.model.fleet.PodSighting.Phase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Machines that die, fall silent, come back or are taken away, and what the API believes meanwhile. */
class LostNodesTest {

    private final Bench bench = new Bench();

    @Test
    void withoutPowerContainersDieAtOnceAndNobodyIsTold() {
        PodOrder order = bench.run(order(1));
        bench.told.clear();

        bench.cluster.faults().losePower("node-a");
        bench.pass(39);

        assertThat(bench.runs(order)).containsExactly("1.0 to 2.0");
        assertThat(bench.read(order).phase()).isEqualTo(Phase.RUNNING);
        assertThat(bench.told).isEmpty();
        bench.pass(2);
        assertThat(bench.told).containsExactly("node-a not ready");
    }

    @Test
    void aMachineThatIsOnlyCutOffGoesOnAndReportsLater() {
        PodOrder order = bench.run(order(1).runtime(100));
        bench.cluster.faults().partition("node-a");

        bench.pass(200);
        assertThat(bench.read(order).phase()).isEqualTo(Phase.RUNNING);
        assertThat(bench.node("node-a").ready()).isFalse();
        String boot = bench.node("node-a").bootId();
        bench.cluster.faults().returnNode("node-a");
        bench.pass(1);

        assertThat(bench.runs(order)).containsExactly("1.0 to 101.0");
        assertThat(bench.read(order).exitCode()).isZero();
        assertThat(bench.node("node-a").ready()).isTrue();
        assertThat(bench.node("node-a").bootId()).isEqualTo(boot);
    }

    @Test
    void aMachineThatRestartsReportsWhatDiedAndHasAnotherBootId() {
        PodOrder order = bench.run(order(1));
        String boot = bench.node("node-a").bootId();
        bench.cluster.faults().losePower("node-a");

        bench.pass(5);
        bench.cluster.faults().returnNode("node-a");
        bench.pass(1);

        assertThat(bench.read(order).phase()).isEqualTo(Phase.FAILED);
        assertThat(bench.read(order).exitCode()).isEqualTo(137);
        assertThat(bench.node("node-a").bootId()).isNotEqualTo(boot);
        assertThat(bench.runs(order)).hasSize(1);
    }

    @Test
    void aShortSilenceIsNotNoticed() {
        bench.cluster.faults().partition("node-a");
        bench.pass(30);
        bench.cluster.faults().returnNode("node-a");

        bench.pass(400);

        assertThat(bench.told).doesNotContain("node-a not ready");
    }

    @Test
    void podsOfANodeThatStaysSilentAreCalledFailedWithoutAReportAndRemovedWhileTheyRun() {
        PodOrder order = bench.run(order(1).runtime(10_000));
        bench.cluster.faults().partition("node-a");
        bench.told.clear();

        bench.pass(345);

        assertThat(bench.told).containsExactly("node-a not ready", "FAILED node-a", "FAILED node-a deleted");
        assertThat(bench.isGone(order)).isTrue();
        assertThat(bench.runs(order)).containsExactly("1.0 to now");
    }

    @Test
    void aNodeThatComesBackStopsWhatTheApiNoLongerHasWithinSeconds() {
        PodOrder order = bench.run(order(1).runtime(10_000));
        bench.cluster.faults().partition("node-a");
        bench.cluster.faults().forceDelete(order.name());
        bench.pass(100);
        assertThat(bench.runs(order)).containsExactly("1.0 to now");

        bench.cluster.faults().returnNode("node-a");
        bench.pass(5);

        assertThat(bench.runs(order)).containsExactly("1.0 to 104.1");
    }

    @Test
    void aNewPodOnTheDeviceOfALostOneOverlapsItWhenTheNodeComesBack() {
        PodOrder lost = bench.run(order(1).on("node-a", 0).runtime(10_000));
        bench.cluster.faults().partition("node-a");
        bench.cluster.faults().forceDelete(lost.name());
        bench.bind(order(2).on("node-a", 0));

        bench.pass(20);
        bench.cluster.faults().returnNode("node-a");
        bench.pass(5);

        assertThat(bench.cluster.witness().overloads()).hasSize(1);
    }

    @Test
    void aDeletedPodOfASilentNodeStaysUntilTheNodeSpeaks() {
        PodOrder order = bench.run(order(1).runtime(10_000));
        bench.cluster.faults().partition("node-a");
        bench.delete(order);
        bench.pass(60);
        assertThat(bench.read(order).terminating()).isTrue();

        bench.cluster.faults().returnNode("node-a");
        bench.pass(5);

        assertThat(bench.isGone(order)).isTrue();
        assertThat(bench.told).contains("FAILED node-a terminating exit 143");
    }

    @Test
    void aSilenceBetweenReportAndRemovalDelaysTheRemoval() {
        PodOrder order = bench.run(order(1).grace(1));
        bench.delete(order);
        bench.clock.advance(Duration.ofMillis(1_200));
        bench.cluster.advance();
        assertThat(bench.read(order).exitCode()).isEqualTo(143);

        bench.cluster.faults().partition("node-a");
        bench.pass(20);
        assertThat(bench.isGone(order)).isFalse();
        bench.cluster.faults().returnNode("node-a");
        bench.pass(2);

        assertThat(bench.isGone(order)).isTrue();
    }

    @Test
    void withItsNodeObjectThePodsGoAndTheKubeletStopsThem() {
        PodOrder order = bench.run(order(1).runtime(10_000));

        bench.cluster.faults().removeNodeObject("node-a");
        bench.pass(30);
        assertThat(bench.isGone(order)).isFalse();
        bench.pass(20);

        assertThat(bench.isGone(order)).isTrue();
        assertThat(bench.told).contains("node-a not ready deleted", "FAILED node-a deleted");
        assertThat(bench.runs(order)).containsExactly("1.0 to 44.1");
    }

    @Test
    void aNodeThatRegistersAgainHasAnotherUid() {
        String uid = bench.node("node-a").uid();
        bench.cluster.faults().removeNodeObject("node-a");
        bench.pass(1);
        assertThat(bench.gateway.nodes()).extracting(node -> node.name()).containsExactly("node-b");

        bench.cluster.faults().returnNode("node-a");
        bench.pass(1);

        assertThat(bench.node("node-a").uid()).isNotEqualTo(uid);
        assertThat(bench.node("node-a").ready()).isTrue();
    }

    @Test
    void aPodBoundToNowhereIsCollected() {
        PodOrder order = bench.bind(order(1).on("nowhere"));

        bench.pass(41);

        assertThat(bench.isGone(order)).isTrue();
        assertThat(bench.runs(order)).isEmpty();
    }

    @Test
    void aPodBoundToANodeLongSilentIsCollectedToo() {
        bench.cluster.faults().losePower("node-a");
        bench.pass(600);
        PodOrder order = bench.bind(order(1).on("node-a", 0));

        bench.pass(301);

        assertThat(bench.isGone(order)).isTrue();
        assertThat(bench.runs(order)).isEmpty();
    }

    @Test
    void aPodAdmittedBeforeThePowerWentStartsOnceAfterItIsBack() {
        PodOrder order = bench.bind(order(1));
        bench.clock.advance(Duration.ofMillis(500));
        bench.cluster.advance();
        bench.cluster.faults().losePower("node-a");
        bench.pass(10);
        assertThat(bench.runs(order)).isEmpty();

        bench.cluster.faults().returnNode("node-a");
        bench.pass(5);

        assertThat(bench.read(order).phase()).isEqualTo(Phase.RUNNING);
        assertThat(bench.runs(order)).hasSize(1);
    }
}
