package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.life.ReasonCode;
import dev.tutti.testkit.scenario.Story;
import dev.tutti.testkit.scenario.TestJobs;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A large job that waits gets a start time, and others run before it only where they cannot delay it. */
class ReservationScenariosTest {

    private static final int GRACE = 30;

    /** n1 to n3 are busy until 100, 200 and 300; n4 is free; B needs all four. */
    private static Story busyUntil100And200And300() {
        return new Story()
                .fleet("n1 gpus=8", "n2 gpus=8", "n3 gpus=8", "n4 gpus=8")
                .submit("R1 gpus=8 maxRun=100")
                .submit("R2 gpus=8 maxRun=200")
                .submit("R3 gpus=8 maxRun=300")
                .settle()
                .submit("B gpus=8 pods=4 priority=9")
                .settle();
    }

    /** Every ten seconds one small job, with maximum run time 50, 1000 and none in turn. */
    private static void stream(Story story, long from, long to) {
        for (long t = from; t < to; t += 10) {
            story.until(t);
            long kind = t / 10 % 3;
            String name = kind == 0 ? "short" + t : kind == 1 ? "long" + t : "endless" + t;
            story.submit(name + " gpus=8 priority=-1" + (kind == 0 ? " maxRun=50" : kind == 1 ? " maxRun=1000" : ""))
                    .settle();
        }
    }

    @Test
    @DisplayName("B20 A large job is not starved by an endless stream of small ones")
    void theLargeJobStartsWhenItWasToldTo() {
        Story story = busyUntil100And200And300();
        assertThat(story.plannedStart("B")).isEqualTo(300);
        assertThat(story.plannedNodes("B")).containsExactly("n1", "n2", "n3", "n4");
        assertThat(story.verdict("B").code()).isEqualTo(ReasonCode.WAITING_FOR_CAPACITY);
        assertThat(story.verdict("B").detail()).contains("It starts at " + at(300) + " at the latest");

        story.overrun("R3", GRACE);
        stream(story, 1, 250);
        for (String name : new String[] {"long11", "endless21", "long221"}) {
            assertThat(story.verdict(name).code()).as(name).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
            assertThat(story.verdict(name).detail())
                    .contains("reserved for job " + story.id("B") + " until " + at(300));
        }
        stream(story, 251, 400);

        assertThat(story.startOf("B")).isEqualTo(300 + GRACE);
        assertThat(story.startOf("short1")).as("it ends long before").isEqualTo(1);
        for (long t = 1; t < 300 + GRACE; t += 10) {
            for (String name : new String[] {"long" + t, "endless" + t}) {
                assertThat(story.startOf(name)).as(name).isEqualTo(-1);
            }
            long ends = story.startOf("short" + t) + 50;
            assertThat(ends).as("short" + t).isLessThanOrEqualTo(300);
        }
    }

    private static Instant at(long second) {
        return Instant.ofEpochSecond(TestJobs.NOW_MICROS / 1_000_000 + second);
    }

    @Test
    @DisplayName("B20 When the large job is cancelled the hold ends in the next decision")
    void aCancelledJobHoldsNothing() {
        Story story = busyUntil100And200And300();
        stream(story, 1, 250);
        story.until(250);
        assertThat(story.reserved()).containsExactly("B");
        assertThat(story.running()).noneMatch(name -> name.startsWith("long") || name.startsWith("endless"));

        story.remove("B");

        assertThat(story.running()).containsExactlyInAnyOrder("R3", "long11", "endless21", "long41");
        assertThat(story.reserved()).doesNotContain("B");
    }

    @Test
    @DisplayName("B20 When a running job ends early the plan moves forward")
    void thePlanMovesForward() {
        Story story = busyUntil100And200And300();
        stream(story, 1, 150);
        story.until(150).remove("R3");
        assertThat(story.plannedStart("B")).isEqualTo(200);
        story.remove("R2");
        assertThat(story.startOf("B")).isEqualTo(-1);
        stream(story, 151, 300);
        assertThat(story.startOf("B")).isBetween(150L, 200L);
    }

    @Test
    void withoutAReservationTheLargeJobStarves() {
        Story story = busyUntil100And200And300();
        story.limit("R3", -1);
        assertThat(story.reserved()).as("no end of R3 is known").isEmpty();
        stream(story, 1, 400);
        assertThat(story.startOf("B")).isEqualTo(-1);
        assertThat(story.running()).contains("long11", "endless21");
    }

    @Test
    void everyQueueHasOneAndTheSecondKeepsClearOfTheFirst() {
        Story story = new Story()
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
        assertThat(story.reserved()).containsExactly("A", "B");
        assertThat(story.plannedStart("A")).isEqualTo(200);
        assertThat(story.plannedStart("B"))
                .as("A holds two of three nodes, from 200 on and, with a minute to start, for 460 s")
                .isEqualTo(200 + 60 + 400);
        story.until(660);
        assertThat(story.startOf("A")).isEqualTo(200);
        assertThat(story.startOf("B")).isEqualTo(600);
        assertThat(story.startOf("A2")).as("on n3, which neither of them needs").isEqualTo(300);
    }

