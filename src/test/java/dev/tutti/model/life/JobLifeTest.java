package dev.tutti.model.life;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The one state machine, one event at a time. */
class JobLifeTest {

    private static final JobId JOB = new JobId(new UUID(7, 1));
    private static final int FORGIVEN = 1;

    private static JobRun run(JobState state) {
        return run(state, null, state == JobState.SUSPENDED);
    }

    private static JobRun run(JobState state, @Nullable EndCause stopping, boolean suspend) {
        MemberPhase phase = state == JobState.ALLOCATED ? MemberPhase.COMMITTED : MemberPhase.RUNNING;
        List<Member> members = state.isLive()
                ? List.of(
                        new Member(new AllocationId(1), "worker", 0, new NodeId(1), phase, "uid-1", null),
                        new Member(new AllocationId(2), "worker", 1, new NodeId(1), phase, "uid-2", null))
                : List.of();
        return new JobRun(JOB, 3, state, stopping, suspend, 1, 0, FORGIVEN, members);
    }

    private static JobRun see(JobRun run, long member, MemberPhase phase, @Nullable EndCause cause) {
        return JobLife.observe(run, List.of(new MemberFact(new AllocationId(member), phase, null, cause)));
    }

    private static JobRun ended(JobRun run) {
        return see(see(run, 1, MemberPhase.FAILED, EndCause.EXIT_CODE), 2, MemberPhase.FAILED, EndCause.EXIT_CODE);
    }

    @Test
    void aNewJobWaitsInItsQueueOrIsSuspended() {
        assertThat(JobLife.first(false)).isEqualTo(JobState.QUEUED);
        assertThat(JobLife.first(true)).isEqualTo(JobState.SUSPENDED);
    }

    @Test
    void aWaitingJobIsSuspendedAndResumedAtOnce() {
        JobRun suspended = JobLife.suspend(run(JobState.QUEUED));

        assertThat(suspended.state()).isEqualTo(JobState.SUSPENDED);
        assertThat(suspended.suspend()).isTrue();
        assertThat(JobLife.suspend(suspended)).isEqualTo(suspended);
        JobRun resumed = JobLife.resume(suspended);
        assertThat(resumed).isEqualTo(run(JobState.QUEUED));
        assertThat(JobLife.resume(resumed)).isEqualTo(resumed);
    }

    @ParameterizedTest
    @EnumSource(
            value = JobState.class,
            names = {"ALLOCATED", "RUNNING"})
    void aLiveJobStopsFirstAndIsSuspendedWhenItsLastMemberEnded(JobState state) {
        JobRun stopping = JobLife.suspend(run(state));

        assertThat(stopping.state()).isEqualTo(JobState.STOPPING);
        assertThat(stopping.stopping()).as("a suspension is no end cause").isNull();
        assertThat(JobLife.suspend(stopping)).isEqualTo(stopping);
        JobRun half = see(stopping, 1, MemberPhase.FAILED, EndCause.EXIT_CODE);
        assertThat(half.state()).as("house rule R1").isEqualTo(JobState.STOPPING);
        JobRun lost = see(half, 2, MemberPhase.LOST, EndCause.NODE_LOST);
        assertThat(lost.state()).as("quarantine holds it").isEqualTo(JobState.STOPPING);
        JobRun suspended = see(lost, 2, MemberPhase.GONE, EndCause.NODE_LOST);
        assertThat(suspended.state()).isEqualTo(JobState.SUSPENDED);
        assertThat(suspended.failures()).as("the signal to stop is no failure").isZero();
        assertThat(suspended.stopping()).isNull();
    }

    @Test
    void aJobResumedWhileItStopsGoesToItsQueueThen() {
        JobRun resumed = JobLife.resume(JobLife.suspend(run(JobState.RUNNING)));

        assertThat(resumed.state()).isEqualTo(JobState.STOPPING);
        JobRun queued = ended(resumed);
        assertThat(queued.state()).isEqualTo(JobState.QUEUED);
        assertThat(queued.failures()).isZero();
        JobRun again = ended(JobLife.suspend(resumed));
        assertThat(again.state()).as("and suspended once more").isEqualTo(JobState.SUSPENDED);
    }

    @ParameterizedTest
    @EnumSource(
            value = EndCause.class,
            names = {"PREEMPTED", "RECLAIMED", "MOVED", "NODE_LOST", "DEVICE_LOST", "REJECTED_BY_NODE"})
    void aJobThatStopsForAnotherReasonIsSuspendedInsteadOfQueued(EndCause cause) {
        JobRun stopping = JobLife.suspend(JobLife.stop(run(JobState.RUNNING), cause));

        assertThat(stopping.stopping()).as("the first cause stays").isEqualTo(cause);
        JobRun suspended = ended(stopping);
        assertThat(suspended.state()).isEqualTo(JobState.SUSPENDED);
        assertThat(suspended.failures()).isZero();
    }

    @Test
    void aCancelWinsOverASuspensionWhateverTheOrder() {
        JobRun suspendedFirst = JobLife.stop(JobLife.suspend(run(JobState.RUNNING)), EndCause.CANCELLED_BY_USER);
        JobRun cancelledFirst = JobLife.suspend(JobLife.stop(run(JobState.RUNNING), EndCause.CANCELLED_BY_USER));

        assertThat(ended(suspendedFirst).state()).isEqualTo(JobState.CANCELLED);
        assertThat(ended(cancelledFirst).state()).isEqualTo(JobState.CANCELLED);
        assertThat(suspendedFirst).isEqualTo(cancelledFirst);
        JobRun waiting = JobLife.stop(run(JobState.SUSPENDED), EndCause.CANCELLED_BY_USER);
        assertThat(waiting.state()).isEqualTo(JobState.CANCELLED);
        assertThat(waiting.suspend()).isFalse();
    }

    @Test
    void aFailureThatIsTheLastOneEndsTheJobSuspendedOrNot() {
        JobRun failing = see(run(JobState.RUNNING), 1, MemberPhase.FAILED, EndCause.EXIT_CODE);
        assertThat(JobLife.comesBack(failing)).as("one failure is forgiven").isTrue();
        assertThat(ended(JobLife.suspend(failing)).state()).isEqualTo(JobState.SUSPENDED);

        JobRun last = new JobRun(
                JOB, 3, JobState.STOPPING, EndCause.EXIT_CODE, false, 2, FORGIVEN, FORGIVEN, failing.members());
        assertThat(JobLife.comesBack(last)).isFalse();
        assertThat(ended(JobLife.suspend(last)).state()).isEqualTo(JobState.FAILED);
    }

    @ParameterizedTest
    @EnumSource(
            value = JobState.class,
            names = {"SUCCEEDED", "CANCELLED", "TIMED_OUT", "FAILED"})
    void whatHasEndedStaysAsItIs(JobState state) {
        JobRun over = run(state, EndCause.COMPLETED, false);

        assertThat(JobLife.comesBack(over)).isFalse();
        assertThat(JobLife.suspend(over)).isEqualTo(over);
        assertThat(JobLife.resume(over)).isEqualTo(over);
        assertThat(JobLife.stop(over, EndCause.CANCELLED_BY_USER)).isEqualTo(over);
    }

    @ParameterizedTest
    @EnumSource(
            value = EndCause.class,
            names = {"EXIT_CODE", "COMPLETED"},
            mode = Mode.EXCLUDE)
    void onlyTheJobsOwnFaultCostsAFailure(EndCause cause) {
        assertThat(ended(JobLife.stop(run(JobState.RUNNING), cause)).failures()).isZero();
    }
}
