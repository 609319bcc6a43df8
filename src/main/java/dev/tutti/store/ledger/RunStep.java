package dev.tutti.store.ledger;

import dev.tutti.control.Backoff;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.Reason;
import dev.tutti.store.Json;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One run before and after: what must be written because of the difference. It decides no state.
 *
 * @param earlier how often the job backed off before
 * @param beneficiary for whom it stops, or stopped when it ended meanwhile; null for nobody
 */
record RunStep(
        JobRun before, JobRun after, int earlier, @Nullable JobId beneficiary) {

    RunStep {
        if (!before.job().equals(after.job())) {
            throw new IllegalArgumentException("a change of " + before.job() + " into " + after.job());
        }
    }

    JobId job() {
        return before.job();
    }

    boolean moved() {
        return before.state() != after.state();
    }

    /** Whether it is worth telling: a new state, a cancel that takes the place of the first cause, a new wish. */
    boolean tells() {
        return moved() || before.stopping() != after.stopping() || before.suspend() != after.suspend();
    }

    boolean requeued() {
        return moved() && after.state() == JobState.QUEUED && before.state().isLive();
    }

    /** The state that was passed so fast that nobody saw it; null when the step is a single one. */
    @Nullable
    JobState between() {
        if (JobLife.allows(before.state(), after.state())) {
            return null;
        }
        return Arrays.stream(JobState.values())
                .filter(state -> JobLife.allows(before.state(), state) && JobLife.allows(state, after.state()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "job " + job() + " may not go from " + before.state() + " to " + after.state()));
    }

    boolean starts() {
        return moved() && (after.state() == JobState.RUNNING || between() == JobState.RUNNING);
    }

    boolean stops() {
        return moved() && (after.state() == JobState.STOPPING || between() == JobState.STOPPING);
    }

    boolean endsAttempt() {
        return before.state().isLive() && !after.state().isLive();
    }

    /** Whether it was running and no longer is. */
    boolean halts() {
        return moved() && before.state() == JobState.RUNNING;
    }

    /** Whether its run time counts from zero again: all ends of an attempt but that by a suspension. */
    boolean beginsAnew() {
        return endsAttempt() && after.stopping() != null;
    }

    boolean movesAttempt() {
        return starts() || endsAttempt();
    }

    /** What stands in the job row: a cause only while it stops and once it has ended. */
    @Nullable
    EndCause cause() {
        return after.state() == JobState.STOPPING || after.state().isFinal() ? after.stopping() : null;
    }

    /** For whom it is stopping: with a cancel of its own user it stops for nobody. */
    @Nullable
    UUID stoppingFor() {
        return after.state() == JobState.STOPPING ? madeWayFor() : null;
    }

    /** For whom its run has ended. */
    @Nullable
    UUID stoppedFor() {
        return endsAttempt() ? madeWayFor() : null;
    }

    /** For whom, whether it is stopping or has stopped. */
    @Nullable
    UUID madeWayFor() {
        EndCause cause = after.stopping();
        return beneficiary != null && cause != null && cause.isEviction() ? beneficiary.value() : null;
    }

    Duration delay() {
        EndCause cause = after.stopping();
        return requeued() && cause != null ? Backoff.ofJob(cause, earlier) : Duration.ZERO;
    }

    /** Neither a suspension nor a stronger job of its queue is a reason to leave the job alone. */
    int backOffs() {
        EndCause cause = after.stopping();
        return cause == null || cause == EndCause.PREEMPTED ? earlier : earlier + 1;
    }

    @Nullable
    String reasonCode() {
        Reason reason = reason();
        return reason == null ? null : reason.code().name();
    }

    @Nullable
    String reasonJson() {
        Reason reason = reason();
        return reason == null ? null : Json.write(reason);
    }

    private @Nullable Reason reason() {
        return switch (after.state()) {
            case QUEUED -> delay().isZero() ? Reasons.NOT_YET_EVALUATED : Reasons.backingOff(delay());
            case SUSPENDED -> Reasons.SUSPENDED;
            default -> null;
        };
    }

    /** Members that are asked to leave by this step, while the others run on. */
    List<Member> leavers() {
        return changedMembers().stream()
                .filter(member -> !member.stays() && stored(member).stays())
                .toList();
    }

    /** Members whose pods are to be made from this step on. */
    List<Member> called() {
        return changedMembers().stream()
                .filter(member -> member.phase() == MemberPhase.COMMITTED
                        && stored(member).phase() == MemberPhase.WAITING)
                .toList();
    }

    private Member stored(Member member) {
        return before.members().stream()
                .filter(one -> one.id().equals(member.id()))
                .findFirst()
                .orElse(member);
    }

    /** Members that differ from what is stored. */
    List<Member> changedMembers() {
        Map<?, Member> stored = before.members().stream().collect(Collectors.toMap(Member::id, Function.identity()));
        return after.members().stream()
                .filter(member -> !member.equals(stored.get(member.id())))
                .toList();
    }
}
