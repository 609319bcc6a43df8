package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.job.Lane;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.testkit.scenario.AppliedPlan;
import dev.tutti.testkit.scenario.Stage;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nothing of a closed lane starts, and nobody else is concerned. */
class ClosedLaneTest {

    private static final long OPENS = 1_800_000_000_000_000L;

    private final TestQueues queues = new TestQueues();
    private final StandingAllocator allocator = new GangAllocator().standing();
    private final WaitingBook waiting = new WaitingBook();
    private Snapshot snapshot;

    @Test
    void whatWaitsStartsWhenItsLaneOpens() {
        open("q strict quota=gpu:8000");
        submit("night lane=red gpus=1 queue=q", "day gpus=1 queue=q");
        closed(Map.of(Lane.RED, OPENS));

        Plan plan = allocator.decide(snapshot, waiting, 1);
        assertThat(plan.placements()).hasSize(1);
        Reason reason = plan.waits().get(0).reason();
        assertThat(reason.code()).isEqualTo(ReasonCode.LANE_CLOSED);
        assertThat(reason.detail()).contains("red").contains("2027-01-15T08:00:00Z");

        closed(Map.of());
        assertThat(allocator.decide(snapshot, waiting, 2).placements()).hasSize(2);
    }

    @Test
    void aClosedLaneSaysSoThoughTheQuotaIsUsedUpAsWell() {
        open("q quota=gpu:1000 used=gpu:1000");
        submit("more gpus=1 queue=q");
        assertThat(codes(1)).containsExactly(ReasonCode.WAITING_FOR_QUOTA);

        closed(Map.of(Lane.YELLOW, Long.MAX_VALUE));
        assertThat(codes(2)).containsExactly(ReasonCode.LANE_CLOSED);

        closed(Map.of());
        assertThat(codes(3)).containsExactly(ReasonCode.WAITING_FOR_QUOTA);
    }

    @Test
    void aClosedLaneAsksNobodyToLeave() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q quota=gpu:8000"))
                .running("weak gpus=8 queue=q lane=red")
                .submit("strong gpus=8 queue=q")
                .closed(Lane.YELLOW);

        assertThat(stage.decide()).containsExactly("strong waits LANE_CLOSED");
        assertThat(stage.pass(60_000_000).decide()).isEmpty();

        stage.closed();
        assertThat(stage.decide()).contains("weak PREEMPTED for strong");
    }

    @Test
    void whatLeavesForALaneThatClosesMeanwhileIsFreeForOthers() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q quota=gpu:8000"))
                .running("weak gpus=8 queue=q")
                .submit("urgent gpus=8 queue=q lane=green");
        assertThat(stage.decide()).contains("weak PREEMPTED for urgent");

        stage.closed(Lane.GREEN).submit("small gpus=2 queue=q");
        assertThat(stage.decide()).contains("urgent waits LANE_CLOSED");
        stage.leave();
        assertThat(stage.decide()).contains("weak starts");
    }

    @Test
    void whatRunsWhenItsLaneClosesGoesOnAndIsStillTheFirstVictim() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q quota=gpu:8000", "r quota=gpu:0"))
                .running("night gpus=4 queue=r lane=red", "day gpus=4 queue=q")
                .closed(Lane.RED);
        assertThat(stage.pass(3_600_000_000L).decide()).isEmpty();
        assertThat(stage.runningNow()).containsExactly("day", "night");

        stage.submit("more gpus=4 queue=q");
        assertThat(stage.decide()).contains("night RECLAIMED for more");
        stage.leave();
        assertThat(stage.decide()).contains("more starts", "night waits LANE_CLOSED");
        stage.end("more");
        assertThat(stage.decide()).as("it comes back when its lane opens").isEmpty();
        assertThat(stage.closed().decide()).containsExactly("night starts");
    }

    @Test
    void theHeadOfAStrictQueueKeepsNobodyBackWhileItsLaneIsClosed() {
        Stage stage = Stage.of(List.of("n1 gpus=8"), List.of("q strict quota=gpu:8000"))
                .running("first gpus=4 queue=q lane=green")
                .submit("large gpus=8 queue=q lane=green", "small gpus=1 queue=q");
        assertThat(stage.decide())
                .containsExactly("large waits WAITING_FOR_QUOTA 8000 of 4000", "small waits RESERVED_FOR_OTHER");

        stage.closed(Lane.GREEN);
        assertThat(stage.decide()).containsExactlyInAnyOrder("large waits LANE_CLOSED", "small starts");
    }

    @Test
    void aClosedLaneReservesNothing() {
        String[] jobs = {"large gpus=8 pods=2 lane=green queue=q", "small gpus=8 queue=q"};
        Plan open = decide(Map.of(), jobs);
        assertThat(open.reservations()).hasSize(1);
        assertThat(open.placements()).isEmpty();

        Plan closed = decide(Map.of(Lane.GREEN, OPENS), jobs);
        assertThat(closed.reservations()).isEmpty();
        assertThat(closed.placements()).hasSize(1);
    }

    /** One of two nodes is held for 100 seconds more. */
    private static Plan decide(Map<Lane, Long> closed, String... lines) {
        TestQueues queues = new TestQueues();
        queues.add("q quota=gpu:16000");
        Snapshot empty =
                TestFleet.snapshot(List.of(TestNode.of("n1 gpus=8"), TestNode.of("n2 gpus=8")), queues.shares());
        WaitingJob runs = TestJobs.of("runs gpus=8 lane=red queue=q", 0, queues);
        Plan.Placement held =
                new GangAllocator().decide(empty, List.of(runs), 1).placements().get(0);
        Snapshot now = AppliedPlan.apply(empty, new Plan(1, List.of(held), List.of()), List.of(runs));
        RunningJob running = new RunningJob(
                runs.job(),
                1,
                runs.queue(),
                runs.lane(),
                0,
                0,
                1,
                100_000_000,
                Long.MAX_VALUE,
                false,
                held.members(),
                Set.of(),
                Map.of());
        WaitingBook book = new WaitingBook();
        for (String line : lines) {
            book.put(TestJobs.of(line, book.size() + 1, queues));
        }
        QueueShares shares = new QueueShares(now.queues().queues(), new LanesNow(closed, Map.of(), Set.of()));
        Snapshot snapshot = new Snapshot(now.revision(), now.names(), now.fleet(), shares, now.mix());
        return new GangAllocator().standing().decide(snapshot, book, RunningBook.of(List.of(running)), 2);
    }

    private List<ReasonCode> codes(long nowMicros) {
        return allocator.decide(snapshot, waiting, nowMicros).waits().stream()
                .map(wait -> wait.reason().code())
                .toList();
    }

    private void open(String queue) {
        queues.add(queue);
        snapshot = TestFleet.snapshot(List.of(TestNode.of("n1 gpus=8")), queues.shares());
    }

    private void submit(String... lines) {
        for (String line : lines) {
            waiting.put(TestJobs.of(line, waiting.size(), queues));
        }
    }

    private void closed(Map<Lane, Long> lanes) {
        snapshot = new Snapshot(
                snapshot.revision() + 1,
                snapshot.names(),
                snapshot.fleet(),
                new QueueShares(snapshot.queues().queues(), new LanesNow(lanes, Map.of(), Set.of())),
                snapshot.mix());
    }
}
