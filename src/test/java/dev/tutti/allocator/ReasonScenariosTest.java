package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.QueueId;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.testkit.scenario.Scenario;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReasonScenariosTest {

    @Test
    void misconfigured() {
        Scenario.of("an unknown level or queue stops nobody else")
                .fleet("n1 rack=a gpus=1")
                .submit("a gpus=1 required=row", "b gpus=1 preferred=aisle", "c gpus=1 queue=gone", "d gpus=1")
                .expect("a waits MISCONFIGURED", "b waits MISCONFIGURED", "c waits MISCONFIGURED", "d -> n1");
    }

    @Test
    void noMatchingFlavor() {
        Scenario.of("no node of this flavor, or only nodes without GPUs")
                .fleet("n1 gpus=8 flavor=h100", "c1 flavor=cpu")
                .submit(
                        "a gpus=1 flavors=b200",
                        "b gpus=1 flavors=cpu",
                        "c flavors=b200,cpu",
                        "d gpus=1 flavors=b200,h100")
                .expect("a waits NO_MATCHING_FLAVOR", "b waits NO_MATCHING_FLAVOR", "c -> c1", "d -> n1");
        Scenario.of("an empty fleet")
                .submit("a gpus=1", "b")
                .expect("a waits NO_MATCHING_FLAVOR", "b waits NO_MATCHING_FLAVOR");
    }

    @Test
    void exceedsLimit() {
        Scenario.of("larger than the fleet could ever hold, one pod or all")
                .fleet("n1 gpus=8 used=8 cpu=64000 memory=1000", "n2 gpus=8 closed cpu=32000 memory=1000")
                .submit(
                        "pod gpus=16",
                        "cpu gpus=8 cpu=65000",
                        "memory gpus=8 memory=1001",
                        "gang gpus=8 pods=3",
                        "cpus cpu=40000 pods=2",
                        "pods pods=221")
                .expect(
                        "pod waits EXCEEDS_LIMIT gpuMilli 16000 of 8000",
                        "cpu waits EXCEEDS_LIMIT cpuMilli 65000 of 64000",
                        "memory waits EXCEEDS_LIMIT memoryMib 1001 of 1000",
                        "gang waits EXCEEDS_LIMIT gpuMilli 24000 of 16000",
                        "cpus waits EXCEEDS_LIMIT cpuMilli 80000 of 40000",
                        "pods waits EXCEEDS_LIMIT pods 221 of 220");
        Scenario.of("larger than the whole quota, of its queue or of one above")
                .fleet("n1 gpus=8 flavor=a", "n2 gpus=8 flavor=b")
                .queues("top quota=a:8000,b:4000", "top/leaf quota=a:2000 borrows=a:0")
                .submit(
                        "one gpus=3 flavors=a queue=top/leaf",
                        "two gpus=5 queue=top/leaf",
                        "fits gpus=4 queue=top/leaf")
                .expect(
                        "one waits EXCEEDS_LIMIT gpuMilli 3000 of 2000",
                        "two waits EXCEEDS_LIMIT gpuMilli 5000 of 4000",
                        "fits -> n2");
    }

    @Test
    void queueHeld() {
        Scenario.of("held, itself or above")
                .fleet("n1 gpus=8")
                .queues("a held", "a/b", "c")
                .submit("one gpus=1 queue=a/b", "large gpus=9 queue=a/b", "other gpus=1 queue=c")
                .expect("one waits QUEUE_HELD", "large waits EXCEEDS_LIMIT gpuMilli 9000 of 8000", "other -> n1");
    }

    @Test
    void waitingForQuota() {
        Scenario.of("exact, on the leaf and on all queues above, per flavor")
                .fleet("n1 gpus=8 flavor=a", "n2 gpus=8 flavor=b")
                .queues("top quota=a:6000 used=a:1000", "top/x quota=a:4000 borrows=a:0", "top/y used=a:1000")
                .submit(
                        "one gpus=3 flavors=a queue=top/x",
                        "two gpus=2 flavors=a queue=top/x",
                        "three gpus=3 flavors=a queue=top/y",
                        "four gpus=2 flavors=a queue=top/y",
                        "five gpus=1 flavors=a,b queue=top/y",
                        "cpu cpu=1 queue=top/y")
                .expect(
                        "one -> n1",
                        "two waits WAITING_FOR_QUOTA gpuMilli 2000 of 0",
                        "three waits WAITING_FOR_QUOTA gpuMilli 3000 of 0",
                        "four -> n1",
                        "five -> n2",
                        "cpu starts");
    }

    @Test
    void quotasOfCpuAndMemoryCountToo() {
        Scenario.of("each resource for itself, by the flavor of the node")
                .fleet("n1 gpus=8 cpu=64000 memory=1000", "c1 cpu=64000 memory=1000 flavor=cpu")
                .queues("q cpu=gpu:8000,cpu:3000 memory=gpu:500", "other cpu=gpu:1000")
                .submit(
                        "one gpus=1 cpu=4000 flavors=gpu queue=q",
                        "two gpus=1 cpu=6000 flavors=gpu queue=q",
                        "large gpus=1 memory=501 flavors=gpu queue=q",
                        "wide gpus=1 cpu=1000 pods=3 min=1 flavors=gpu queue=q",
                        "free cpu=3000 flavors=cpu queue=q",
                        "more cpu=1 flavors=cpu queue=q",
                        "red gpus=1 cpu=9000 lane=red flavors=gpu queue=q")
                .expect(
                        "one -> n1",
                        "two waits WAITING_FOR_QUOTA cpuMilli 6000 of 2000",
                        "large waits EXCEEDS_LIMIT memoryMib 501 of 500",
                        "wide -> n1 n1 n1",
                        "free -> c1",
                        "more waits WAITING_FOR_QUOTA cpuMilli 1 of 0",
                        "red -> n1");
    }

    @Test
    void quotaInDebtLeavesNothing() {
        Scenario.of("more in use than the quota allows")
                .fleet("n1 gpus=8")
                .queues("q quota=gpu:2000 used=gpu:5000")
                .submit("one gpus=1 queue=q")
                .expect("one waits WAITING_FOR_QUOTA gpuMilli 1000 of 0");
    }

    @Test
    void waitingForCapacityNamesTheResource() {
        Scenario.of("less is free than wanted")
                .fleet("n1 gpus=8 used=6 cpu=8000 cpuUsed=6000", "n2 gpus=8 used=6 cpu=8000 cpuUsed=6000")
                .submit("gpus gpus=5", "cpu gpus=1 pods=3 cpu=2000", "memory memory=1048576 pods=2 cpu=1000 min=2")
                .expect(
                        "gpus waits WAITING_FOR_CAPACITY gpuMilli 5000 of 4000",
                        "cpu waits WAITING_FOR_CAPACITY cpuMilli 6000 of 2000",
                        "memory starts");
    }

    @Test
    void fragmented() {
        Scenario.of("enough is free in crumbs")
                .fleet("n1 gpus=8 used=6", "n2 gpus=8 used=6")
                .submit("a gpus=4", "b gpus=3 pods=1")
                .expect("a waits FRAGMENTED gpuMilli 4000 of 4000", "b waits FRAGMENTED gpuMilli 3000 of 4000");
    }

    @Test
    void backingOff() {
        Scenario.of("what keeps it without the back-off comes first")
                .fleet("n1 gpus=8")
                .queues("h held")
                .submit(
                        "a gpus=1 backoff=30",
                        "b gpus=9 backoff=30",
                        "c gpus=1 backoff=30 queue=h",
                        "d gpus=1 backoff=0")
                .expect(
                        "a waits BACKING_OFF",
                        "b waits EXCEEDS_LIMIT gpuMilli 9000 of 8000",
                        "c waits QUEUE_HELD",
                        "d -> n1");
    }

    @Test
    void aVerdictIsToldWhenItsCodeChanges() {
        Scenario.of("the same code again is not told")
                .fleet("n1 gpus=8 used=7")
                .submit("a gpus=2 verdict=WAITING_FOR_CAPACITY", "b gpus=2 verdict=FRAGMENTED", "c gpus=2")
                .expect(
                        "a waits",
                        "b waits WAITING_FOR_CAPACITY gpuMilli 2000 of 1000",
                        "c waits WAITING_FOR_CAPACITY gpuMilli 2000 of 1000");
    }

    @Test
    void feasibilityIgnoresWhatIsHeld() {
        Snapshot snapshot = TestFleet.snapshot(
                List.of(TestNode.of("n1 gpus=8 used=8 closed"), TestNode.of("n2 gpus=8 sick=8")),
                new TestQueues().shares());
        Feasibility feasibility = Feasibility.of(snapshot);
        QueueId queue = new TestQueues().id("default");

        assertThat(feasibility.whyNever(
                        queue,
                        Lane.YELLOW,
                        TestJobs.of("a gpus=8 pods=2", 0, new TestQueues()).podSets(),
                        TopologyWish.NONE))
                .isEmpty();
        assertThat(feasibility.whyNever(
                        queue,
                        Lane.YELLOW,
                        TestJobs.of("a gpus=8 pods=3", 0, new TestQueues()).podSets(),
                        TopologyWish.NONE))
                .hasValueSatisfying(reason -> {
                    assertThat(reason.code()).isEqualTo(dev.tutti.model.life.ReasonCode.EXCEEDS_LIMIT);
                    assertThat(reason.wanted()).isEqualTo(24_000);
                    assertThat(reason.available()).isEqualTo(16_000);
                    assertThat(reason.detail())
                            .isEqualTo(
                                    "It is larger than all that one flavor of this fleet could ever hold, and all pods of"
                                            + " a set run on one flavor: 24 GPUs needed, room for 16 GPUs.");
                });
    }

    @Test
    void whatFitsButNeverSoNearSaysThatItsWishesAreWhatIsTooMuch() {
        TestQueues queues = new TestQueues();
        Snapshot snapshot = TestFleet.snapshot(
                Stream.of("n1 gpus=4 rack=a", "n2 gpus=4 rack=b")
                        .map(TestNode::of)
                        .toList(),
                queues.shares());
        for (String job : List.of("a gpus=4 pods=2 required=rack", "a gpus=1 pods=6 segment=6@rack")) {
            WaitingJob waiting = TestJobs.of(job, 0, queues);
            assertThat(Feasibility.of(snapshot)
                            .whyNever(waiting.queue(), waiting.lane(), waiting.podSets(), waiting.topology()))
                    .as(job)
                    .hasValueSatisfying(reason -> assertThat(reason.detail())
                            .startsWith(
                                    "It would fit into this fleet if it were empty, but never as near together as its"
                                            + " topology requires"));
        }
    }
}
