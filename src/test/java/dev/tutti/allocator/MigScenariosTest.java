package dev.tutti.allocator;

import dev.tutti.testkit.scenario.Scenario;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** MIG instances are a matter of positions. Field case B30, and what one pool of whole, shared and cut GPUs must keep. */
class MigScenariosTest {

    @Test
    @DisplayName("B30 (1) four 1g.10gb and three 1g.5gb need 11 units of a GPU that has 8: refused, nothing created")
    void moreUnitsThanAGpuHas() {
        Scenario.of("seven compute slices, but eleven memory units")
                .fleet("n1 gpus=1 mig=a100-40gb")
                .submit("big mig=1g.10gb pods=4 + small mig=1g.5gb pods=3")
                .expect("big waits EXCEEDS_LIMIT mig 7 of 4");
        Scenario.of("one by one: the fourth double instance takes the last units")
                .fleet("n1 gpus=1 mig=a100-40gb")
                .submit("big mig=1g.10gb pods=4", "small mig=1g.5gb pods=3")
                .expect("big -> n1:0@6 n1:0@4 n1:0@0 n1:0@2", "small waits WAITING_FOR_CAPACITY gpuMilli 375 of 0");
    }

    @Test
    @DisplayName("B30 (2) 3g.20gb and 4g.20gb fit on one GPU in both orders: the 3g goes to 4")
    void threeAndFour() {
        Scenario.of("3g first")
                .fleet("n1 gpus=1 mig=a100-40gb")
                .submit("three mig=3g.20gb", "four mig=4g.20gb")
                .expect("three -> n1:0@4", "four -> n1:0@0");
        Scenario.of("4g first")
                .fleet("n1 gpus=1 mig=a100-40gb")
                .submit("four mig=4g.20gb", "three mig=3g.20gb")
                .expect("four -> n1:0@0", "three -> n1:0@4");
        Scenario.of("as one gang, the 3g set first")
                .fleet("n1 gpus=1 mig=a100-40gb")
                .submit("both mig=3g.20gb + four mig=4g.20gb")
                .expect("both -> n1:0@4 n1:0@0");
    }

    @Test
    @DisplayName(
            "B30 (3) 1g.5gb at 0, 1 and 5: 3g.20gb waits as fragmented, not as not enough; 2g.10gb goes to start 2")
    void leftoversInTheWrongPlaces() {
        Scenario.of("five units are free, but no four of them where a 3g may begin")
                .fleet("n1 gpus=1 mig=a100-40gb cut=1g.5gb@0/1g.5gb@1/1g.5gb@5")
                .submit("three mig=3g.20gb")
                .expect("three waits FRAGMENTED mig 1 of 0");
        Scenario.of("a 2g has one position left")
                .fleet("n1 gpus=1 mig=a100-40gb cut=1g.5gb@0/1g.5gb@1/1g.5gb@5")
                .submit("two mig=2g.10gb")
                .expect("two -> n1:0@2");
        Scenario.of("less than half is free")
                .fleet("n1 gpus=1 mig=a100-40gb cut=4g.20gb@0/1g.5gb@5")
                .submit("three mig=3g.20gb")
                .expect("three waits WAITING_FOR_CAPACITY gpuMilli 500 of 375");
    }

    @Test
    @DisplayName("B30 (3) new 1g requests take the positions that keep the largest hole")
    void smallOnesKeepTheLargestHole() {
        Scenario.of("on an empty GPU they leave the first half to 3g and 4g")
                .fleet("n1 gpus=1 mig=a100-40gb")
                .submit("a mig=1g.5gb", "b mig=1g.5gb", "c mig=1g.5gb", "four mig=4g.20gb")
                .expect("a -> n1:0@6", "b -> n1:0@4", "c -> n1:0@5", "four -> n1:0@0");
        Scenario.of("the broken half is used up first")
                .fleet("n1 gpus=1 mig=a100-40gb cut=1g.5gb@1")
                .submit("a mig=1g.5gb", "b mig=1g.5gb", "three mig=3g.20gb")
                .expect("a -> n1:0@0", "b -> n1:0@2", "three -> n1:0@4");
    }

    @Test
    void theSameNameIsAnotherSizeOnAnotherGpu() {
        Scenario.of("1g.10gb is two units of a GPU with 40 GB: four fit; one unit of one with 80 GB: seven fit")
                .fleet("n1 gpus=1 flavor=small mig=a100-40gb", "n2 gpus=1 flavor=large mig=a100-80gb")
                .submit(
                        "four mig=1g.10gb pods=4 flavors=small",
                        "one mig=1g.10gb flavors=small",
                        "seven mig=1g.10gb pods=7 flavors=large",
                        "eighth mig=1g.10gb flavors=large")
                .expect(
                        "four -> n1:0@6 n1:0@4 n1:0@0 n1:0@2",
                        "one waits WAITING_FOR_CAPACITY gpuMilli 250 of 0",
                        "seven starts",
                        "eighth waits FRAGMENTED mig 1 of 0");
    }

