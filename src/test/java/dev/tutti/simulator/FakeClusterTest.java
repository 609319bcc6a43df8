package dev.tutti.simulator;

import static dev.tutti.simulator.TestOrders.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.PodOrder;
import dev.tutti.model.ClusterId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.fleet.PodSighting.Phase;
import dev.tutti.simulator.fleet.Fleets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What happens on the machines of the fake cluster, and what its API says of it. */
class FakeClusterTest {

    private final Bench bench = new Bench();

    @Test
    void aPodRunsForItsTimeAndEndsWithItsExitCode() {
        PodOrder good = bench.bind(order(1).runtime(100));
        PodOrder bad = bench.bind(order(2).on("node-b", 0).runtime(50).exit("3"));

        bench.pass(200);

        assertThat(bench.runs(good)).containsExactly("1.0 to 101.0");
        assertThat(bench.runs(bad)).containsExactly("1.0 to 51.0");
        assertThat(bench.read(good).exitCode()).isZero();
        assertThat(bench.read(bad).phase()).isEqualTo(Phase.FAILED);
        assertThat(bench.read(bad).exitCode()).isEqualTo(3);
    }

    @Test
    void anInstanceIsTakenOnlyAtAFreePositionThatItsGpuAllows() {
        PodOrder half = bench.bind(order(1).on("node-a", 0).cut("3g.40gb", 4, 4));
        PodOrder beside = bench.bind(order(2).on("node-a", 0).cut("1g.10gb", 3, 1));
        PodOrder over = bench.bind(order(3).on("node-a", 0).cut("1g.20gb", 6, 2));
        PodOrder nowhere = bench.bind(order(4).on("node-a", 1).cut("2g.20gb", 6, 2));
        PodOrder unknown = bench.bind(order(5).on("node-a", 1).cut("3g.20gb", 0, 4));
        PodOrder share = bench.bind(order(6).on("node-a", 0).share(100));
        PodOrder whole = bench.bind(order(7).on("node-a", 2));
        PodOrder late = bench.bind(order(8).on("node-a", 2).cut("1g.10gb", 0, 1));

        bench.pass(5);

        assertThat(bench.read(half).phase()).isEqualTo(Phase.RUNNING);
        assertThat(bench.read(beside).phase()).isEqualTo(Phase.RUNNING);
        assertThat(bench.read(whole).phase()).isEqualTo(Phase.RUNNING);
        for (PodOrder refused : List.of(over, nowhere, unknown, share, late)) {
            assertThat(bench.read(refused).phase()).as(refused.name()).isEqualTo(Phase.REJECTED);
        }
        assertThat(bench.read(over).reason())
                .isEqualTo("UnexpectedAdmissionError: device 0 is not free for 1g.20gb at 6");
        assertThat(bench.cluster.witness().overloadCount()).isZero();
    }

    @Test
    void twoOnOneUnitAreSeenByTheWitness() {
        PodOrder first = bench.bind(order(1).on("node-a", 0).cut("1g.10gb", 3, 1));
        bench.pass(5);
        bench.cluster.faults().forceDelete(first.name());
        bench.bind(order(2).on("node-a", 0).cut("4g.40gb", 0, 4));
        bench.pass(5);

        assertThat(bench.cluster.witness().overloads())
                .singleElement()
                .satisfies(overload -> assertThat(overload.podUids()).hasSize(2));
    }

    @Test
    void aJobOfUnknownLengthRunsForSixtySeconds() {
        PodOrder order = bench.bind(order(1).runtime(null));

        bench.pass(70);

        assertThat(bench.runs(order)).containsExactly("1.0 to 61.0");
    }

    @Test
    void oneLongStepGivesTheSameTimesAsManyShortOnes() {
        PodOrder order = bench.bind(order(1).runtime(100));

        bench.clock.advance(Duration.ofHours(1));
        bench.cluster.advance();

        assertThat(bench.runs(order)).containsExactly("1.0 to 101.0");
        assertThat(bench.told)
                .containsExactly("PENDING", "PENDING node-a", "RUNNING node-a", "SUCCEEDED node-a exit 0");
    }

    @Test
    void thousandsOfThingsDueAtOnceAllHappenInOneStep() {
        FakeCluster big = new FakeCluster(Fleets.named("nodes=20"), bench.clock, ClusterTimings.DEFAULT, "big", 10_000);
        List<String> nodes = new SimulatedGateway(new ClusterId(1), big)
                .nodes().stream().map(NodeSighting::name).toList();
        for (int i = 0; i < 2_000; i++) {
            big.faults().addForeignPod("theirs-" + i, nodes.get(i % nodes.size()), List.of(), Map.of());
        }

        bench.clock.advance(Duration.ofDays(366));
        big.advance();

        assertThat(big.witness().starts()).isEqualTo(2_000);
        assertThat(big.witness().running()).isEmpty();
    }

