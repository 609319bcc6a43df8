package dev.tutti.allocator;

import dev.tutti.testkit.scenario.Scenario;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GangScenariosTest {

    @Test
    void aGangStaysOnOneIslandWhenItCan() {
        Scenario.of("a gang stays on one island when it can")
                .fleet("n1 island=A gpus=8 used=6", "n2 island=A gpus=8", "n3 island=B gpus=8")
                .submit("train gpus=8 island=preferred", "eval gpus=2")
                .expect("train -> n2", "eval -> n1");
    }

    @Test
    @DisplayName("B26 packing does not take the only large hole")
    void b26() {
        String[] fleet = {"n1 gpus=2", "n2 gpus=1", "n3 gpus=1"};
        Scenario.of("small pods take small holes")
                .fleet(fleet)
                .submit("a gpus=1 pods=2", "b gpus=2")
                .expect("a -> n2 n3", "b -> n1");
        Scenario.of("kept together on demand")
                .fleet(fleet)
                .submit("a gpus=1 pods=2 preferred=hostname", "b gpus=2")
                .expect("a -> n1 n1", "b waits FRAGMENTED gpuMilli 2000 of 2000");
    }

    @Test
    void allOrNothing() {
        Scenario.of("a gang that does not fit whole takes nothing, and blocks nobody behind it")
                .fleet("n1 gpus=8 used=1", "n2 gpus=8")
                .submit("big gpus=8 pods=2", "small gpus=7", "other gpus=8")
                .expect("big waits WAITING_FOR_CAPACITY gpuMilli 16000 of 0", "small -> n1", "other -> n2");
    }

    @Test
    void severalPodSets() {
        Scenario.of("ranks go through the pod sets in order")
                .fleet("c1 cpu=8000", "n1 gpus=4", "n2 gpus=4")
                .submit("train gpus=4 pods=2 + ps pods=2 cpu=4000")
                .expect("train -> n1 n2 c1 c1");
        Scenario.of("no set starts without the others")
                .fleet("n1 gpus=4 cpu=1000", "n2 gpus=4 cpu=1000")
                .submit("train gpus=4 pods=2 + ps pods=1 cpu=4000")
                .expect("train waits EXCEEDS_LIMIT cpuMilli 4000 of 1000");
    }

    @Test
    void setsThatTakeEachOthersRoom() {
        Scenario.of("the wide set leaves the CPU that the other needs")
                .fleet("n1 gpus=2 cpu=10000", "n2 gpus=2 cpu=4000")
                .submit("train gpus=1 cpu=1000 pods=2 + prep gpus=1 cpu=5000 pods=1")
                .expect("train starts");
        Scenario.of("tight packing first finds no way, exact search does")
                .fleet("n1 gpus=2 cpu=3000", "n2 gpus=2 cpu=8000")
                .submit("a gpus=1 cpu=1000 pods=2 + b gpus=1 cpu=2000 pods=1 + c cpu=6000")
                .expect("a starts");
    }

    @Test
    void elasticGangs() {
        Scenario.of("as many as fit, at least the smallest start")
                .fleet("n1 gpus=4", "n2 gpus=4 used=1")
                .submit("train gpus=1 pods=16 min=2")
                .expect("train -> n1 n1 n1 n1 n2 n2 n2");
        Scenario.of("quota bounds the extras")
                .fleet("n1 gpus=8")
                .queues("team quota=gpu:5000")
                .submit("train gpus=2 pods=4 min=1 queue=team")
                .expect("train -> n1 n1");
        Scenario.of("fewer than the smallest start is no start")
                .fleet("n1 gpus=4")
                .submit("train gpus=1 pods=16 min=5")
                .expect("train waits EXCEEDS_LIMIT gpuMilli 5000 of 4000");
        Scenario.of("when not all fit in a required rack, the rack that holds most is taken")
                .fleet("n1 rack=a gpus=2", "n2 rack=b gpus=4", "n3 rack=c gpus=3")
                .submit("train gpus=1 pods=8 min=2 required=rack")
                .expect("train -> n2 n2 n2 n2");
        Scenario.of("within what is required more pods count for more than one node")
                .fleet("n1 rack=a gpus=2", "n2 rack=b gpus=4", "n3 rack=b gpus=4", "n4 rack=b gpus=4")
                .submit("train gpus=4 pods=8 min=1 required=rack")
                .expect("train -> n2 n3 n4");
    }

    @Test
    void orderOfConsideration() {
        Scenario.of("lane, then priority, then age")
                .fleet("n1 gpus=1", "n2 gpus=1", "n3 gpus=1")
                .submit(
                        "old gpus=1",
                        "young gpus=1",
                        "strong gpus=1 priority=5",
                        "red gpus=1 lane=red priority=9",
                        "green gpus=1 lane=green priority=-9")
                .expect(
                        "green -> n1",
                        "strong -> n2",
                        "old -> n3",
                        "young waits WAITING_FOR_CAPACITY gpuMilli 1000 of 0",
                        "red waits WAITING_FOR_CAPACITY gpuMilli 1000 of 0");
    }

    @Test
    void flavorsInOrderOfWish() {
        String[] fleet = {"n1 gpus=8 flavor=a100", "n2 gpus=8 flavor=h100 used=4", "n3 gpus=8 flavor=l40"};
        Scenario.of("the first wish first, even where another is tighter")
                .fleet(fleet)
                .submit("one gpus=2 flavors=a100,h100", "two gpus=6 flavors=h100,a100", "three gpus=8 flavors=h100,l40")
                .expect("one -> n1", "two -> n1", "three -> n3");
        Scenario.of("any flavor: the tightest of all")
                .fleet(fleet)
                .submit("one gpus=4")
                .expect("one -> n2");
        Scenario.of("one flavor for a pod set")
                .fleet(fleet)
                .submit("one gpus=4 pods=4")
                .expect("one waits EXCEEDS_LIMIT gpuMilli 16000 of 8000");
        Scenario.of("each pod set its own flavor")
                .fleet(fleet)
                .submit("one gpus=8 flavors=a100 + two gpus=4 flavors=l40,h100")
                .expect("one -> n1 n3");
    }

    @Test
    void clustersAreNeverMixed() {
        Scenario.of("a gang stays in one cluster")
                .fleet("n1 cluster=east gpus=4", "n2 cluster=west gpus=4", "n3 cluster=west gpus=4")
                .submit("train gpus=4 pods=2")
                .expect("train -> n2 n3");
        Scenario.of("two halves in two clusters are no whole")
                .fleet("n1 cluster=east gpus=4", "n2 cluster=west gpus=4")
                .submit("train gpus=4 pods=2")
                .expect("train waits EXCEEDS_LIMIT gpuMilli 8000 of 4000");
    }

    @Test
    void closedNodesGetNothing() {
        Scenario.of("a closed node is full, yet it counts for what could ever run")
                .fleet("n1 gpus=8 closed", "n2 gpus=8")
                .submit("train gpus=8 pods=2", "eval gpus=8")
                .expect("train waits WAITING_FOR_CAPACITY gpuMilli 16000 of 0", "eval -> n2");
    }
}
