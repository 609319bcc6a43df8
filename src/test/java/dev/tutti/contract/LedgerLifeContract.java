package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Plan.Placement;
import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.allocator.RunningJob;
import dev.tutti.control.BindTask;
import dev.tutti.control.Ledger.Change;
import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberFact;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What every ledger does when a job changes state: written in one piece with all that follows from it. */
public abstract class LedgerLifeContract extends StoreContract {

    @Test
    final void membersThatEndWellFreeWhatTheyHeldAndTheJobSucceeds() {
        JobId job = allocated();

        assertThat(see(job, MemberPhase.BOUND, null).state()).isEqualTo(JobState.ALLOCATED);
        assertThat(see(job, MemberPhase.RUNNING, null).state()).isEqualTo(JobState.RUNNING);
        assertThat(run(job).members().get(0).podUid())
                .isEqualTo("pod-" + run(job).members().get(0).id());
        assertThat(heldMilli("n0")).isEqualTo(2_000);
        JobRun end = see(job, MemberPhase.SUCCEEDED, null);

        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(end.stopping()).isEqualTo(EndCause.COMPLETED);
        assertThat(end.members()).isEmpty();
        assertNothingHeld();
    }

    @Test
    final void aWholeLifeSeenInOneLookIsWrittenAsOne() {
        JobId job = allocated();
        assertThat(see(job, MemberPhase.SUCCEEDED, null).state()).isEqualTo(JobState.SUCCEEDED);
        assertNothingHeld();
    }

    @Test
    final void aStoppingJobKeepsWhatItHoldsUntilTheEndIsConfirmed() {
        JobId job = allocated();
        see(job, MemberPhase.RUNNING, null);

        JobRun stopping = stop(job, EndCause.CANCELLED_BY_USER);
        assertThat(stopping.state()).isEqualTo(JobState.STOPPING);
        assertThat(stopping.stopping()).isEqualTo(EndCause.CANCELLED_BY_USER);
        assertThat(stopping.members()).hasSize(2);
        assertThat(heldMilli("n0")).isEqualTo(2_000);

        assertThat(see(job, MemberPhase.GONE, EndCause.CANCELLED_BY_USER).state())
                .isEqualTo(JobState.CANCELLED);
        assertNothingHeld();
    }

    @Test
    final void oneMemberAfterTheOtherIsFreed() {
        JobId job = allocated();
        stop(job, EndCause.CANCELLED_BY_USER);
        JobRun before = run(job);
        AllocationId first = before.members().get(0).id();
        JobRun after = JobLife.observe(before, List.of(new MemberFact(first, MemberPhase.GONE, null, null)));

        assertThat(store.ledger().apply(List.of(new Change(before, after)), leader))
                .containsExactly(job);

        assertThat(heldMilli("n0")).isEqualTo(1_000);
        assertThat(run(job).state()).isEqualTo(JobState.STOPPING);
    }

