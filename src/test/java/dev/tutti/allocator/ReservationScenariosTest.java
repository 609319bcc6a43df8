package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.life.ReasonCode;
import dev.tutti.testkit.scenario.AllocatorStage;
import dev.tutti.testkit.scenario.TestJobs;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A large job that waits gets a start time, and others run before it only where they cannot delay it. */
class ReservationScenariosTest {

    private static final int GRACE = 30;

    /** n1 to n3 are busy until 100, 200 and 300; n4 is free; B needs all four. */
    private static AllocatorStage busyUntil100And200And300() {
        return new AllocatorStage()
                .protectAll()
                .fleet("n1 gpus=8", "n2 gpus=8", "n3 gpus=8", "n4 gpus=8")
                .submit("R1 gpus=8 maxRun=100")
                .submit("R2 gpus=8 maxRun=200")
                .submit("R3 gpus=8 maxRun=300")
                .settle()
                .submit("B gpus=8 pods=4 priority=9")
                .settle();
    }

    /** Every ten seconds one small job, with maximum run time 50, 1000 and none in turn. */
    private static void stream(AllocatorStage stage, long from, long to) {
        for (long t = from; t < to; t += 10) {
            stage.until(t);
            long kind = t / 10 % 3;
            String name = kind == 0 ? "short" + t : kind == 1 ? "long" + t : "endless" + t;
            stage.submit(name + " gpus=8 priority=-1" + (kind == 0 ? " maxRun=50" : kind == 1 ? " maxRun=1000" : ""))
                    .settle();
        }
    }

    @Test
    @DisplayName("B20 A large job is not starved by an endless stream of small ones")
    void theLargeJobStartsWhenItWasToldTo() {
        AllocatorStage stage = busyUntil100And200And300();
        assertThat(stage.plannedStart("B")).isEqualTo(300);
        assertThat(stage.plannedNodes("B")).containsExactly("n1", "n2", "n3", "n4");
        assertThat(stage.verdict("B").code()).isEqualTo(ReasonCode.WAITING_FOR_CAPACITY);
        assertThat(stage.verdict("B").detail()).contains("It starts at " + at(300) + " at the latest");

        stage.overrun("R3", GRACE);
        stream(stage, 1, 250);
        for (String name : new String[] {"long11", "endless21", "long221"}) {
            assertThat(stage.verdict(name).code()).as(name).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
            assertThat(stage.verdict(name).detail())
                    .contains("reserved for job " + stage.id("B") + " until " + at(300));
        }
        stream(stage, 251, 400);

        assertThat(stage.startOf("B")).isEqualTo(300 + GRACE);
        assertThat(stage.startOf("short1")).as("it ends long before").isEqualTo(1);
        for (long t = 1; t < 300 + GRACE; t += 10) {
            for (String name : new String[] {"long" + t, "endless" + t}) {
                assertThat(stage.startOf(name)).as(name).isEqualTo(-1);
            }
            long ends = stage.startOf("short" + t) + 50;
            assertThat(ends).as("short" + t).isLessThanOrEqualTo(300);
        }
    }

    private static Instant at(long second) {
        return Instant.ofEpochSecond(TestJobs.NOW_MICROS / 1_000_000 + second);
    }

    @Test
    @DisplayName("B20 When the large job is cancelled the hold ends in the next decision")
    void aCancelledJobHoldsNothing() {
        AllocatorStage stage = busyUntil100And200And300();
        stream(stage, 1, 250);
        stage.until(250);
        assertThat(stage.reserved()).containsExactly("B");
        assertThat(stage.inOrderOfStart()).noneMatch(name -> name.startsWith("long") || name.startsWith("endless"));

        stage.remove("B");

        assertThat(stage.inOrderOfStart()).containsExactlyInAnyOrder("R3", "long11", "endless21", "long41");
        assertThat(stage.reserved()).doesNotContain("B");
    }

    @Test
    @DisplayName("B20 When a running job ends early the plan moves forward")
    void thePlanMovesForward() {
        AllocatorStage stage = busyUntil100And200And300();
        stream(stage, 1, 150);
        stage.until(150).remove("R3");
        assertThat(stage.plannedStart("B")).isEqualTo(200);
        stage.remove("R2");
        assertThat(stage.startOf("B")).isEqualTo(-1);
        stream(stage, 151, 300);
        assertThat(stage.startOf("B")).isBetween(150L, 200L);
    }

