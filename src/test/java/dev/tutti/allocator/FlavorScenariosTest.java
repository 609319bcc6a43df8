package dev.tutti.allocator;

import dev.tutti.testkit.scenario.Scenario;
import org.junit.jupiter.api.Test;

/** Which flavors a job that names none may run on, waits for, and is told about. */
class FlavorScenariosTest {

    private static final String[] MIXED = {
        "h1 gpus=8 flavor=h100 used=7",
        "h2 gpus=8 flavor=h100 used=1",
        "a1 gpus=4 flavor=a100",
        "a2 gpus=4 flavor=a100",
        "t1 gpus=2 flavor=t4",
        "c1 cpu=64000"
    };

    @Test
    void aHeadKeepsNobodyOffFlavorsThatItIsTooLargeFor() {
        Scenario.of("8 GPUs are on one node of h100 only")
                .fleet(MIXED)
                .queues("q strict")
                .submit(
                        "head gpus=8 queue=q",
                        "h gpus=1 flavors=h100 queue=q",
                        "a gpus=1 flavors=a100 queue=q",
                        "t gpus=1 flavors=t4 queue=q")
                .expect(
                        "head waits FRAGMENTED gpuMilli 8000 of 8000",
                        "h waits RESERVED_FOR_OTHER",
                        "a starts",
                        "t -> t1");
        Scenario.of("more CPU, memory, NICs or slots than nodes of the other flavor have")
                .fleet(
                        "h1 gpus=8 used=8 flavor=h100 cpu=9000 memory=9 nics=2",
                        "a1 gpus=8 flavor=a100 cpu=1000 memory=1")
                .queues("cpu strict", "memory strict", "nics strict", "mine strict")
                .submit(
                        "c gpus=1 cpu=9000 queue=cpu",
                        "c2 gpus=1 queue=cpu",
                        "m gpus=1 memory=9 queue=memory",
                        "m2 gpus=1 queue=memory",
                        "n gpus=1 rdma=1 queue=nics",
                        "n2 gpus=1 queue=nics")
                .expect("c waits", "m waits", "n waits", "c2 -> a1", "m2 -> a1", "n2 -> a1");
        Scenario.of("the nodes that its rules admit count, not others of their flavor")
                .fleet("h1 gpus=4 used=4 flavor=x labels=p:a", "a1 gpus=2 flavor=y labels=p:a", "a2 gpus=4 flavor=y")
                .queues("q strict")
                .submit("head gpus=4 select=p:a queue=q", "small gpus=1 flavors=y queue=q")
                .expect("head waits WAITING_FOR_CAPACITY gpuMilli 4000 of 0", "small starts");
    }

    @Test
    void whatIsFreeOfOtherFlavorsIsNoneOfTheJobsBusiness() {
        Scenario.of("nodes of 4 and 2 GPUs never hold a pod of 8")
                .fleet(
                        "h1 gpus=8 flavor=h100 used=8",
                        "h2 gpus=8 flavor=h100 used=8",
                        "a1 gpus=4 flavor=a100",
                        "a2 gpus=4 flavor=a100",
                        "t1 gpus=2 flavor=t4")
                .submit("a gpus=8")
                .expect("a waits WAITING_FOR_CAPACITY gpuMilli 8000 of 0");
    }

    @Test
    void quotaOfFlavorsThatAreTooSmallIsNoneOfTheJobsBusiness() {
        Scenario.of("no quota binds of T4, but its nodes have 2 GPUs")
                .fleet(MIXED)
                .queues("q quota=h100:4000,a100:0 borrows=h100:0,a100:0 used=h100:4000")
                .submit("a gpus=4 queue=q")
                .expect("a waits WAITING_FOR_QUOTA gpuMilli 4000 of 0");
        Scenario.of("nobody is told of the 3 T4s of the quota")
                .fleet(MIXED)
                .queues("q quota=h100:1000,a100:0,t4:3000 borrows=h100:0,a100:0,t4:0")
                .submit("a gpus=4 queue=q")
                .expect("a waits EXCEEDS_LIMIT gpuMilli 4000 of 1000");
    }

    @Test
    void aPodThatFitsNowhereIsLargerThanEveryNode() {
        Scenario.of("not: no flavor matches")
                .fleet(MIXED)
                .submit(
                        "all gpus=9",
                        "named gpus=8 flavors=a100,t4",
                        "some gpus=8 flavors=a100,h100",
                        "cpu cpu=200000",
                        "nics gpus=1 rdma=1")
                .expect(
                        "all waits EXCEEDS_LIMIT gpuMilli 9000 of 8000",
                        "named waits EXCEEDS_LIMIT gpuMilli 8000 of 4000",
                        "some waits FRAGMENTED gpuMilli 8000 of 8000",
                        "cpu waits EXCEEDS_LIMIT cpuMilli 200000 of 128000",
                        "nics waits EXCEEDS_LIMIT rdma 1 of 0");
    }
}
