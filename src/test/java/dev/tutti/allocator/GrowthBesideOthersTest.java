package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.testkit.scenario.AppliedPlan;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A running job that wants more pods, beside others that run or wait. Each rule is seen to bite a job that waits. */
class GrowthBesideOthersTest {

    private static final long NOW = TestJobs.NOW_MICROS;
    private static final long HOUR = 3_600_000_000L;

    private final TestQueues queues = new TestQueues();
    private final Snapshot idle =
            TestFleet.snapshot(List.of(TestNode.of("n1 rack=r1 gpus=4 flavor=h100")), queues.shares());

    /** The same wish, of a job that runs or of one that waits to start. */
    private WaitingJob wish(String line, boolean grows) {
        WaitingJob asked = TestJobs.of(line, 0, queues);
        return new WaitingJob(
                asked.job(),
                asked.version(),
                asked.queue(),
                asked.lane(),
                asked.priority(),
                asked.submittedAtMicros(),
                asked.notBeforeMicros(),
                asked.mayRunSeconds(),
                asked.podSets(),
                asked.topology(),
                asked.verdict(),
                asked.user(),
                grows ? new Growth(4, new NodeId(1)) : null);
    }

    /** Who runs as the plan has it. */
    private static RunningJob running(
            WaitingJob job, Plan plan, long endsBy, long protectedUntil, @Nullable JobId beneficiary) {
        return new RunningJob(
                job.job(),
                1,
                job.queue(),
                job.lane(),
                job.priority(),
                job.submittedAtMicros(),
                NOW,
                endsBy,
                protectedUntil,
                beneficiary != null,
                beneficiary == null ? Set.of() : Set.of(beneficiary),
                plan.placements().get(0).members(),
                Set.of(),
                Map.of(job.podSets().get(0).name(), 1),
                Set.of(),
                "",
                0);
    }

    private Plan alone(WaitingJob job) {
        return new GangAllocator().decide(idle, List.of(job), NOW);
    }

    private static Plan decide(Snapshot snapshot, RunningJob running, WaitingJob... waiting) {
        return new GangAllocator()
                .standing()
                .decide(snapshot, WaitingBook.of(List.of(waiting)), RunningBook.of(List.of(running)), NOW);
    }

    @Test
    void nobodyIsAskedToLeaveForIt() {
        WaitingJob weak = TestJobs.of("weak gpus=1 pods=4 min=1 priority=-5", 1, queues);
        Plan start = alone(weak);
        Snapshot full = AppliedPlan.apply(idle, start, List.of(weak));
        RunningJob runs = running(weak, start, 0, 0, null);

        Plan plan = decide(full, runs, wish("e gpus=1 pods=2 min=1", true));

        assertThat(plan.isEmpty()).isTrue();
        assertThat(decide(full, runs, wish("e gpus=1 pods=2 min=1", false)).evictions())
                .isNotEmpty();
    }

    @Test
    void nothingIsReservedForIt() {
        WaitingJob other = TestJobs.of("other gpus=1 pods=4", 1, queues);
        Plan start = alone(other);
        Snapshot full = AppliedPlan.apply(idle, start, List.of(other));
        RunningJob runs = running(other, start, NOW + HOUR, Long.MAX_VALUE, null);

        Plan plan = decide(full, runs, wish("e gpus=1 pods=2 min=1", true));

        assertThat(plan.isEmpty()).isTrue();
        assertThat(plan.reservations()).isEmpty();
        assertThat(decide(full, runs, wish("e gpus=1 pods=2 min=1", false)).reservations())
                .hasSize(1);
    }

    @Test
    void whatIsKeptForThoseForWhomOthersLeaveIsNotForIt() {
        WaitingJob leaver = TestJobs.of("leaver gpus=3 priority=-5", 1, queues);
        WaitingJob strong = told(TestJobs.of("strong gpus=4 priority=5", 2, queues));
        Plan start = alone(leaver);
        Snapshot snapshot = AppliedPlan.apply(idle, start, List.of(leaver));
        WaitingJob growth = wish("e gpus=1 pods=2 min=1", true);

        assertThat(decide(snapshot, running(leaver, start, 0, 0, strong.job()), strong, growth)
                        .placements())
                .isEmpty();
        assertThat(decide(snapshot, running(leaver, start, 0, 0, strong.job()), growth)
                        .placements())
                .as("nobody waits for it")
                .hasSize(1);
    }

    @Test
    void nothingIsKeptForAJobThatHasStartedSinceThoseWereAsked() {
        WaitingJob leaver = TestJobs.of("leaver gpus=3 priority=-5", 1, queues);
        Plan start = alone(leaver);
        Snapshot snapshot = AppliedPlan.apply(idle, start, List.of(leaver));
        WaitingJob growth = wish("e gpus=4 pods=1 min=1", true);
        WaitingJob small = TestJobs.of("small gpus=1", 2, queues);

        assertThat(decide(snapshot, running(leaver, start, 0, 0, growth.job()), growth, small)
                        .placements())
                .extracting(Plan.Placement::job)
                .containsExactly(small.job());
    }

    @Test
    void itIsTriedAgainWhenSomethingBecomesFree() {
        WaitingJob other = TestJobs.of("other gpus=1 pods=4", 1, queues);
        Plan start = alone(other);
        WaitingJob growth = wish("e gpus=1 pods=2 min=1", true);
        StandingAllocator standing = new GangAllocator().standing();
        WaitingBook book = WaitingBook.of(List.of(growth));
        RunningBook nobody = RunningBook.of(List.of());
        Snapshot full = AppliedPlan.apply(idle, start, List.of(other));

        assertThat(standing.decide(full, book, nobody, NOW).isEmpty()).isTrue();
        assertThat(standing.decide(full, book, nobody, NOW).isEmpty()).isTrue();
        assertThat(standing.decide(idle, book, nobody, NOW).placements()).hasSize(1);
    }

    private static WaitingJob told(WaitingJob job) {
        return new WaitingJob(
                job.job(),
                job.version(),
                job.queue(),
                job.lane(),
                job.priority(),
                job.submittedAtMicros(),
                job.notBeforeMicros(),
                job.mayRunSeconds(),
                job.podSets(),
                job.topology(),
                new Reason(ReasonCode.WAITING_FOR_VICTIMS, null, 4_000, 1_000, "others are leaving"));
    }
}
