package dev.tutti.allocator;

import dev.tutti.testkit.scenario.Scenario;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whose turn it is: by lane, between queues by fair share, inside a queue by priority and age. */
class TurnScenariosTest {

    @Test
    void aQueueThatHasNotWhatItWasPromisedComesFirst() {
        Scenario.of("the borrower is older, the owner comes first")
                .fleet("n1 gpus=8 used=5")
                .queues("a quota=gpu:4000 used=gpu:4000", "b quota=gpu:4000 used=gpu:1000")
                .submit("older gpus=2 queue=a", "owner gpus=3 queue=b")
                .expect("owner -> n1", "older waits WAITING_FOR_QUOTA gpuMilli 2000 of 0");
    }

    @Test
    void surplusIsDividedByWeight() {
        Scenario.of("of six free GPUs the queue of weight 2 gets four")
                .fleet("n1 gpus=6")
                .queues("owner quota=gpu:6000", "a quota=gpu:0 weight=2", "b quota=gpu:0")
                .submit(
                        "b1 gpus=1 queue=b",
                        "b2 gpus=1 queue=b",
                        "b3 gpus=1 queue=b",
                        "b4 gpus=1 queue=b",
                        "a1 gpus=1 queue=a",
                        "a2 gpus=1 queue=a",
                        "a3 gpus=1 queue=a",
                        "a4 gpus=1 queue=a",
                        "a5 gpus=1 queue=a")
                .expect(
                        "b1 -> n1",
                        "b2 -> n1",
                        "b3 waits",
                        "b4 waits",
                        "a1 -> n1",
                        "a2 -> n1",
                        "a3 -> n1",
                        "a4 -> n1",
                        "a5 waits");
    }

    @Test
    void sharesAreComparedLevelByLevel() {
        Scenario.of("two teams of one department count as one beside a department of one team")
                .fleet("n1 gpus=4")
                .queues("all quota=gpu:4000", "all/x", "all/x/one", "all/x/two", "all/y")
                .submit(
                        "x1 gpus=1 queue=all/x/one",
                        "x2 gpus=1 queue=all/x/two",
                        "x3 gpus=1 queue=all/x/one",
                        "y1 gpus=1 queue=all/y",
                        "y2 gpus=1 queue=all/y",
                        "y3 gpus=1 queue=all/y")
                .expect("x1 -> n1", "x2 -> n1", "x3 waits", "y1 -> n1", "y2 -> n1", "y3 waits");
    }

    @Test
    void theLaneComesBeforeTheShareAndThePriorityStaysInItsQueue() {
        Scenario.of("green first though its queue holds more; a priority counts in its own queue alone")
                .fleet("n1 gpus=8 used=4")
                .queues("a quota=gpu:6000 used=gpu:4000", "b quota=gpu:2000")
                .submit(
                        "strong gpus=1 queue=a priority=9",
                        "weak gpus=1 queue=a",
                        "green gpus=2 queue=a lane=green",
                        "other gpus=2 queue=b")
                .expect("green -> n1", "other -> n1", "strong waits", "weak waits");
    }

    @Test
    void redJobsShareWhatIsIdle() {
        Scenario.of("one after the other, whatever their age")
                .fleet("n1 gpus=4")
                .queues("a quota=gpu:2000", "b")
                .submit(
                        "a1 gpus=1 queue=a lane=red",
                        "a2 gpus=1 queue=a lane=red",
                        "a3 gpus=1 queue=a lane=red",
                        "b1 gpus=1 queue=b lane=red",
                        "b2 gpus=1 queue=b lane=red")
                .expect("a1 -> n1", "a2 -> n1", "a3 waits", "b1 -> n1", "b2 -> n1");
    }