    @Test
    void aJobForAnotherFlavorIsNotTouched() {
        Story story = new Story()
                .fleet("n1 gpus=8 flavor=h100", "n2 gpus=8 flavor=h100", "n3 gpus=8 flavor=a100")
                .submit("R gpus=8 flavors=h100 maxRun=100")
                .settle()
                .submit("B gpus=8 pods=2 flavors=h100")
                .submit("S gpus=8 flavors=h100")
                .submit("other gpus=8 flavors=a100")
                .submit("any gpus=8")
                .settle();
        assertThat(story.plannedStart("B")).isEqualTo(100);
        assertThat(story.startOf("other")).isEqualTo(0);
        assertThat(story.verdict("S").code()).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
        assertThat(story.verdict("any").code()).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
    }

    @Test
    void aStrongerJobPasses() {
        Story story = busyUntil100And200And300();
        story.submit("weak gpus=8 priority=8").settle();
        assertThat(story.waits("weak")).isTrue();
        story.submit("strong gpus=8 priority=10").settle();
        assertThat(story.startOf("strong")).isEqualTo(0);
        assertThat(story.reserved()).as("nobody knows when it ends").doesNotContain("B");
    }

    @Test
    void whatIsLeftBesideTheReservedPlaceIsForEverybody() {
        Story story = new Story()
                .fleet("n1 gpus=8 cpu=100000", "n2 gpus=8 cpu=100000")
                .submit("R gpus=4 cpu=50000 maxRun=100")
                .settle()
                .submit("B gpus=6 pods=2 cpu=60000")
                .settle();
        assertThat(story.plannedStart("B")).isEqualTo(100);
        story.submit("cpuTooLarge cpu=41000")
                .submit("cpuFits cpu=40000")
                .submit("gpusFit gpus=2")
                .settle();
        assertThat(story.startOf("cpuTooLarge"))
                .as("of 100 cores B needs 60 on each node")
                .isEqualTo(-1);
        assertThat(story.startOf("cpuFits")).isEqualTo(0);
        assertThat(story.startOf("gpusFit")).isEqualTo(0);
        story.submit("gpusToo gpus=2").submit("oneMore gpus=1").settle();
        assertThat(story.startOf("gpusToo")).isEqualTo(0);
        assertThat(story.startOf("oneMore")).isEqualTo(-1);
        story.until(100);
        assertThat(story.startOf("B")).isEqualTo(100);
    }

    @Test
    void aJobOverItsQuotaKeepsNothing() {
        Story story = new Story()
                .fleet("n1 gpus=8", "n2 gpus=8")
                .queues("small quota=gpu:8000 borrows=gpu:0", "rest quota=gpu:8000")
                .submit("R gpus=8 queue=small maxRun=100")
                .settle()
                .submit("B gpus=8 queue=small")
                .submit("other gpus=8 queue=rest")
                .settle();
        assertThat(story.verdict("B").code()).isEqualTo(ReasonCode.WAITING_FOR_QUOTA);
        assertThat(story.reserved()).isEmpty();
        assertThat(story.startOf("other")).isEqualTo(0);
    }

    @Test
    void whoWaitsBehindAJobOfAnotherQueueIsNotToldItsName() {
        Story story = new Story()
                .fleet("n1 gpus=8", "n2 gpus=8")
                .queues("a", "b")
                .submit("R gpus=8 queue=a maxRun=100")
                .settle()
                .submit("B gpus=8 pods=2 queue=a")
                .submit("own gpus=8 queue=a")
                .submit("other gpus=8 queue=b lane=red")
                .settle();
        assertThat(story.reserved()).containsExactly("B");
        assertThat(story.verdict("own").detail()).contains("reserved for job " + story.id("B") + " until " + at(100));
        assertThat(story.verdict("other").code()).isEqualTo(ReasonCode.RESERVED_FOR_OTHER);
        assertThat(story.verdict("other").detail())
                .contains("reserved for a job of another queue until " + at(100))
                .doesNotContain(story.id("B").toString());
    }

    @Test
    void theQuotaOfTheReservedJobIsKeptToo() {
        Story story = new Story()
                .fleet("n1 gpus=8", "n2 gpus=8", "n3 gpus=8")
                .queues("a quota=gpu:8000", "b quota=gpu:8000", "c")
                .submit("R1 gpus=8 queue=c lane=red maxRun=100")
                .submit("R2 gpus=4 queue=c lane=red maxRun=100")
                .settle()
                .submit("B gpus=8 pods=2 queue=a")
                .submit("S gpus=1 queue=b")
                .settle();
        assertThat(story.plannedStart("B")).isEqualTo(100);
        assertThat(story.startOf("S")).as("all quota there is will be B's").isEqualTo(-1);
        story.until(100);
        assertThat(story.startOf("B")).isEqualTo(100);
    }

    @Test
    void aJobThatOverrunsLeavesTheTimeAsItWas() {
        Story story = busyUntil100And200And300();
        story.overrun("R3", 500);
        stream(story, 1, 500);
        assertThat(story.plannedStart("B")).isEqualTo(300);
        assertThat(story.running()).noneMatch(name -> name.startsWith("endless"));
        story.remove("R3");
        stream(story, 501, 600);
        assertThat(story.startOf("B")).isBetween(491L, 600L);
    }
}
