package dev.tutti.allocator;

import dev.tutti.testkit.scenario.Scenario;
import org.junit.jupiter.api.Test;

/** RDMA NICs are given like GPUs: all of one resource, beside the pod's GPUs where that costs nothing else. */
class NicScenariosTest {

    @Test
    void aPodGetsTheNicBesideItsGpu() {
        Scenario.of("one PCIe root for each GPU and its NIC")
                .fleet("n1 gpus=4 used=1 places=1,1,1,1 nics=1@0,1@1,1@2,1@3 nicsUsed=1,0,1,0")
                .submit("one gpus=1 rdma=1", "next gpus=1 rdma=1")
                .expect("one -> n1:3+hca@3", "next -> n1:1+hca@1");
        Scenario.of("a share too")
                .fleet("n1 gpus=2 places=1,1 nics=1@1")
                .submit("part share=500 rdma=1")
                .expect("part -> n1:1+hca@1");
        Scenario.of("two GPUs of one root share its two NICs")
                .fleet("n1 gpus=4 places=2,2 nics=2@0,2@1 nicsUsed=1,0")
                .submit("two gpus=2 rdma=2")
                .expect("two -> n1:2,3+hca@1+hca@1");
    }

    @Test
    void islandsComeBeforeNics() {
        Scenario.of("NVLink is faster than a NIC is near")
                .fleet("n1 gpus=4 islands=2,2 places=1,1,1,1 nics=1@0,1@2 nicsUsed=0,0")
                .submit("two gpus=2 rdma=2")
                .expect("two -> n1:0,1+hca@0+hca@2");
    }

    @Test
    void whoNeedsNoNicLeavesPairsToOthers() {
        Scenario.of("the GPU without a NIC first")
                .fleet("n1 gpus=2 places=1,1 nics=1@0")
                .submit("plain gpus=1", "fast gpus=1 rdma=1")
                .expect("plain -> n1:1", "fast -> n1:0+hca@0");
        Scenario.of("the same for shares")
                .fleet("n1 gpus=2 places=1,1 nics=1@0")
                .submit("plain share=300", "fast gpus=1 rdma=1")
                .expect("plain -> n1:1", "fast -> n1:0+hca@0");
        Scenario.of("but never at the price of another whole GPU")
                .fleet("n1 gpus=2 places=1,1 nics=1@0 shares=500")
                .submit("plain share=300")
                .expect("plain -> n1:0");
    }

    @Test
    void allNicsOfAPodAreOfOneResource() {
        Scenario.of("one of each is not two of one")
                .fleet("n1 gpus=1 nics=1,ib:1")
                .submit("two gpus=1 rdma=2")
                .expect("two waits EXCEEDS_LIMIT rdma 2 of 1");
        Scenario.of("a named resource")
                .fleet("n1 gpus=1 nics=2", "n2 gpus=1 nics=ib:1")
                .submit("ib gpus=1 rdma=ib:1")
                .expect("ib -> n2:0+ib");
        Scenario.of("the resource that fewer are left of, to keep the larger stock")
                .fleet("n1 gpus=1 nics=3,ib:1")
                .submit("any gpus=1 rdma=1")
                .expect("any -> n1:0+ib");
    }

    @Test
    void aSetThatMayUseAnyResourceLeavesTheNamedOneToAnother() {
        Scenario.of("only one way of two holds both sets")
                .fleet("n1 gpus=2 places=1,1 nics=ib:1@0,roce:1@1")
                .submit("a gpus=1 rdma=1 + b rdma=ib:1", "c gpus=1 rdma=1")
                .expect("a -> n1:1+roce@1 n1:+ib@0", "c waits WAITING_FOR_CAPACITY rdma 1 of 0");
    }

    @Test
    void podsWithoutGpusMayHaveNics() {
        Scenario.of("a parameter server")
                .fleet("n1 nics=2", "n2 gpus=1")
                .submit("server pods=2 cpu=1 rdma=1")
                .expect("server -> n1:+hca n1:+hca");
    }

    @Test
    void aMigInstanceMayHaveANic() {
        Scenario.of("beside the GPU that is cut")
                .fleet("n1 gpus=2 mig=a100-40gb places=1,1 nics=1@0,1@1 cut=1g.5gb@0")
                .submit("small mig=1g.5gb rdma=1")
                .expect("small -> n1:0@1");
    }

    @Test
    void aMigInstanceGetsTheNicBesideItsGpu() {
        Scenario.of("of GPUs that are equal otherwise")
                .fleet("n1 gpus=3 mig=a100-40gb places=1,1,1 nics=1@1")
                .submit("small mig=1g.5gb rdma=1")
                .expect("small -> n1:1@6");
        Scenario.of("cut alike")
                .fleet("n1 gpus=2 mig=a100-40gb places=1,1 nics=1@1 cut=1g.5gb@0")
                .submit("a mig=3g.20gb", "b mig=7g.40gb rdma=1")
                .expect("a -> n1:0@4", "b -> n1:1@0");
        Scenario.of("but no whole GPU is broken to be near")
                .fleet("n1 gpus=2 mig=a100-40gb places=1,1 nics=1@1 cut=1g.5gb@0")
                .submit("small mig=1g.5gb rdma=1")
                .expect("small -> n1:0@1");
        Scenario.of("who needs none leaves it")
                .fleet("n1 gpus=2 mig=a100-40gb places=1,1 nics=1@0")
                .submit("plain mig=1g.5gb", "fast gpus=1 rdma=1")
                .expect("plain -> n1:1@6", "fast -> n1:0+hca@0");
    }

    @Test
    void whyItWaits() {
        Scenario.of("held now")
                .fleet("n1 gpus=8 nics=2 nicsUsed=2")
                .submit("fast gpus=1 rdma=1")
                .expect("fast waits WAITING_FOR_CAPACITY rdma 1 of 0");
        Scenario.of("enough in all, but on no one node")
                .fleet("n1 gpus=8 nics=2 nicsUsed=1", "n2 gpus=8 nics=2 nicsUsed=1")
                .submit("fast gpus=1 rdma=2")
                .expect("fast waits FRAGMENTED rdma 2 of 2");
        Scenario.of("no node has so many")
                .fleet("n1 gpus=8 nics=2", "n2 gpus=8 nics=2")
                .submit("fast gpus=1 rdma=3")
                .expect("fast waits EXCEEDS_LIMIT rdma 3 of 2");
        Scenario.of("another resource")
                .fleet("n1 gpus=8 nics=2")
                .submit("fast gpus=1 rdma=ib:1")
                .expect("fast waits EXCEEDS_LIMIT rdma 1 of 0");
    }

    @Test
    void aGangIsAsLargeAsItsNics() {
        Scenario.of("elastic: as many as there are NICs for")
                .fleet("n1 gpus=8 nics=3")
                .submit("gang gpus=1 pods=8 min=2 rdma=1")
                .expect("gang -> n1:0+hca n1:1+hca n1:2+hca");
    }
}