    @Test
    final void aMemberThatLeavesIsDeletedAndFreedAloneAndTheJobRunsOn() {
        JobId job = allocated();
        see(job, MemberPhase.RUNNING, null);
        JobRun before = run(job);
        AllocationId last = before.members().get(1).id();

        write(before, JobLife.evict(before, List.of(1), EndCause.RECLAIMED, Map.of("worker", 1)));

        JobRun smaller = run(job);
        assertThat(smaller.state()).isEqualTo(JobState.RUNNING);
        assertThat(smaller.members()).extracting(Member::leaving).containsExactly(null, EndCause.RECLAIMED);
        assertThat(everything().running())
                .as("no victim twice")
                .extracting(RunningJob::leavingRanks)
                .containsExactly(Set.of(1));
        assertThat(heldMilli("n0")).as("until its end is confirmed").isEqualTo(2_000);
        assertThat(store.outbox().claim(cluster, 10, Duration.ofSeconds(30), leader))
                .filteredOn(task -> task.wish() == BindTask.Wish.DELETE)
                .extracting(BindTask::allocation)
                .containsExactly(last);

        write(
                smaller,
                JobLife.observe(smaller, List.of(new MemberFact(last, MemberPhase.FAILED, null, EndCause.EXIT_CODE))));

        assertThat(heldMilli("n0")).isEqualTo(1_000);
        assertThat(run(job).state()).isEqualTo(JobState.RUNNING);
        assertThat(run(job).members().get(1).cause()).isEqualTo(EndCause.RECLAIMED);
        assertThat(run(job).failures()).isZero();
        JobRun end = see(job, MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertNothingHeld();
    }

    @Test
    final void aMemberThatLeavesBeforeItIsBoundDoesNotMakeTheGangLate() {
        JobId job = allocated();
        JobRun before = run(job);
        JobRun bound = JobLife.observe(
                before, List.of(new MemberFact(before.members().get(0).id(), MemberPhase.BOUND, "pod-0", null)));
        write(before, bound);
        assertThat(store.ledger().unboundFor(Duration.ZERO)).containsExactly(job);

        JobRun now = run(job);
        write(now, JobLife.shrink(now, "worker", 1));

        assertThat(store.ledger().unboundFor(Duration.ZERO)).isEmpty();
    }

    @Test
    final void aRunningJobGetsMoreMembersOfTheSameAttempt() {
        JobId job = allocated();
        Placement more = new Placement(job, run(job).version(), List.of(third(job)), true);
        assertThat(commit(more).stale()).as("it does not run yet").containsExactly(job);
        see(job, MemberPhase.RUNNING, null);
        assertThat(commit(more).stale()).as("decided on an older version").containsExactly(job);

        Placement now = new Placement(job, run(job).version(), List.of(third(job)), true);
        assertThat(commit(now).committed()).containsExactly(job);

        JobRun bigger = run(job);
        assertThat(bigger.state()).isEqualTo(JobState.RUNNING);
        assertThat(bigger.attempt()).isEqualTo(1);
        assertThat(bigger.members())
                .extracting(Member::phase)
                .containsExactly(MemberPhase.RUNNING, MemberPhase.RUNNING, MemberPhase.COMMITTED);
        assertThat(heldMilli("n0")).isEqualTo(3_000);
        assertThat(store.outbox().claim(cluster, 10, Duration.ofSeconds(30), leader))
                .extracting(BindTask::allocation)
                .contains(bigger.members().get(2).id());
        assertThat(store.ledger().unboundFor(Duration.ZERO)).as("on its way").containsExactly(job);
        assertThat(commit(now).stale()).as("no member comes twice").containsExactly(job);

        see(job, MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        assertThat(run(job).state()).isEqualTo(JobState.SUCCEEDED);
        assertNothingHeld();
    }

    private PodPlacement third(JobId job) {
        PodPlacement first = everything().running().get(0).members().get(0);
        long device = devices("n0").stream()
                .filter(one -> one.index() == 5)
                .findFirst()
                .orElseThrow()
                .id();
        return new PodPlacement(
                first.podSet(),
                2,
                first.node(),
                first.flavor(),
                List.of(device),
                first.milliPerDevice(),
                first.cpuMilli(),
                first.memoryMib(),
                null,
                List.of());
    }

    private void write(JobRun before, JobRun after) {
        assertThat(store.ledger().apply(List.of(new Change(before, after)), leader))
                .containsExactly(before.job());
    }

    @Test
    final void aPreemptedJobIsTriedAgainAtOnce() {
        JobId job = allocated();
        stop(job, EndCause.PREEMPTED);
        JobRun back = see(job, MemberPhase.GONE, EndCause.PREEMPTED);

        assertThat(back.state()).isEqualTo(JobState.QUEUED);
        assertThat(back.stopping()).isNull();
        assertThat(back.members()).isEmpty();
        assertThat(back.attempt()).isEqualTo(1);
        assertThat(waiting(job).notBeforeMicros()).isZero();
        assertThat(waiting(job).verdict()).extracting(Reason::code).isEqualTo(ReasonCode.NOT_YET_EVALUATED);
        assertNothingHeld();

        commit(two(job));
        assertThat(run(job).attempt()).isEqualTo(2);
    }

    @Test
    final void aJobThatFailsBacksOffLongerEachTimeAndFailsInTheEnd() {
        JobId job = allocated();
        long first = failAndMeasureDelay(job);
        commit(two(job));
        long second = failAndMeasureDelay(job);
        commit(two(job));

        assertThat(first).isPositive();
        assertThat(second).isGreaterThan(first);
        assertThat(waitsOrEnds(job)).isEqualTo(JobState.FAILED);
        assertThat(run(job).failures()).isEqualTo(3);
        assertThat(run(job).stopping()).isEqualTo(EndCause.EXIT_CODE);
        assertNothingHeld();
    }

    @Test
    final void aJobThatGaveWayOftenBacksOffAsAtItsFirstFailure() {
        JobId job = allocated();
        for (EndCause cause : List.of(EndCause.PREEMPTED, EndCause.RECLAIMED, EndCause.PREEMPTED)) {
            stop(job, cause);
            see(job, MemberPhase.GONE, cause);
            assertThat(waiting(job).notBeforeMicros()).as("at once").isZero();
            commit(two(job));
        }
        assertThat(failAndMeasureDelay(job)).isBetween(1L, 1_000_000L);
    }

    @Test
    final void aChangeOfAnOlderVersionIsNotWritten() {
        JobId job = allocated();
        JobRun old = run(job);
        see(job, MemberPhase.RUNNING, null);
        JobRun after = JobLife.stop(old, EndCause.PREEMPTED);

        assertThat(store.ledger().apply(List.of(new Change(old, after)), leader))
                .isEmpty();
        assertThat(run(job).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    final void runsAreFoundByTheirMembers() {
        JobId job = allocated();
        AllocationId member = run(job).members().get(1).id();

        assertThat(store.ledger().runsOf(List.of(member, new AllocationId(999_999))))
                .containsExactly(run(job));
        assertThat(store.ledger().runs(List.of(new JobId(UUID.randomUUID())))).isEmpty();
        see(job, MemberPhase.SUCCEEDED, null);
        assertThat(store.ledger().runsOf(List.of(member))).isEmpty();
    }

    /** A job of two members with one GPU each, on n0. */
    private JobId allocated() {
        nodes(1);
        JobId job = submit(job("two", 2, 1));
        assertThat(commit(two(job)).committed()).isEqualTo(Set.of(job));
        return job;
    }

    private Placement two(JobId job) {
        return place(job, waiting(job).version(), List.of(pod(job, 0, "n0", 0), pod(job, 1, "n0", 1)));
    }

    private long failAndMeasureDelay(JobId job) {
        assertThat(waitsOrEnds(job)).isEqualTo(JobState.QUEUED);
        return waiting(job).notBeforeMicros() - everything().nowMicros();
    }

    private JobState waitsOrEnds(JobId job) {
        return see(job, MemberPhase.FAILED, EndCause.EXIT_CODE).state();
    }
}