    @Test
    @DisplayName("B20 When a job ends of which no end was known the plan moves forward to other nodes")
    void thePlanMovesToOtherNodes() {
        AllocatorStage stage = new AllocatorStage()
                .protectAll()
                .fleet("n1 gpus=8", "n2 gpus=8", "n3 gpus=8")
                .submit("R1 gpus=8 maxRun=100")
                .submit("R2 gpus=8 maxRun=300")
                .submit("E gpus=8")
                .settle()
                .submit("B gpus=8 pods=2 priority=9")
                .settle();
        assertThat(stage.plannedStart("B")).isEqualTo(300);

        stage.until(50).remove("E");
        assertThat(stage.plannedStart("B")).isEqualTo(100);
        stage.until(100);
        assertThat(stage.startOf("B")).isEqualTo(100);
    }

    @Test
    void withoutAReservationTheLargeJobStarves() {
        AllocatorStage stage = busyUntil100And200And300();
        stage.limit("R3", -1);
        assertThat(stage.reserved()).as("no end of R3 is known").isEmpty();
        stream(stage, 1, 400);
        assertThat(stage.startOf("B")).isEqualTo(-1);
        assertThat(stage.inOrderOfStart()).contains("long11", "endless21");
    }

    @Test
    void everyQueueHasOneAndTheSecondKeepsClearOfTheFirst() {
        AllocatorStage stage = new AllocatorStage()
                .protectAll()
                .fleet("n1 gpus=8", "n2 gpus=8", "n3 gpus=8")
                .queues("a", "b")
                .submit("R1 gpus=8 maxRun=100")
                .submit("R2 gpus=8 maxRun=200")
                .submit("R3 gpus=8 maxRun=300")
                .settle()
                .submit("A gpus=8 pods=2 queue=a maxRun=400")
                .submit("A2 gpus=8 queue=a")
                .submit("B gpus=8 pods=2 queue=b")
                .settle();
        assertThat(stage.reserved()).containsExactly("A", "B");
        assertThat(stage.plannedStart("A")).isEqualTo(200);
        assertThat(stage.plannedStart("B"))
                .as("A holds two of three nodes, from 200 on and, with a minute to start, for 460 s")
                .isEqualTo(200 + 60 + 400);
        stage.until(660);
        assertThat(stage.startOf("A")).isEqualTo(200);
        assertThat(stage.startOf("B")).isEqualTo(600);
        assertThat(stage.startOf("A2")).as("on n3, which neither of them needs").isEqualTo(300);
    }

    @Test
    void aJobForAnotherFlavorIsNotTouched() {
        AllocatorStage stage = new AllocatorStage()
                .protectAll()
                .fleet("n1 gpus=8 flavor=h100", "n2 gpus=8 flavor=h100", "n3 gpus=8 flavor=a100")
                .submit("R gpus=8 flavors=h100 maxRun=100")
                .settle()
                .submit("B gpus=8 pods=2 flavors=h100")
                .submit("S gpus=8 flavors=h100")
                .submit("other gpus=8 flavors=a100")
                .submit("any gpus=8")
                .settle();
        assertThat(stage.plannedStart("B")).isEqualTo(100);
        assertThat(stage.startOf("other")).isEqualTo(0);
        assertThat(stage.verdict("S").code()).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
        assertThat(stage.verdict("any").code()).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
    }

    @Test
    void aStrongerJobPasses() {
        AllocatorStage stage = busyUntil100And200And300();
        stage.submit("weak gpus=8 priority=8").settle();
        assertThat(stage.waits("weak")).isTrue();
        stage.submit("strong gpus=8 priority=10").settle();
        assertThat(stage.startOf("strong")).isEqualTo(0);
        assertThat(stage.reserved()).as("nobody knows when it ends").doesNotContain("B");
    }

