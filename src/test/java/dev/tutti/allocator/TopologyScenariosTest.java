package dev.tutti.allocator;

import dev.tutti.testkit.scenario.Scenario;
import org.junit.jupiter.api.Test;

class TopologyScenariosTest {

    private static final String[] FLEET = {
        "n1 zone=z block=b1 rack=r1 gpus=8",
        "n2 zone=z block=b1 rack=r1 gpus=8",
        "n3 zone=z block=b1 rack=r2 gpus=8",
        "n4 zone=z block=b2 rack=r3 gpus=8",
        "n5 zone=z block=b2 rack=r3 gpus=8",
        "n6 zone=z block=b2 rack=r3 gpus=8",
    };

    @Test
    void requiredTakesTheSmallestDomain() {
        Scenario.of("the rack that holds it with least left over")
                .fleet(FLEET)
                .submit("train gpus=8 pods=2 required=rack")
                .expect("train -> n1 n2");
        Scenario.of("a narrower domain than the one required is smaller still")
                .fleet(FLEET)
                .submit("train gpus=4 pods=2 required=block", "rest gpus=8 pods=3 required=block")
                .expect("train -> n3 n3", "rest -> n4 n5 n6");
        Scenario.of("more than a rack goes into the block that holds it")
                .fleet(FLEET)
                .submit("train gpus=8 pods=3 required=block")
                .expect("train -> n4 n5 n6");
    }

    @Test
    void requiredIsKept() {
        Scenario.of("it fits, but not in one rack now")
                .fleet("n1 rack=a gpus=8", "n2 rack=a gpus=8 used=8", "n3 rack=b gpus=8", "n4 rack=b gpus=8 used=8")
                .submit("train gpus=8 pods=2 required=rack")
                .expect("train waits TOPOLOGY gpuMilli 16000 of 8000");
        Scenario.of("it could never be in one rack")
                .fleet("n1 rack=a gpus=8", "n2 rack=b gpus=8")
                .submit("train gpus=8 pods=2 required=rack")
                .expect("train waits EXCEEDS_LIMIT gpuMilli 16000 of 8000");
        Scenario.of("all on one node")
                .fleet("n1 gpus=8 used=6", "n2 gpus=8 used=5", "n3 gpus=8 used=3")
                .submit("train gpus=1 pods=3 required=hostname", "more gpus=1 pods=6 required=hostname")
                .expect("train -> n2 n2 n2", "more waits TOPOLOGY gpuMilli 6000 of 5000");
    }

    @Test
    void preferredGivesWay() {
        Scenario.of("the level wished for, where some domain of it holds the gang")
                .fleet(FLEET)
                .submit("train gpus=8 pods=3 preferred=rack")
                .expect("train -> n4 n5 n6");
        Scenario.of("else the next wider one, and there the fewest racks")
                .fleet(
                        "n1 block=b rack=r1 gpus=8",
                        "n2 block=b rack=r2 gpus=8",
                        "n3 block=b rack=r2 gpus=8",
                        "n4 block=c rack=r3 gpus=8")
                .submit("train gpus=8 pods=3 preferred=rack")
                .expect("train -> n1 n2 n3");
        Scenario.of("else anywhere in one cluster")
                .fleet("n1 block=b rack=r1 gpus=8", "n2 block=c rack=r2 gpus=8", "n3 block=d rack=r3 gpus=8")
                .submit("train gpus=8 pods=3 preferred=rack")
                .expect("train -> n1 n2 n3");
        Scenario.of("but never beyond what is required")
                .fleet("n1 block=b rack=r1 gpus=8", "n2 block=c rack=r2 gpus=8", "n3 block=c rack=r3 gpus=8 used=1")
                .submit("train gpus=8 pods=2 preferred=rack required=block")
                .expect("train waits TOPOLOGY gpuMilli 16000 of 8000");
    }

    @Test
    void ranksFollowTheNetwork() {
        Scenario.of("neighbours in rank stand in one rack")
                .fleet("n1 rack=a gpus=2", "n2 rack=b gpus=2", "n3 rack=a gpus=2", "n4 rack=b gpus=2")
                .submit("train gpus=1 pods=8")
                .expect("train -> n1 n1 n3 n3 n2 n2 n4 n4");
    }

    @Test
    void aNodeWithoutALabelIsADomainOfItsOwn() {
        Scenario.of("two nodes without a rack are not in one rack")
                .fleet("n1 gpus=8", "n2 gpus=8", "n3 rack=a gpus=8", "n4 rack=a gpus=8")
                .submit(
                        "train gpus=8 pods=2 required=rack",
                        "more gpus=8 pods=2 required=rack",
                        "one gpus=8 required=rack")
                .expect("train -> n3 n4", "more waits WAITING_FOR_CAPACITY gpuMilli 16000 of 8000", "one -> n1");
    }

    @Test
    void racksOfOneNameInTwoBlocksAreTwo() {
        Scenario.of("r1 in b1 is not r1 in b2")
                .fleet("n1 block=b1 rack=r1 gpus=8", "n2 block=b2 rack=r1 gpus=8")
                .submit("train gpus=8 pods=2 required=rack")
                .expect("train waits EXCEEDS_LIMIT gpuMilli 16000 of 8000");
    }

    @Test
    void oneDomainOfAllFlavorsOfAJob() {
        Scenario.of("both sets in one rack, each on its flavor")
                .fleet(
                        "a1 rack=a gpus=8 flavor=h100",
                        "a2 rack=a gpus=8 flavor=l40 used=8",
                        "b1 rack=b gpus=8 flavor=h100",
                        "b2 rack=b gpus=8 flavor=l40")
                .submit("train required=rack gpus=8 flavors=h100 + eval gpus=8 flavors=l40")
                .expect("train -> b1 b2");
    }
}