    @Test
    void quotaCountsWhatTheInstanceIsOnItsFlavor() {
        Scenario.of("250 milli-GPU on the one flavor, 125 on the other")
                .queues("q quota=small:499,large:250")
                .fleet("n1 gpus=2 flavor=small mig=a100-40gb", "n2 gpus=2 flavor=large mig=a100-80gb")
                .submit(
                        "a mig=1g.10gb flavors=small queue=q",
                        "b mig=1g.10gb flavors=small queue=q",
                        "c mig=1g.10gb pods=2 flavors=large queue=q",
                        "d mig=1g.10gb flavors=large queue=q")
                .expect(
                        "a starts",
                        "b waits WAITING_FOR_QUOTA gpuMilli 250 of 249",
                        "c starts",
                        "d waits WAITING_FOR_QUOTA gpuMilli 125 of 0");
    }

    @Test
    void aGpuServesOneModeAtATime() {
        Scenario.of("a share, an instance and a whole pod take three GPUs; nothing is left for a second whole one")
                .fleet("n1 gpus=3 mig=h100-80gb")
                .submit(
                        "share share=500",
                        "slice mig=1g.10gb",
                        "whole gpus=1",
                        "more gpus=1",
                        "other mig=3g.40gb",
                        "half share=500")
                .expect(
                        "share -> n1",
                        "slice -> n1:1@6",
                        "whole -> n1",
                        "more waits WAITING_FOR_CAPACITY gpuMilli 1000 of 375",
                        "other -> n1:1@0",
                        "half -> n1");
        Scenario.of("shares do not go to a GPU that is cut, instances not to one that is shared")
                .fleet("n1 gpus=2 mig=h100-80gb shares=100 cut=1g.10gb@6")
                .submit("share share=950", "slice mig=7g.80gb")
                .expect("share waits FRAGMENTED gpuMilli 950 of 1775", "slice waits FRAGMENTED mig 1 of 0");
    }

    @Test
    void whatIsCutAlreadyIsUsedBeforeAWholeGpuIsBroken() {
        Scenario.of("across nodes and GPUs")
                .fleet(
                        "n1 gpus=2 mig=h100-80gb",
                        "n2 gpus=2 mig=h100-80gb cut=1g.10gb@6",
                        "n3 gpus=2 mig=h100-80gb used=1")
                .submit("a mig=3g.40gb", "b mig=1g.10gb pods=2", "c mig=2g.20gb")
                .expect("a -> n2:0@0", "b -> n2:0@4 n2:0@5", "c starts");
    }

    @Test
    void aProfileNobodyHas() {
        Scenario.of("a fleet without GPUs that can be cut, and one of the wrong memory")
                .fleet("n1 gpus=8 flavor=l40s", "n2 gpus=8 flavor=a100 mig=a100-40gb")
                .submit(
                        "a mig=3g.40gb",
                        "b mig=3g.20gb flavors=l40s",
                        "c mig=3g.20gb pods=17",
                        "d mig=3g.20gb cpu=200000")
                .expect(
                        "a waits NO_MATCHING_FLAVOR",
                        "b waits NO_MATCHING_FLAVOR",
                        "c waits EXCEEDS_LIMIT mig 17 of 16",
                        "d waits EXCEEDS_LIMIT cpuMilli 200000 of 128000");
    }

    @Test
    void aGangOfInstancesIsWholeOrNothingAndNear() {
        Scenario.of("four halves in one rack")
                .fleet(
                        "n1 rack=r1 gpus=1 mig=h100-80gb",
                        "n2 rack=r2 gpus=1 mig=h100-80gb",
                        "n3 rack=r2 gpus=1 mig=h100-80gb")
                .submit("gang mig=3g.40gb pods=4 required=rack", "five mig=3g.40gb pods=3 required=hostname")
                .expect("gang -> n2:0@4 n2:0@0 n3:0@4 n3:0@0", "five waits EXCEEDS_LIMIT");
    }

    @Test
    void aSickGpuGivesNoInstance() {
        Scenario.of("sick, or on a closed node")
                .fleet("n1 gpus=1 mig=h100-80gb sick=1", "n2 gpus=1 mig=h100-80gb closed cut=1g.10gb@0")
                .submit("a mig=1g.10gb")
                .expect("a waits WAITING_FOR_CAPACITY gpuMilli 125 of 0");
    }
}
