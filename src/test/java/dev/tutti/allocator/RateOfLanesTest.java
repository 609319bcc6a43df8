package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.quota.Account;
import dev.tutti.model.job.Lane;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.testkit.scenario.Stage;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Of a lane with a rate only so many jobs start within any minute; each decision is compared with one from nothing. */
class RateOfLanesTest {

    private static final long SECOND = 1_000_000;

    @Test
    void whatIsMoreWaitsUntilAMinuteAfterTheFirst() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q quota=gpu:8000"))
                .rate(Lane.RED, 2)
                .submit("a gpus=1 queue=q lane=red", "b gpus=1 queue=q lane=red", "day gpus=1 queue=q")
                .submit("c gpus=1 queue=q lane=red", "d gpus=2 queue=q lane=red");
        assertThat(stage.decide())
                .containsExactly("day starts", "a starts", "b starts", "c waits LANE_RATE", "d waits LANE_RATE");

        assertThat(stage.pass(59 * SECOND).decide()).as("59 s").isEmpty();
        assertThat(stage.pass(SECOND).decide()).containsExactly("c starts", "d starts");
        assertThat(stage.runningNow()).containsExactly("a", "b", "c", "d", "day");
    }

    @Test
    void theMinuteSlides() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q quota=gpu:8000"))
                .rate(Lane.RED, 2)
                .submit("a gpus=1 queue=q lane=red");
        assertThat(stage.decide()).containsExactly("a starts");
        stage.pass(40 * SECOND).submit("b gpus=1 queue=q lane=red", "c gpus=1 queue=q lane=red");
        assertThat(stage.decide()).containsExactly("b starts", "c waits LANE_RATE");
        stage.submit("d gpus=1 queue=q lane=red");

        assertThat(stage.pass(20 * SECOND).decide()).containsExactly("c starts", "d waits LANE_RATE");
        assertThat(stage.pass(39 * SECOND).decide()).isEmpty();
        assertThat(stage.pass(SECOND).decide()).containsExactly("d starts");
    }

    @Test
    void whoLacksSomethingElseIsToldSo() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q quota=gpu:8000"))
                .rate(Lane.RED, 1)
                .submit("a gpus=6 queue=q lane=red", "b gpus=2 queue=q lane=red", "c gpus=4 queue=q lane=red");
        assertThat(stage.decide())
                .containsExactly("a starts", "b waits LANE_RATE", "c waits WAITING_FOR_CAPACITY 4000 of 2000");
        stage.end("a");
        assertThat(stage.decide()).as("only the rate is left").containsExactly("c waits LANE_RATE");
    }

    @Test
    void aUsedUpLaneAsksNobodyAndHeadsNoStrictQueue() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q strict quota=gpu:8000"))
                .running("weak gpus=4 queue=q lane=red")
                .rate(Lane.GREEN, 1)
                .submit("first gpus=1 queue=q lane=green");
        assertThat(stage.decide()).containsExactly("first starts");
        stage.submit("large gpus=5 queue=q lane=green", "small gpus=1 queue=q");

        assertThat(stage.decide()).contains("small starts").noneMatch(line -> line.contains(" for large"));
        assertThat(stage.pass(60 * SECOND).decide()).contains("weak PREEMPTED for large");
    }

    @Test
    void whatLeavesForAJobIsKeptForItThroughTheMinute() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q quota=gpu:8000"))
                .running("weak gpus=7 queue=q")
                .rate(Lane.GREEN, 1)
                .submit("large gpus=6 queue=q lane=green");
        assertThat(stage.decide()).contains("weak PREEMPTED for large");

        stage.submit("urgent gpus=1 queue=q lane=green priority=5");
        assertThat(stage.decide()).contains("urgent starts");
        stage.leave();
        stage.submit("other gpus=4 queue=q");
        assertThat(stage.decide()).as("what left is large's").noneMatch(line -> line.endsWith(" starts"));
        assertThat(stage.pass(60 * SECOND).decide()).contains("large starts");
    }

    @Test
    void theVerdictSaysHowManyAndWhenTheNextMayStart() {
        Plan first = decide(new LanesNow.Rate(1, 1, 0), 5 * SECOND);
        assertThat(first.placements()).hasSize(1);
        assertThat(first.waits()).hasSize(1);
        Reason reason = first.waits().get(0).reason();
        assertThat(reason.code()).isEqualTo(ReasonCode.LANE_RATE);
        assertThat(reason.detail())
                .isEqualTo("The red lane starts no more than 1 job in any minute, and has;"
                        + " it may start the next at 1970-01-01T00:01:05Z.");

        Plan later = decide(new LanesNow.Rate(10, 0, 90 * SECOND), 70 * SECOND);
        assertThat(later.placements()).isEmpty();
        assertThat(later.waits().get(0).reason().detail()).contains("10 jobs").contains("1970-01-01T00:01:30Z");
    }

    @Test
    void aTimeThatIsOverIsToldAnewOnceAMinute() {
        TestQueues queues = new TestQueues();
        queues.add("q");
        WaitingJob job = TestJobs.of("a gpus=1 lane=red queue=q", 0, queues);
        JobClass kind = new JobClass(
                job.queue(),
                job.lane(),
                job.podSets(),
                job.topology(),
                0,
                new Account(0, job.lane(), job.user()),
                null,
                0);
        kind.explain(new Reason(ReasonCode.LANE_RATE, null, 0, 0, "x"));
        kind.tellStart(100 * SECOND);
        assertThat(kind.isToldWrong()).isTrue();
        kind.tellStart(160 * SECOND);
        assertThat(kind.isToldWrong()).as("within the minute").isFalse();
        kind.tellStart(161 * SECOND);
        assertThat(kind.isToldWrong()).isTrue();
    }

    private static Plan decide(LanesNow.Rate rate, long nowMicros) {
        TestQueues queues = new TestQueues();
        queues.add("q");
        WaitingBook book = new WaitingBook();
        book.put(TestJobs.of("a gpus=1 lane=red queue=q", 0, queues));
        book.put(TestJobs.of("b gpus=1 lane=red queue=q", 1, queues));
        Snapshot base = TestFleet.snapshot(List.of(TestNode.of("n1 gpus=8")), queues.shares());
        LanesNow lanes = new LanesNow(Map.of(), Map.of(Lane.RED, rate), Set.of());
        return new GangAllocator()
                .standing()
                .decide(
                        new Snapshot(
                                1,
                                base.names(),
                                base.fleet(),
                                new QueueShares(base.queues().queues(), lanes),
                                base.mix()),
                        book,
                        new RunningBook(),
                        nowMicros);
    }
}
