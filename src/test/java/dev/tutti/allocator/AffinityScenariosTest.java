package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.testkit.scenario.Invariants;
import dev.tutti.testkit.scenario.Scenario;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pod sets of one job that must be together, or apart. */
class AffinityScenariosTest {

    @Test
    void setsTogetherShareADomain() {
        Scenario.of("only the second rack holds both")
                .fleet("n1 rack=r1 gpus=2", "n2 rack=r2 gpus=2", "n3 rack=r2 gpus=0 cpu=64", "n4 rack=r3 gpus=0 cpu=64")
                .submit("train gpus=2 + ps cpu=8 together=train@rack")
                .expect("train -> n2 n3");
    }

    @Test
    void allPodsOfBothSetsShareIt() {
        Scenario.of("three racks hold two pods each, one holds four")
                .fleet(
                        "n1 rack=r1 gpus=2",
                        "n2 rack=r2 gpus=2",
                        "n3 rack=r3 gpus=2",
                        "n4 rack=r4 gpus=2",
                        "n5 rack=r4 gpus=2")
                .submit("a gpus=1 pods=2 together=b@rack + b gpus=1 pods=2 + c gpus=1 pods=4")
                .expect("a -> n4 n4 n5 n5 n1 n1 n2 n2");
    }

    @Test
    void setsApartShareNone() {
        Scenario.of("one node would hold all")
                .fleet("n1 gpus=8", "n2 gpus=8")
                .submit("a gpus=1 pods=2 + b gpus=1 pods=2 apart=a@hostname")
                .expect("a -> n1 n1 n2 n2");
    }

    @Test
    void setsApartByRack() {
        Scenario.of("the first set takes a rack, the second finds another")
                .fleet("n1 rack=r1 gpus=2", "n2 rack=r1 gpus=2", "n3 rack=r2 gpus=2")
                .submit("a gpus=2 pods=2 + b gpus=1 pods=2 apart=a@rack")
                .expect("a -> n1 n2 n3 n3");
    }

    @Test
    void bondsOfThreeSets() {
        Scenario.of("a and b in one rack, c in the same block but on other nodes")
                .fleet(
                        "n1 block=b1 rack=r1 gpus=2",
                        "n2 block=b2 rack=r2 gpus=2",
                        "n3 block=b2 rack=r3 gpus=2",
                        "n4 block=b2 rack=r3 gpus=1")
                .submit("a gpus=2 together=b@rack + b gpus=1 together=c@block + c gpus=1 apart=a@rack")
                .expect("a -> n3 n4 n2");
    }

    @Test
    void moreOfAnElasticGangStaysWhereItIs() {
        Scenario.of("the minimum starts in one rack; what is added goes there too")
                .fleet("n1 rack=r1 gpus=3", "n2 rack=r2 gpus=3", "n3 rack=r3 gpus=1")
                .submit("a gpus=1 pods=8 min=2 together=b@rack + b gpus=1 pods=1")
                .expect("a -> n1 n1 n1");
        Scenario.of("what is added keeps apart")
                .fleet("n1 gpus=3", "n2 gpus=1")
                .submit("a gpus=1 pods=8 min=2 apart=b@hostname + b gpus=1 pods=1")
                .expect("a -> n1 n1 n1 n2");
    }

    @Test
    void whyItWaits() {
        Scenario.of("free only in different racks now, never in one, and too little")
                .fleet("n1 rack=r1 gpus=4 used=2", "n2 rack=r2 gpus=4 used=2")
                .submit(
                        "now gpus=2 + b gpus=2 together=now@rack",
                        "never gpus=4 + b gpus=4 together=never@rack",
                        "little gpus=4 + b gpus=4 apart=little@rack")
                .expect(
                        "now waits TOPOLOGY",
                        "never waits EXCEEDS_LIMIT",
                        "little waits WAITING_FOR_CAPACITY gpuMilli 8000 of 4000");
    }

    @Test
    void whatCannotBeApartNeverStarts() {
        Scenario.of("apart, but all on one node")
                .fleet("n1 gpus=4", "n2 gpus=4")
                .submit("a gpus=1 required=hostname + b gpus=1 apart=a@hostname")
                .expect("a waits EXCEEDS_LIMIT");
    }

    /** Far too many pods to try every way. */
    @Test
    void largeGangsFindTheirWayAmongHalfFullRacks() {
        List<TestNode> nodes = IntStream.range(0, 640)
                .mapToObj(n -> {
                    int rack = n / 16;
                    String used = rack % 8 == 7 ? "" : " used=" + (2 + (n * 7) % 5);
                    return TestNode.of("n" + n + " block=b" + rack / 8 + " rack=r" + rack + " gpus=8" + used);
                })
                .toList();
        TestQueues queues = new TestQueues();
        WaitingJob job = TestJobs.of(
                "train gpus=1 pods=100 together=ps@rack + ps gpus=1 pods=20 + eval gpus=1 pods=300 apart=train@rack"
                        + " + spare gpus=4 pods=8 apart=eval@hostname",
                0,
                queues);

        Plan plan = Invariants.check(new GangAllocator(), TestFleet.snapshot(nodes, queues.shares()), List.of(job));

        assertThat(plan.placements())
                .singleElement()
                .satisfies(placement -> assertThat(placement.members()).hasSize(428));
    }
}