    @Test
    @DisplayName("B19 A small job of low priority does not slip in front of a large one of high priority")
    void aSmallJobDoesNotSlipInFront() {
        Scenario.of("J1 has ended; of those that wait the strongest starts")
                .fleet("n1 gpus=8")
                .queues("q strict quota=gpu:8000")
                .submit("J2 gpus=1 pods=8 queue=q", "J3 gpus=1 queue=q", "J4 gpus=1 pods=8 queue=q priority=5")
                .expect("J4 starts", "J2 waits WAITING_FOR_QUOTA", "J3 waits WAITING_FOR_QUOTA");
        Scenario.of("so it is where the queue is not strict")
                .fleet("n1 gpus=8")
                .queues("q quota=gpu:8000")
                .submit("J2 gpus=1 pods=8 queue=q", "J3 gpus=1 queue=q", "J4 gpus=1 pods=8 queue=q priority=5")
                .expect("J4 starts", "J2 waits WAITING_FOR_QUOTA", "J3 waits WAITING_FOR_QUOTA");
        Scenario.of("one GPU comes free: it is not for the small one behind the large one")
                .fleet("n1 gpus=8 used=7")
                .queues("q strict")
                .submit("J2 gpus=1 pods=8 queue=q", "J3 gpus=1 queue=q")
                .expect("J2 waits WAITING_FOR_CAPACITY", "J3 waits RESERVED_FOR_OTHER");
        Scenario.of("J4 has ended: J2 is the next, J3 the last")
                .fleet("n1 gpus=8")
                .queues("q strict quota=gpu:8000")
                .submit("J2 gpus=1 pods=8 queue=q", "J3 gpus=1 queue=q")
                .expect("J2 starts", "J3 waits WAITING_FOR_QUOTA");
    }

    @Test
    @DisplayName("B21 The head waits for one GPU type and does not block jobs for another")
    void theHeadBlocksOnlyWhatItWaitsFor() {
        Scenario.of("J2 runs; J3 does not pass J1; J4 takes what J1 cannot use, after J2")
                .fleet("n1 gpus=8 used=7 flavor=h100", "n2 gpus=8 flavor=a100")
                .queues("q strict")
                .submit(
                        "J1 gpus=8 flavors=h100 queue=q",
                        "J2 gpus=8 flavors=a100 queue=q",
                        "J3 gpus=1 flavors=h100 queue=q",
                        "J4 gpus=2 queue=q")
                .expect(
                        "J1 waits WAITING_FOR_CAPACITY gpuMilli 8000 of 1000",
                        "J2 -> n2",
                        "J3 waits RESERVED_FOR_OTHER",
                        "J4 waits WAITING_FOR_CAPACITY");
        Scenario.of("with a100 to spare J4 starts there, though J1 waits for h100")
                .fleet("n1 gpus=8 used=2 flavor=h100", "n2 gpus=8 flavor=a100", "n3 gpus=2 flavor=a100")
                .queues("q strict")
                .submit("J1 gpus=8 flavors=h100 queue=q", "J2 gpus=8 flavors=a100 queue=q", "J4 gpus=2 queue=q")
                .expect("J1 waits WAITING_FOR_CAPACITY", "J2 -> n2", "J4 -> n3");
        Scenario.of("where the queue is not strict J3 passes")
                .fleet("n1 gpus=8 used=7 flavor=h100", "n2 gpus=8 flavor=a100")
                .queues("q")
                .submit("J1 gpus=8 flavors=h100 queue=q", "J3 gpus=1 flavors=h100 queue=q")
                .expect("J1 waits WAITING_FOR_CAPACITY", "J3 -> n1");
    }

    @Test
    void aJobWithoutGpusWaitsForCpu() {
        Scenario.of("a small job does not take the CPU that the large one before it waits for")
                .fleet("c1 cpu=64000 cpuUsed=60000 flavor=cpu", "n1 gpus=8 cpu=8000 flavor=h100")
                .queues("q strict")
                .submit(
                        "large cpu=60000 flavors=cpu queue=q",
                        "small cpu=3000 flavors=cpu queue=q",
                        "gpu gpus=1 cpu=1000 flavors=h100 queue=q")
                .expect(
                        "large waits WAITING_FOR_CAPACITY cpuMilli 60000 of 4000",
                        "small waits RESERVED_FOR_OTHER",
                        "gpu -> n1");
    }

    @Test
    void aJobThatCanNeverStartKeepsNobodyBack() {
        Scenario.of("larger than the queue may ever hold, at its head")
                .fleet("n1 gpus=8")
                .queues("q strict quota=gpu:4000")
                .submit("never gpus=5 queue=q", "small gpus=1 queue=q")
                .expect("never waits EXCEEDS_LIMIT", "small -> n1");
    }

    @Test
    void aStrictQueueKeepsBackNobodyElse() {
        Scenario.of("other queues take what is free")
                .fleet("n1 gpus=8 used=4")
                .queues("q strict", "other")
                .submit("large gpus=8 queue=q", "cpu cpu=1 queue=q", "small gpus=1 queue=other")
                .expect("large waits WAITING_FOR_CAPACITY", "cpu starts", "small -> n1");
    }
}