    @Test
    void whatIsLeftBesideTheReservedPlaceIsForEverybody() {
        AllocatorStage stage = new AllocatorStage()
                .protectAll()
                .fleet("n1 gpus=8 cpu=100000", "n2 gpus=8 cpu=100000")
                .submit("R gpus=4 cpu=50000 maxRun=100")
                .settle()
                .submit("B gpus=6 pods=2 cpu=60000")
                .settle();
        assertThat(stage.plannedStart("B")).isEqualTo(100);
        stage.submit("cpuTooLarge cpu=41000")
                .submit("cpuFits cpu=40000")
                .submit("gpusFit gpus=2")
                .settle();
        assertThat(stage.startOf("cpuTooLarge"))
                .as("of 100 cores B needs 60 on each node")
                .isEqualTo(-1);
        assertThat(stage.startOf("cpuFits")).isEqualTo(0);
        assertThat(stage.startOf("gpusFit")).isEqualTo(0);
        stage.submit("gpusToo gpus=2").submit("oneMore gpus=1").settle();
        assertThat(stage.startOf("gpusToo")).isEqualTo(0);
        assertThat(stage.startOf("oneMore")).isEqualTo(-1);
        stage.until(100);
        assertThat(stage.startOf("B")).isEqualTo(100);
    }

    @Test
    void aJobOverItsQuotaKeepsNothing() {
        AllocatorStage stage = new AllocatorStage()
                .protectAll()
                .fleet("n1 gpus=8", "n2 gpus=8")
                .queues("small quota=gpu:8000 borrows=gpu:0", "rest quota=gpu:8000")
                .submit("R gpus=8 queue=small maxRun=100")
                .settle()
                .submit("B gpus=8 queue=small")
                .submit("other gpus=8 queue=rest")
                .settle();
        assertThat(stage.verdict("B").code()).isEqualTo(ReasonCode.WAITING_FOR_QUOTA);
        assertThat(stage.reserved()).isEmpty();
        assertThat(stage.startOf("other")).isEqualTo(0);
    }

    @Test
    void whoWaitsBehindAJobOfAnotherQueueIsNotToldItsName() {
        AllocatorStage stage = new AllocatorStage()
                .protectAll()
                .fleet("n1 gpus=8", "n2 gpus=8")
                .queues("a", "b")
                .submit("R gpus=8 queue=a maxRun=100")
                .settle()
                .submit("B gpus=8 pods=2 queue=a")
                .submit("own gpus=8 queue=a")
                .submit("other gpus=8 queue=b lane=red")
                .settle();
        assertThat(stage.reserved()).containsExactly("B");
        assertThat(stage.verdict("own").detail()).contains("reserved for job " + stage.id("B") + " until " + at(100));
        assertThat(stage.verdict("other").code()).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
        assertThat(stage.verdict("other").detail())
                .contains("reserved for a job of another queue until " + at(100))
                .doesNotContain(stage.id("B").toString());
    }

    @Test
    void theQuotaOfTheReservedJobIsKeptToo() {
        AllocatorStage stage = new AllocatorStage()
                .protectAll()
                .fleet("n1 gpus=8", "n2 gpus=8", "n3 gpus=8")
                .queues("a quota=gpu:8000", "b quota=gpu:8000", "c")
                .submit("R1 gpus=8 queue=c lane=red maxRun=100")
                .submit("R2 gpus=4 queue=c lane=red maxRun=100")
                .settle()
                .submit("B gpus=8 pods=2 queue=a")
                .submit("S gpus=1 queue=b")
                .settle();
        assertThat(stage.plannedStart("B")).isEqualTo(100);
        assertThat(stage.startOf("S")).as("all quota there is will be B's").isEqualTo(-1);
        stage.until(100);
        assertThat(stage.startOf("B")).isEqualTo(100);
    }

    @Test
    void aJobThatOverrunsLeavesTheTimeAsItWas() {
        AllocatorStage stage = busyUntil100And200And300();
        stage.overrun("R3", 500);
        stream(stage, 1, 500);
        assertThat(stage.plannedStart("B")).isEqualTo(300);
        assertThat(stage.inOrderOfStart()).noneMatch(name -> name.startsWith("endless"));
        stage.remove("R3");
        stream(stage, 501, 600);
        assertThat(stage.startOf("B")).isBetween(491L, 600L);
    }
}
