package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.life.Reason;
import dev.tutti.testkit.scenario.Scenario;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A gang stays in one zone until it asks, and is near below that where it costs nothing. */
class DataCentreScenariosTest {

    private static final String[] TWO_ZONES = {
        "a1 zone=a gpus=8", "a2 zone=a gpus=8", "b1 zone=b gpus=8", "b2 zone=b gpus=8", "b3 zone=b gpus=8",
    };

    @Test
    void noWishIsOneZone() {
        Scenario.of("the smallest zone that holds it, although the crumbs are elsewhere")
                .fleet(TWO_ZONES)
                .submit("train gpus=8 pods=2", "more gpus=4 pods=5", "rest gpus=1 pods=9")
                .expect("train -> a1 a2", "more -> b1 b1 b2 b2 b3", "rest waits WAITING_FOR_CAPACITY");
        Scenario.of("not even where each zone has too little")
                .fleet("a1 zone=a gpus=8", "a2 zone=a gpus=8 used=8", "b1 zone=b gpus=8", "b2 zone=b gpus=8 used=8")
                .submit("train gpus=4 pods=3")
                .expect("train waits TOPOLOGY gpuMilli 12000 of 8000");
        Scenario.of("a preferred level does not ask")
                .fleet("a1 zone=a rack=r gpus=8", "b1 zone=b rack=r gpus=8")
                .submit("train gpus=8 pods=2 preferred=rack")
                .expect("train waits EXCEEDS_LIMIT gpuMilli 16000 of 8000");
        Scenario.of("a single pod is in one zone wherever it goes")
                .fleet(TWO_ZONES)
                .submit("train gpus=8")
                .expect("train starts");
    }

    @Test
    void requiringAWiderLevelIsAsking() {
        Scenario.of("the job asks")
                .fleet(TWO_ZONES)
                .submit("train gpus=8 pods=5 required=cluster")
                .expect("train -> a1 a2 b1 b2 b3");
        Scenario.of("its only set asks")
                .fleet(TWO_ZONES)
                .submit("train gpus=8 pods=4 own=cluster")
                .expect("train starts");
        Scenario.of("one set asks, for itself: the other stays in one zone")
                .fleet(TWO_ZONES)
                .submit("train gpus=8 pods=3 + bulk gpus=8 pods=2 own=cluster")
                .expect("train -> b1 b2 b3 a1 a2");
        Scenario.of("one set asks, for itself: the other finds no zone")
                .fleet(TWO_ZONES)
                .submit("train gpus=8 pods=4 + bulk gpus=8 own=cluster")
                .expect("train waits EXCEEDS_LIMIT");
        Scenario.of("but never two clusters")
                .fleet("n1 cluster=east gpus=8", "n2 cluster=west gpus=8")
                .submit("train gpus=8 pods=2 required=cluster")
                .expect("train waits EXCEEDS_LIMIT gpuMilli 16000 of 8000");
    }

    @Test
    void theReasonNamesTheWordToAskWith() {
        assertThat(reason("train gpus=8 pods=4", TWO_ZONES).detail())
                .contains("one zone", "topology.required: cluster", "32 GPUs needed, room for 24 GPUs");
        assertThat(reason("train gpus=4 pods=3", "a1 zone=a gpus=8", "a2 zone=a gpus=8 used=8", "b1 zone=b gpus=8")
                        .detail())
                .contains("not within one zone", "topology.required: cluster");
        assertThat(reason("train gpus=8 pods=4 required=zone", TWO_ZONES).detail())
                .as("a job that requires the zone knows")
                .doesNotContain("topology.required");
        assertThat(reason("train gpus=8 pods=6", TWO_ZONES).detail())
                .as("asking would not help")
                .doesNotContain("topology.required");
    }

    @Test
    void missingLabelsKeepNobodyApart() {
        Scenario.of("nodes without a zone are in one")
                .fleet("n1 gpus=8", "n2 gpus=8", "z1 zone=a gpus=8")
                .submit("train gpus=8 pods=2", "more gpus=8 pods=2")
                .expect("train -> n1 n2", "more waits WAITING_FOR_CAPACITY");
        Scenario.of("racks are known although zones and blocks are not")
                .fleet("n1 rack=r1 gpus=8", "n2 rack=r1 gpus=8", "n3 rack=r2 gpus=8", "z1 zone=a block=b gpus=8")
                .submit("train gpus=8 pods=2 required=rack", "more gpus=8 pods=3 required=block")
                .expect("train -> n1 n2", "more waits EXCEEDS_LIMIT gpuMilli 24000 of 16000");
        Scenario.of("nodes of one rack are in one block, whatever its name")
                .fleet("n1 rack=r1 gpus=8", "n2 rack=r1 gpus=8", "n3 block=b gpus=8")
                .submit("train gpus=8 pods=2 required=block")
                .expect("train -> n1 n2");
    }

    @Test
    void wholeNodesAreNearForNothing() {
        Scenario.of("the rack that holds it")
                .fleet(
                        "n1 rack=a gpus=8",
                        "n2 rack=b gpus=8",
                        "n3 rack=b gpus=8",
                        "n4 rack=c gpus=8",
                        "n5 rack=c gpus=8",
                        "n6 rack=c gpus=8")
                .submit("train gpus=8 pods=2")
                .expect("train -> n2 n3");
        Scenario.of("else the fewest racks")
                .fleet("n1 rack=a gpus=8", "n2 rack=b gpus=8", "n3 rack=b gpus=8", "n4 rack=c gpus=8")
                .submit("train gpus=8 pods=3")
                .expect("train -> n1 n2 n3");
        Scenario.of("but parts of nodes go where they fit tightest")
                .fleet("n1 rack=a gpus=8 used=7", "n2 rack=b gpus=8 used=7", "n3 rack=c gpus=8", "n4 rack=c gpus=8")
                .submit("eval gpus=1 pods=2")
                .expect("eval -> n1 n2");
    }

    private static Reason reason(String job, String... fleet) {
        TestQueues queues = new TestQueues();
        List<TestNode> nodes = Stream.of(fleet).map(TestNode::of).toList();
        Snapshot snapshot = TestFleet.snapshot(nodes, queues.shares());
        Plan plan = new GangAllocator().decide(snapshot, List.of(TestJobs.of(job, 0, queues)), TestJobs.NOW_MICROS);
        return plan.waits().get(0).reason();
    }
}
