package dev.tutti.allocator.evict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.LanesNow;
import dev.tutti.model.job.Lane;
import dev.tutti.testkit.scenario.AllocatorStage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who gives way to whom, decision after decision. */
class GivingWayTest {

    @Test
    @DisplayName("B12 A victim that straddles its queue's promise is taken once, and does not come back for another")
    void reclaimEndsWhenTheQueueHasNoMoreThanItWasPromised() {
        AllocatorStage stage = AllocatorStage.of(
                        List.of("n1 gpus=8"), List.of("qa quota=gpu:3000", "qb quota=gpu:5000"))
                .running("p1 gpus=4 queue=qa", "p2 gpus=1 queue=qb")
                .submit("p3 gpus=4 queue=qb");

        assertThat(stage.decide()).containsExactly("p1 RECLAIMED for p3", "p3 waits WAITING_FOR_VICTIMS 4000 of 0");
        stage.leave();
        assertThat(stage.decide()).containsExactly("p3 starts", "p1 waits WAITING_FOR_QUOTA 4000 of 3000");
        assertThat(stage.decide()).isEmpty();
        assertThat(stage.decide()).isEmpty();
        assertThat(stage.runningNow()).containsExactly("p2", "p3");
        assertThat(stage.evictions()).hasSize(1);
    }

    @Test
    @DisplayName("B12 A victim that its owner submits anew at once does not come back either")
    void aVictimSubmittedAnewDoesNotComeBack() {
        AllocatorStage stage = AllocatorStage.of(
                        List.of("n1 gpus=8"), List.of("qa quota=gpu:3000", "qb quota=gpu:5000"))
                .running("p1 gpus=4 queue=qa", "p2 gpus=1 queue=qb")
                .submit("p3 gpus=4 queue=qb");
        assertThat(stage.decide()).contains("p1 RECLAIMED for p3");
        stage.submit("anew gpus=4 queue=qa");
        assertThat(stage.decide()).containsExactly("anew waits WAITING_FOR_QUOTA 4000 of 3000");
        stage.leave();
        stage.cancel("p1");

        assertThat(stage.decide()).contains("p3 starts");
        assertThat(stage.settle(3)).noneMatch(line -> line.contains(" for ") || line.contains("starts"));
        assertThat(stage.runningNow()).containsExactly("p2", "p3");
        assertThat(stage.evictions()).hasSize(1);
    }

    @Test
    @DisplayName("B12 Where nodes are missing nobody is taken from who holds no more than its promise")
    void aFleetThatIsTooSmallForAllPromisesStartsNoRoundOfEvictions() {
        AllocatorStage stage = AllocatorStage.of(
                        List.of("n1 gpus=6"), List.of("qa quota=gpu:4000", "qb quota=gpu:4000"))
                .running("a gpus=4 queue=qa", "b gpus=2 queue=qb")
                .submit("c gpus=2 queue=qb");

        assertThat(stage.settle(5)).containsExactly("c waits WAITING_FOR_CAPACITY 2000 of 0");
        assertThat(stage.evictions()).isEmpty();
    }

    @Test
    void whatIsKeptForAWaitingJobMakesNobodyOfItsQueueAVictim() {
        AllocatorStage stage = AllocatorStage.of(
                        List.of("n1 gpus=8"), List.of("a quota=gpu:4000", "b quota=gpu:4000", "c quota=gpu:4000"))
                .running("own gpus=3 queue=a", "red gpus=4 queue=c lane=red", "green gpus=1 queue=c lane=green")
                .submit("wish gpus=4 queue=a priority=9");
        assertThat(stage.decide()).contains("red RECLAIMED for wish");
        stage.submit("owner gpus=1 queue=b");

        stage.decide();
        assertThat(stage.decide()).isEmpty();
        assertThat(stage.evictions()).as("a holds 3 of its 4").containsExactly("red RECLAIMED for wish");
    }

    @Test
    void nobodyMoreIsAskedForAJobWhileSomeAreLeavingForIt() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=2"), List.of())
                .running("one gpus=1", "two gpus=1")
                .submit("asks gpus=1 priority=5");
        assertThat(stage.decide()).contains("two PREEMPTED for asks");
        stage.submit("passes gpus=1 priority=9 lane=green");
        stage.decide();
        assertThat(stage.evictions()).containsExactly("two PREEMPTED for asks");

