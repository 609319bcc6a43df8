package dev.tutti.allocator;

import dev.tutti.testkit.scenario.Scenario;
import org.junit.jupiter.api.Test;

/** Wishes of single pod sets, and sets in segments. */
class SegmentScenariosTest {

    private static final String[] FLEET = {
        "n1 block=b1 rack=r1 gpus=8",
        "n2 block=b1 rack=r1 gpus=8",
        "n3 block=b1 rack=r1 gpus=8",
        "n4 block=b1 rack=r2 gpus=8",
        "n5 block=b1 rack=r2 gpus=8",
        "n6 block=b2 rack=r3 gpus=8",
        "n7 block=b2 rack=r3 gpus=8",
        "n8 block=b2 rack=r4 gpus=8",
    };

    @Test
    void eachSegmentIsWholeInOneDomain() {
        Scenario.of("two pods of every two share a rack; a rack of three nodes holds one such segment")
                .fleet(FLEET)
                .submit("train gpus=8 pods=4 segment=2@rack")
                .expect("train -> n1 n2 n4 n5");
        Scenario.of("three racks hold a segment, so four segments wait although eight nodes are free")
                .fleet(FLEET)
                .submit("train gpus=8 pods=8 segment=2@rack")
                .expect("train waits EXCEEDS_LIMIT gpuMilli 64000 of 48000");
        Scenario.of("it would fit without the segments")
                .fleet("n1 rack=a gpus=8", "n2 rack=a gpus=8 used=8", "n3 rack=b gpus=8", "n4 rack=b gpus=8")
                .submit("train gpus=8 pods=2 segment=2@rack", "more gpus=8 pods=1 segment=1@rack")
                .expect("train -> n3 n4", "more -> n1");
        Scenario.of("room is there, but not for whole segments")
                .fleet("n1 rack=a gpus=8", "n2 rack=a gpus=8 used=8", "n3 rack=b gpus=8", "n4 rack=b gpus=8 used=8")
                .submit("train gpus=8 pods=2 segment=2@rack")
                .expect("train waits TOPOLOGY gpuMilli 16000 of 0");
    }

    @Test
    void segmentsStandBesideTheWishOfTheSet() {
        Scenario.of("in one block, each two in one rack")
                .fleet(FLEET)
                .submit("train gpus=8 pods=4 own=block segment=2@rack")
                .expect("train -> n1 n2 n4 n5");
        Scenario.of("the smallest block that holds it")
                .fleet(FLEET)
                .submit("train gpus=4 pods=4 own=block segment=4@rack")
                .expect("train -> n6 n6 n7 n7");
        Scenario.of("segments within a node")
                .fleet(FLEET)
                .submit("train gpus=2 pods=8 own=rack segment=4@hostname")
                .expect("train -> n6 n6 n6 n6 n7 n7 n7 n7");
    }

    @Test
    void theFewestAndSmallestDomainsAreBroken() {
        Scenario.of("the rack that holds all segments, not the largest one")
                .fleet(
                        "a1 rack=a gpus=8",
                        "a2 rack=a gpus=8",
                        "a3 rack=a gpus=8",
                        "b1 rack=b gpus=8",
                        "b2 rack=b gpus=8",
                        "c1 rack=c gpus=8")
                .submit("train gpus=2 pods=8 segment=2@rack")
                .expect("train -> b1 b1 b1 b1 b2 b2 b2 b2");
        Scenario.of("the largest rack full, the rest where least is left over")
                .fleet(
                        "a1 rack=a gpus=8",
                        "a2 rack=a gpus=8",
                        "a3 rack=a gpus=8",
                        "b1 rack=b gpus=8",
                        "b2 rack=b gpus=8",
                        "c1 rack=c gpus=8")
                .submit("train gpus=4 pods=8 segment=2@rack")
                .expect("train -> a1 a1 a2 a2 a3 a3 c1 c1");
    }

    @Test
    void elasticGangsGrowByWholeSegments() {
        Scenario.of("seven GPUs are left: three segments of two")
                .fleet("n1 rack=a gpus=4", "n2 rack=b gpus=3")
                .submit("train gpus=1 pods=8 min=2 segment=2@rack")
                .expect("train -> n1 n1 n1 n1 n2 n2");
        Scenario.of("no more of them when a part would be over")
                .fleet("n1 rack=a gpus=5")
                .submit("train gpus=1 pods=8 min=2 segment=2@rack")
                .expect("train -> n1 n1 n1 n1");
    }

    @Test
    void aSetHasAWishOfItsOwn() {
        Scenario.of("the workers in one rack, the others anywhere")
                .fleet(
                        "n1 rack=a gpus=8",
                        "n2 rack=a gpus=8 used=4",
                        "n3 rack=b gpus=8 used=4",
                        "n4 rack=b gpus=8 used=4")
                .submit("train gpus=4 pods=3 own=rack + eval gpus=4 pods=2")
                .expect("train -> n1 n1 n2 n3 n4");
        Scenario.of("each set in one rack, the job in one block")
                .fleet(FLEET)
                .submit("train required=block gpus=8 pods=2 own=rack + eval gpus=8 pods=2 own=rack")
                .expect("train -> n4 n5 n1 n2");
        Scenario.of("a set's wish can keep the job waiting")
                .fleet("n1 rack=a gpus=8", "n2 rack=a gpus=8 used=8", "n3 rack=b gpus=8", "n4 rack=b gpus=8 used=8")
                .submit("train gpus=8 own=rack + eval gpus=4 pods=2 own=hostname + more gpus=8 pods=1")
                .expect("train waits WAITING_FOR_CAPACITY");
        Scenario.of("it fits, but not each set near")
                .fleet("n1 rack=a gpus=8 used=4", "n2 rack=b gpus=8 used=4", "n3 rack=b gpus=8 used=8")
                .submit("train + eval gpus=4 pods=2 own=rack")
                .expect("train waits TOPOLOGY gpuMilli 8000 of 4000");
        Scenario.of("what the only set wishes it wishes for the job")
                .fleet(FLEET)
                .submit("train gpus=8 pods=2 own=rack", "more gpus=8 pods=2 ownPreferred=rack")
                .expect("train -> n6 n7", "more -> n4 n5");
    }

    @Test
    void aSetPrefersANarrowDomainAndGivesWay() {
        Scenario.of("no rack is left for the second set, so it goes wider")
                .fleet("n1 rack=a gpus=8", "n2 rack=a gpus=8", "n3 rack=b gpus=8", "n4 rack=c gpus=8")
                .submit("train gpus=8 pods=2 ownPreferred=rack + eval gpus=8 pods=2 ownPreferred=rack")
                .expect("train -> n1 n2 n3 n4");
    }
}