    @Test
    void timeThatGoesBackChangesNothing() {
        PodOrder order = bench.bind(order(1));

        bench.cluster.advanceTo(Bench.START.plusSeconds(10));
        bench.cluster.advanceTo(Bench.START.minusSeconds(1_000));
        bench.cluster.advance();

        assertThat(bench.runs(order)).containsExactly("1.0 to now");
    }

    @Test
    void theSameCallsGiveTheSameClusterToTheLastVersion() {
        assertThat(script(new Bench())).isEqualTo(script(new Bench())).hasSizeGreaterThan(20);
    }

    private static List<String> script(Bench bench) {
        List<String> versions = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            bench.bind(order(i).on(i % 2 == 0 ? "node-a" : "node-b", i % 8).runtime(10 * i));
        }
        bench.pass(15);
        bench.cluster.faults().losePower("node-a");
        bench.pass(30);
        bench.cluster.faults().returnNode("node-a");
        bench.pass(60);
        bench.gateway.pods().forEach(pod -> versions.add(pod.uid() + " " + pod.resourceVersion()));
        versions.addAll(bench.told);
        return versions;
    }

    @Test
    void aDeletedPodStopsIsReportedAndOnlyThenGoes() {
        PodOrder order = bench.run(order(1));
        bench.told.clear();

        bench.delete(order);
        bench.pass(5);

        assertThat(bench.told)
                .containsExactly(
                        "RUNNING node-a terminating",
                        "FAILED node-a terminating exit 143",
                        "FAILED node-a terminating exit 143 deleted");
        assertThat(bench.isGone(order)).isTrue();
    }

    @Test
    void theReportAndTheRemovalNeverComeInOneStep() {
        PodOrder order = bench.run(order(1));
        bench.delete(order);

        bench.clock.advance(Duration.ofHours(2));
        bench.cluster.advance();

        assertThat(bench.read(order).exitCode()).isEqualTo(143);
        bench.pass(1);
        assertThat(bench.isGone(order)).isTrue();
    }

    @Test
    void containersStopNoLaterThanTheirGrace() {
        PodOrder order = bench.run(order(1).grace(1));

        bench.delete(order);
        bench.pass(5);

        assertThat(bench.runs(order)).containsExactly("1.0 to 3.1");
    }

    @Test
    void aPodDeletedBeforeItsContainersStartNeverRuns() {
        PodOrder order = bench.bind(order(1));
        bench.clock.advance(Duration.ofMillis(500));
        bench.cluster.advance();

        bench.delete(order);
        bench.pass(5);

        assertThat(bench.runs(order)).isEmpty();
        assertThat(bench.told).contains("FAILED node-a terminating exit 137");
        assertThat(bench.isGone(order)).isTrue();
    }

    @Test
    void sharesOfADeviceAreAdmittedUpToTheWhole() {
        PodOrder half = bench.run(order(1).share(500));
        PodOrder otherHalf = bench.run(order(2).share(500));
        PodOrder tooMuch = bench.bind(order(3).share(1));

        bench.pass(2);

        assertThat(bench.read(half).phase()).isEqualTo(Phase.RUNNING);
        assertThat(bench.read(otherHalf).phase()).isEqualTo(Phase.RUNNING);
        assertThat(bench.read(tooMuch).phase()).isEqualTo(Phase.REJECTED);
        assertThat(bench.read(tooMuch).exitCode()).isNull();
        assertThat(bench.cluster.witness().overloads()).isEmpty();
    }

    @Test
    void aSickDeviceTakesNoNewPodAndKeepsTheOldOne() {
        PodOrder old = bench.run(order(1).on("node-a", 3));

        bench.cluster.faults().deviceHealth("node-a", 3, false);
        bench.delete(old);
        bench.pass(5);
        PodOrder young = bench.bind(order(2).on("node-a", 3));
        bench.pass(2);

        assertThat(bench.runs(old)).hasSize(1);
        assertThat(bench.read(young).reason()).contains("device 3");
        assertThat(bench.node("node-a").devices())
                .filteredOn(device -> !device.healthy())
                .extracting(NodeSighting.Device::index)
                .containsExactly(3);
    }

    @Test
    void aDeviceThatIsNotThereIsRefused() {
        PodOrder order = bench.bind(order(1).on("node-a", 8));

        bench.pass(2);

        assertThat(bench.read(order).phase()).isEqualTo(Phase.REJECTED);
    }

    @Test
    void anothersPodHoldsItsDevices() {
        bench.cluster.faults().addForeignPod("theirs", "node-a", List.of(0), Map.of());
        bench.pass(2);

        PodOrder order = bench.bind(order(1).on("node-a", 0));
        bench.pass(2);

        assertThat(bench.read(order).phase()).isEqualTo(Phase.REJECTED);
        assertThat(bench.gateway.pods()).extracting(PodSighting::name).containsExactly(order.name());
    }

    @Test
    void aPodWaitsForItsImage() {
        bench.cluster.faults().missImages("node-a", true);
        PodOrder order = bench.bind(order(1));
        bench.pass(100);
        assertThat(bench.read(order).phase()).isEqualTo(Phase.PENDING);

        bench.cluster.faults().missImages("node-a", false);

        assertThat(bench.read(order).phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void endedPodsAreKeptForAnHourUnlessDeleted() {
        PodOrder kept = bench.bind(order(1).on("node-a", 0).runtime(10));
        PodOrder deleted = bench.bind(order(2).on("node-a", 1).runtime(10));
        bench.pass(60);

        assertThat(bench.delete(deleted).deleted()).isTrue();
        assertThat(bench.isGone(deleted)).isTrue();
        bench.clock.advance(Duration.ofMinutes(58));
        bench.cluster.advance();
        assertThat(bench.isGone(kept)).isFalse();
        bench.clock.advance(Duration.ofMinutes(2));
        bench.cluster.advance();
        assertThat(bench.isGone(kept)).isTrue();
    }

    @Test
    void aNewPodOnTheDeviceOfOneRemovedByForceRunsBesideItAndTheWitnessSeesIt() {
        PodOrder old = bench.run(order(1).on("node-a", 0));
        bench.cluster.faults().forceDelete(old.name());

        PodOrder young = bench.bind(order(2).on("node-a", 0));
        bench.pass(5);

        assertThat(bench.read(young).phase()).isEqualTo(Phase.RUNNING);
        assertThat(bench.cluster.witness().overloads()).singleElement().satisfies(overload -> {
            assertThat(overload.device()).isZero();
            assertThat(overload.milli()).isEqualTo(2_000);
            assertThat(overload.podUids()).hasSize(2);
        });
    }

    @Test
    void aNewPodOnTheDeviceOfOneThatStillEndsIsRefused() {
        PodOrder old = bench.run(order(1).on("node-a", 0));
        bench.delete(old);

        PodOrder young = bench.bind(order(2).on("node-a", 0));
        bench.pass(1);

        assertThat(bench.read(young).phase()).isEqualTo(Phase.REJECTED);
        assertThat(bench.cluster.witness().overloads()).isEmpty();
    }

    @Test
    void theWitnessForgetsOldRunsBeyondItsMeasure() {
        Witness witness = new Witness(2);
        for (int i = 0; i < 5; i++) {
            Container container = new Container("uid-" + i, "pod-" + i, PodNeeds.of(order(i).make()), Bench.START);
            witness.started("node-a", container, Bench.START);
            witness.ended("node-a", container, Bench.START.plusSeconds(1));
        }

        assertThat(witness.runs()).extracting(Witness.Run::podUid).containsExactly("uid-3", "uid-4");
        assertThat(witness.starts()).isEqualTo(5);
        assertThat(witness.overloadCount()).isZero();
    }

    @Test
    void deletingAnEndedPodOnALostNodeNeedsNoKubelet() {
        PodOrder order = bench.bind(order(1).runtime(5));
        bench.pass(10);
        bench.cluster.faults().partition("node-a");

        assertThat(bench.gateway.delete(order.name(), bench.read(order).uid())).isInstanceOf(Outcome.Done.class);
        assertThat(bench.isGone(order)).isTrue();
    }

    @Test
    void faultsOnWhatIsNotThereAreTheCallersMistake() {
        assertThatThrownBy(() -> bench.cluster.faults().losePower("nowhere")).hasMessageContaining("nowhere");
        assertThatThrownBy(() -> bench.cluster.faults().forceDelete("nothing")).hasMessageContaining("nothing");
        assertThatThrownBy(() -> bench.cluster.faults().deviceHealth("node-a", 8, false))
                .hasMessageContaining("device 8");
    }
}