        stage.cancel("passes");
        stage.leave();
        assertThat(stage.decide()).contains("asks starts");
        assertThat(stage.evictions()).hasSize(1);
    }

    @Test
    void everybodyHasATryInTheEndHoweverManyAskInVain() {
        AllocatorStage stage = AllocatorStage.of(
                        List.of("n1 gpus=9"), List.of("a quota=gpu:4000", "b quota=gpu:4000", "c quota=gpu:1000"))
                .checkOneIn(1_000)
                .running("red gpus=1 queue=c lane=red", "green gpus=1 queue=c lane=green");
        for (int i = 0; i < 7; i++) {
            stage.running("lent" + i + " gpus=1 queue=b");
        }
        for (int i = 0; i < 100; i++) {
            stage.submit("vain" + i + " gpus=1 queue=c lane=green cpu=" + (i + 1));
        }
        stage.submit("owner gpus=1 queue=a");

        List<String> told = new ArrayList<>();
        for (int decision = 0; decision < 10; decision++) {
            told.addAll(stage.decide());
        }
        assertThat(told).as("101 jobs, 16 tries in a decision").contains("red RECLAIMED for owner");
        stage.leave();
        assertThat(stage.decide()).contains("owner starts");
        assertThat(stage.evictions()).hasSize(1);
    }

    @Test
    void aLaneThatMayAskAgainAsks() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=4"), List.of())
                .running("one gpus=2", "two gpus=2")
                .lanes(new LanesNow(Map.of(), Map.of(), Set.of(Lane.YELLOW)))
                .submit("green gpus=2 lane=green");
        assertThat(stage.decide()).contains("two PREEMPTED for green");

        stage.lanes(LanesNow.FREE).submit("strong gpus=2 priority=5");
        assertThat(stage.decide()).contains("one PREEMPTED for strong");
    }

    @Test
    @DisplayName("C7 Nobody leaves for a job over a limit that one before it in its strict queue would keep back then")
    void nobodyLeavesForAJobThatIsKeptBackOnceHeHasLeft() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=2"), List.of("q quota=gpu:2000 strict jobs=2"))
                .running("keep gpus=1 queue=q priority=9", "weak cpu=100 queue=q")
                .submit("head gpus=2 queue=q priority=5", "behind gpus=1 queue=q priority=1");

        assertThat(stage.settle(5)).noneMatch(line -> line.contains(" for "));
        assertThat(stage.evictions()).isEmpty();
    }

    @Test
    @DisplayName("B13 A job larger than its queue evicts nobody; the one behind it gets what it is promised, once")
    void aJobThatCanNeverFitEvictsNobody() {
        AllocatorStage stage = thirteen();

        assertThat(stage.decide())
                .containsExactlyInAnyOrder(
                        "w1 RECLAIMED for w3",
                        "w2 waits EXCEEDS_LIMIT 4000 of 3000",
                        "w3 waits WAITING_FOR_VICTIMS 3000 of 2000");
        for (int second = 0; second < 60; second++) {
            assertThat(stage.pass(1_000_000).decide()).as("while w1 drains").isEmpty();
        }
        stage.leave();
        assertThat(stage.decide()).contains("w3 starts").hasSize(2);
        for (int second = 60; second < 300; second++) {
            assertThat(stage.pass(1_000_000).decide()).isEmpty();
        }
        assertThat(stage.runningNow()).containsExactly("w3");
        assertThat(stage.evictions()).containsExactly("w1 RECLAIMED for w3");
    }

    @Test
    @DisplayName("B13 A stronger job that comes while the victim drains takes the place; nobody else is evicted")
    void aStrongerJobTakesThePlace() {
        AllocatorStage stage = thirteen();
        stage.decide();
        stage.submit("w4 gpus=3 queue=qa priority=5");

        assertThat(stage.decide())
                .containsExactlyInAnyOrder(
                        "w4 waits WAITING_FOR_VICTIMS 3000 of 2000", "w3 waits WAITING_FOR_QUOTA 3000 of 2000");
        assertThat(stage.decide()).isEmpty();
        stage.leave();
        assertThat(stage.decide()).contains("w4 starts");
        assertThat(stage.settle(5)).isEmpty();
        assertThat(stage.runningNow()).containsExactly("w4");
        assertThat(stage.evictions()).containsExactly("w1 RECLAIMED for w3");
    }

    private static AllocatorStage thirteen() {
        return AllocatorStage.of(
                        List.of("n1 gpus=3"),
                        List.of("qa quota=gpu:3000 borrows=gpu:0", "qb quota=gpu:0 borrows=gpu:3000"))
                .running("w1 gpus=1 queue=qb")
                .submit("w2 gpus=4 queue=qa", "w3 gpus=3 queue=qa");
    }

    @Test
    @DisplayName("B14 As many members leave as GPUs are wanted, the highest ranks first")
    void onlyAsManyMembersLeaveAsAreWanted() {
        for (int k = 1; k <= 10; k++) {
            AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=11"), List.of())
                    .running("v gpus=1 pods=11 min=1 priority=10")
                    .submit("p gpus=1 pods=" + k + " priority=100");

            List<Integer> leaving = List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10).subList(10 - k, 10);
            assertThat(stage.decide())
                    .containsExactly(
                            "v PREEMPTED for p " + leaving, "p waits WAITING_FOR_VICTIMS " + 1000 * k + " of 0");
            assertThat(stage.decide()).isEmpty();
            stage.leave();
            assertThat(stage.decide()).containsExactly("p starts");
            assertThat(stage.decide()).isEmpty();
            assertThat(stage.ranks("v")).hasSize(11 - k).isSorted();
            assertThat(stage.runningNow()).containsExactly("p", "v");
        }
    }

    @Test
    @DisplayName("C8 Nobody is evicted twice for a job that waits still, whoever decides")
    void nobodyIsAskedTwiceForTheSame() {
        AllocatorStage stage = AllocatorStage.of(
                        List.of("n1 gpus=3"),
                        List.of("qa quota=gpu:3000 borrows=gpu:0", "qb quota=gpu:0 borrows=gpu:3000"))
                .running("v gpus=1 queue=qb")
                .submit("b gpus=3 queue=qa");
        assertThat(stage.decide()).contains("v RECLAIMED for b");
        stage.submit("c gpus=2 queue=qa priority=5");
        assertThat(stage.decide()).contains("c starts");
        stage.leave();
        assertThat(stage.decide()).contains("v starts");
        stage.end("c");

        assertThat(stage.settle(5))
                .as("each decision is compared with one from nothing")
                .noneMatch(line -> line.contains(" for "));
        assertThat(stage.evictions()).containsExactly("v RECLAIMED for b");
        stage.end("v");
        assertThat(stage.decide()).contains("b starts");
    }

    @Test
    void ofEqualsTheOneLeavesThatLosesLessSinceItsLastCheckpoint() {
        assertThat(twoEquals(0)).as("no checkpoints: the younger lost less").contains("young PREEMPTED for urgent");
        assertThat(twoEquals(60_000_000)).as("70 s and 30 s of work").contains("old PREEMPTED for urgent");
    }

    private static List<String> twoEquals(long saveEveryMicros) {
        return AllocatorStage.of(List.of("n1 gpus=2"), List.of())
                .saveEvery(saveEveryMicros)
                .running("old gpus=1")
                .pass(40_000_000)
                .running("young gpus=1")
                .pass(30_000_000)
                .submit("urgent gpus=1 priority=9")
                .decide();
    }

    @Test
    void greenIsNeverReclaimedAndRedGoesFirst() {
        AllocatorStage stage = AllocatorStage.of(
                        List.of("n1 gpus=6"), List.of("a quota=gpu:2000", "b quota=gpu:2000", "c quota=gpu:2000"))
                .running("green gpus=2 queue=a lane=green", "borrowed gpus=2 queue=a", "red gpus=2 queue=b lane=red")
                .submit("owner gpus=2 queue=b", "other gpus=2 queue=c");

        assertThat(stage.decide()).contains("red PREEMPTED for owner", "borrowed RECLAIMED for other");
        stage.leave();
        assertThat(stage.settle(6)).contains("owner starts", "other starts");
        assertThat(stage.evictions()).hasSize(2);
        assertThat(stage.runningNow()).containsExactly("green", "other", "owner");
    }

    @Test
    void onlyStrongerPriorityOfItsOwnQueueDisplacesGreen() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=2"), List.of("a quota=gpu:2000", "b quota=gpu:2000"))
                .running("weak gpus=2 queue=a lane=green priority=1")
                .submit("yellow gpus=2 queue=a priority=9", "other gpus=2 queue=b lane=green priority=9");
        assertThat(stage.decide()).noneMatch(line -> line.contains(" for "));

        stage.submit("strong gpus=2 queue=a lane=green priority=2");
        assertThat(stage.decide()).contains("weak PREEMPTED for strong");
    }

    @Test
    void redEvictsNobodyOfOtherQueues() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=2"), List.of("a quota=gpu:1000", "b quota=gpu:1000"))
                .running("r gpus=1 queue=b lane=red", "y gpus=1 queue=b")
                .submit("red gpus=1 queue=a lane=red priority=50");

        assertThat(stage.decide()).noneMatch(line -> line.contains(" for "));
    }

    @Test
    void ofOneQueueTheLowestPriorityGoesAndEqualsStay() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=4"), List.of())
                .running("p3 gpus=1 priority=3", "p1 gpus=1 priority=1", "p2 gpus=1 priority=2", "p5 gpus=1 priority=5")
                .submit("p5b gpus=2 priority=5", "p1b gpus=1 priority=1");

        assertThat(stage.decide()).contains("p1 PREEMPTED for p5b", "p2 PREEMPTED for p5b");
        assertThat(stage.evictions()).hasSize(2);
    }

    @Test
    void theYoungestGoesFirst() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=3"), List.of())
                .running("old gpus=1", "middle gpus=1", "young gpus=1")
                .submit("strong gpus=1 priority=1");

        assertThat(stage.decide()).contains("young PREEMPTED for strong");
    }

    @Test
    void scatteredGpusHelpNobody() {
        AllocatorStage stage = AllocatorStage.of(
                        List.of("n1 gpus=2 rack=a", "n2 gpus=2 rack=b", "n3 gpus=2 rack=c", "n4 gpus=2 rack=c"),
                        List.of())
                .running(
                        "keep1 gpus=1 priority=9",
                        "weak1 gpus=1",
                        "keep2 gpus=1 priority=9",
                        "weak2 gpus=1",
                        "m1 gpus=2 priority=1",
                        "m2 gpus=2 priority=1")
                .submit("gang gpus=2 pods=2 required=rack priority=5");

        assertThat(stage.decide()).contains("m1 PREEMPTED for gang", "m2 PREEMPTED for gang");
        assertThat(stage.evictions()).hasSize(2);
    }

    @Test
    void nobodyLeavesForAJobThatDoesNotFitEvenSo() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=2", "n2 gpus=2"), List.of())
                .running("strong gpus=1 priority=9", "weak gpus=1", "strong2 gpus=1 priority=9", "weak2 gpus=1")
                .submit("whole gpus=2 priority=5");

        assertThat(stage.decide()).noneMatch(line -> line.contains(" for "));
        assertThat(stage.evictions()).isEmpty();
    }

    @Test
    void twoBeneficiariesShareOneVictim() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=4"), List.of())
                .running("big gpus=4")
                .submit("one gpus=2 priority=2", "two gpus=2 priority=1", "three gpus=1 priority=1");

        assertThat(stage.decide())
                .contains(
                        "big PREEMPTED for one",
                        "one waits WAITING_FOR_VICTIMS 2000 of 0",
                        "two waits WAITING_FOR_VICTIMS 2000 of 0");
        assertThat(stage.decide()).isEmpty();
        assertThat(stage.settle(5)).isEmpty();
        stage.leave();
        assertThat(stage.decide()).contains("one starts", "two starts");
        assertThat(stage.evictions()).hasSize(1);
    }

    @Test
    void whatIsFreeIsKeptForTheBeneficiaryUntilItIsCancelled() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=4"), List.of("a", "b"))
                .running("weak gpus=2 queue=a")
                .submit("strong gpus=4 queue=a priority=1");
        assertThat(stage.decide()).contains("weak PREEMPTED for strong");

        stage.submit("small gpus=1 queue=b");
        assertThat(stage.decide()).containsExactly("small waits RESERVED_FOR_OTHER");
        assertThat(stage.decide()).isEmpty();
        stage.cancel("strong");
        assertThat(stage.decide()).containsExactly("small starts");
        assertThat(stage.evictions()).hasSize(1);
    }

    @Test
    void theVictimDoesNotComeBackBeforeItsBeneficiary() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=4"), List.of("a", "b"))
                .running("weak gpus=2 queue=a", "ends gpus=2 queue=b")
                .submit("strong gpus=2 queue=a priority=1");
        stage.decide();
        stage.leave();

        assertThat(stage.decide()).contains("strong starts", "weak waits WAITING_FOR_CAPACITY 2000 of 0");
        assertThat(stage.settle(5)).isEmpty();
    }

    @Test
    void aBeneficiaryStartsOnWhatBecomesFreeBefore() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=2", "n2 gpus=2"), List.of("a", "b"))
                .running("weak gpus=2 queue=a", "other gpus=2 queue=b")
                .submit("strong gpus=2 queue=a priority=1");
        assertThat(stage.decide()).contains("weak PREEMPTED for strong");
        stage.end("other");

        assertThat(stage.decide()).containsExactly("strong starts");
    }

    @Test
    void whatVictimsLeftIsKeptFromThemThoughTheirTurnComesFirst() {
        AllocatorStage stage = AllocatorStage.of(
                        List.of("n1 gpus=8", "n2 gpus=1 flavor=other"),
                        List.of("qa quota=gpu:3000", "qb quota=gpu:6000", "qc"))
                .running("p1 gpus=4 queue=qa", "p2 gpus=1 queue=qb", "red gpus=1 flavors=other queue=qc lane=red")
                .submit("p3 gpus=4 queue=qb");
        assertThat(stage.decide()).contains("p1 RECLAIMED for p3");
        stage.leave();

        assertThat(stage.decide()).contains("p3 starts");
        assertThat(stage.settle(5)).isEmpty();
        assertThat(stage.evictions()).hasSize(1);
    }

    @Test
    void whatIsProtectedIsNoVictimUntilItsTime() {
        AllocatorStage stage = AllocatorStage.of(List.of("n1 gpus=2"), List.of())
                .protect(60_000_000)
                .running("weak gpus=2")
                .submit("strong gpus=2 priority=1");

        assertThat(stage.decide()).containsExactly("strong waits WAITING_FOR_CAPACITY 2000 of 0");
        assertThat(stage.pass(30_000_000).decide()).isEmpty();
        assertThat(stage.pass(30_000_000).decide())
                .containsExactly("weak PREEMPTED for strong", "strong waits WAITING_FOR_VICTIMS 2000 of 0");
    }

    @Test
    void quotaAloneCanBeTakenBack() {
        AllocatorStage stage = AllocatorStage.of(
                        List.of("n1 gpus=8", "n2 gpus=8"), List.of("a quota=gpu:4000", "b quota=gpu:4000"))
                .running("b1 gpus=4 queue=b", "b2 gpus=4 queue=b")
                .submit("owner gpus=2 queue=a");

        assertThat(stage.decide())
                .containsExactly("b2 RECLAIMED for owner", "owner waits WAITING_FOR_VICTIMS 2000 of 0");
        stage.leave();
        assertThat(stage.decide()).contains("owner starts");
        assertThat(stage.settle(5)).noneMatch(line -> line.contains(" for "));
    }

    @Test
    void whoBorrowsTakesNothingBack() {
        AllocatorStage stage = AllocatorStage.of(
                        List.of("n1 gpus=8"), List.of("a quota=gpu:2000", "b quota=gpu:2000", "c quota=gpu:4000"))
                .running("b1 gpus=6 queue=b", "a1 gpus=2 queue=a")
                .submit("more gpus=2 queue=a");

        assertThat(stage.decide()).containsExactly("more waits WAITING_FOR_QUOTA 2000 of 0");
    }

    @Test
    void queuesOfOneDepartmentMeetBelowIt() {
        AllocatorStage stage = AllocatorStage.of(
                        List.of("n1 gpus=8"),
                        List.of("d quota=gpu:4000", "d/x quota=gpu:2000", "d/y quota=gpu:2000", "e quota=gpu:4000"))
                .running("x gpus=4 queue=d/x", "e gpus=4 queue=e")
                .submit("y gpus=2 queue=d/y");

        assertThat(stage.decide()).contains("x RECLAIMED for y");
    }
}
