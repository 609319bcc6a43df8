package dev.tutti.simulator.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.PodOrder;
import dev.tutti.model.AllocationId;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.simulator.ClusterTimings;
import dev.tutti.simulator.FakeCluster;
import dev.tutti.simulator.SimulatedGateway;
import dev.tutti.simulator.VirtualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Each kind of bad weather does what it says, and is counted. */
class FaultyGatewayTest {

    private final FakeCluster cluster = new FakeCluster(
            List.of(), new VirtualClock(Instant.parse("2026-01-01T00:00:00Z")), ClusterTimings.DEFAULT, "weather", 10);
    private final SimulatedGateway fair = new SimulatedGateway(new ClusterId(1), cluster);
    private final List<String> told = new ArrayList<>();

    @Test
    void aLostRequestDoesNothing() {
        Weather weather = only(FaultKind.REQUEST_LOST);

        assertThat(new FaultyGateway(fair, weather).create(order(1))).isInstanceOf(Outcome.Unknown.class);

        assertThat(fair.pods()).isEmpty();
        assertThat(weather.counts()).containsEntry(FaultKind.REQUEST_LOST, 1L);
    }

    @Test
    void aLostReplyDoesItAllTheSame() {
        assertThat(new FaultyGateway(fair, only(FaultKind.REPLY_LOST)).create(order(1)))
                .isInstanceOf(Outcome.Unknown.class);

        assertThat(fair.pods()).hasSize(1);
    }

    @Test
    void aLateRequestArrivesInALaterStepAndOnce() {
        Weather weather = only(FaultKind.REQUEST_LATE);

        assertThat(new FaultyGateway(fair, weather).create(order(1))).isInstanceOf(Outcome.Unknown.class);

        assertThat(fair.pods()).isEmpty();
        weather.step();
        assertThat(fair.pods()).hasSize(1);
        String version = fair.pods().get(0).resourceVersion();
        weather.step();
        assertThat(fair.pods().get(0).resourceVersion()).isEqualTo(version);
    }

    @Test
    void aBusyClusterAsksToWait() {
        assertThat(new FaultyGateway(fair, only(FaultKind.BUSY)).create(order(1)))
                .isInstanceOf(Outcome.Busy.class);

        assertThat(fair.pods()).isEmpty();
    }

    @Test
    void anUnreachableListThrowsSo() {
        FaultyGateway gateway = new FaultyGateway(fair, only(FaultKind.LIST_UNREACHABLE));

        assertThatThrownBy(gateway::pods).isInstanceOf(ClusterGateway.Unreachable.class);
        assertThatThrownBy(gateway::nodes).isInstanceOf(ClusterGateway.Unreachable.class);
    }

    @Test
    void anOldListSaysWhatWasOnceTrue() {
        FaultyGateway gateway = new FaultyGateway(fair, only(FaultKind.LIST_OLD));
        assertThat(gateway.pods()).isEmpty();

        fair.create(order(1));

        assertThat(gateway.pods()).isEmpty();
        assertThat(fair.pods()).hasSize(1);
    }

    @Test
    void aLateEventComesAfterYoungerOnes() {
        Weather weather = only(FaultKind.EVENT_LATE);
        watch(weather);
        fair.create(order(1));
        weather.become(FaultRates.NONE);
        fair.touch(order(1).name(), 1);
        assertThat(told).containsExactly("2");

        weather.step();

        assertThat(told).containsExactly("2", "1");
    }

    @Test
    void aRepeatedEventComesAgain() {
        Weather weather = only(FaultKind.EVENT_REPEATED);
        watch(weather);
        fair.create(order(1));

        weather.step();
        weather.step();

        assertThat(told).containsExactly("1", "1");
    }

    @Test
    void aLostEventIsFollowedByAGap() {
        Weather weather = only(FaultKind.EVENT_LOST);
        watch(weather);
        fair.create(order(1));
        assertThat(told).isEmpty();

        weather.clear();

        assertThat(told).containsExactly("gap");
    }

    @Test
    void theSameSeedGivesTheSameFaults() {
        assertThat(outcomes(5)).isEqualTo(outcomes(5)).isNotEqualTo(outcomes(6));
    }

    private static List<String> outcomes(long seed) {
        FakeCluster cluster =
                new FakeCluster(List.of(), new VirtualClock(Instant.EPOCH), ClusterTimings.DEFAULT, "weather", 10);
        FaultyGateway gateway = new FaultyGateway(
                new SimulatedGateway(new ClusterId(1), cluster), new Weather(seed, FaultRates.all(200, 10)));
        List<String> outcomes = new ArrayList<>();
        for (int i = 1; i < 100; i++) {
            outcomes.add(gateway.create(order(i)).getClass().getSimpleName());
        }
        return outcomes;
    }

    private static Weather only(FaultKind kind) {
        return new Weather(1, FaultRates.only(kind, 1_000, 1));
    }

    private void watch(Weather weather) {
        new FaultyGateway(fair, weather).watch(new ClusterGateway.Inbox() {
            @Override
            public void pod(PodSighting pod) {
                told.add(pod.resourceVersion());
            }

            @Override
            public void node(NodeSighting node) {
                told.add(node.name());
            }

            @Override
            public void gap() {
                told.add("gap");
            }
        });
    }

    private static PodOrder order(int number) {
        JobId job = new JobId(new UUID(0, number));
        return new PodOrder(
                PodName.of(job, 1, 0),
                new AllocationId(number),
                job,
                "job",
                1,
                0,
                "worker",
                1,
                "node-a",
                0,
                0,
                List.of(),
                null,
                1,
                1,
                NodeRules.NONE,
                30,
                null,
                new PodTemplate("image:1", List.of(), List.of(), Map.of()),
                List.of());
    }
}
