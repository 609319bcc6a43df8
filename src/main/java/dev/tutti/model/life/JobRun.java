package dev.tutti.model.life;

import dev.tutti.model.JobId;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A job and its live attempt, as the state machine sees them.
 *
 * @param job the job
 * @param version row version the values were read at; a write on another version is stale
 * @param state where it is
 * @param stopping why it is STOPPING, or why it ended; null before, and where only a suspension stops or stopped it
 * @param suspend whether its user wants it to be SUSPENDED once it is not live
 * @param attempt number of the live or the last attempt, from 1; 0 before the first
 * @param failures attempts that failed by the job's own fault
 * @param maxFailures how many of them are forgiven
 * @param members members of the live attempt; empty without one
 */
public record JobRun(
        JobId job,
        long version,
        JobState state,
        @Nullable EndCause stopping,
        boolean suspend,
        int attempt,
        int failures,
        int maxFailures,
        List<Member> members) {

    public JobRun {
        members = List.copyOf(members);
    }

    JobRun to(JobState next, @Nullable EndCause cause) {
        return new JobRun(job, version, next, cause, suspend, attempt, failures, maxFailures, members);
    }

    JobRun with(List<Member> nextMembers) {
        return new JobRun(job, version, state, stopping, suspend, attempt, failures, maxFailures, nextMembers);
    }

    JobRun withFailures(int count) {
        return new JobRun(job, version, state, stopping, suspend, attempt, count, maxFailures, members);
    }

    JobRun withSuspend(boolean wanted) {
        return new JobRun(job, version, state, stopping, wanted, attempt, failures, maxFailures, members);
    }

    /** Members that were not asked to leave, in the order of {@link #members}. */
    public Stream<Member> staying() {
        return members.stream().filter(Member::stays);
    }

    /** Whether every member's end is confirmed. */
    public boolean allReleased() {
        return members.stream().allMatch(member -> member.phase().isReleased());
    }
}
