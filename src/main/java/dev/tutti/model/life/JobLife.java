package dev.tutti.model.life;

import static dev.tutti.model.life.JobState.ALLOCATED;
import static dev.tutti.model.life.JobState.CANCELLED;
import static dev.tutti.model.life.JobState.FAILED;
import static dev.tutti.model.life.JobState.QUEUED;
import static dev.tutti.model.life.JobState.RUNNING;
import static dev.tutti.model.life.JobState.STOPPING;
import static dev.tutti.model.life.JobState.SUCCEEDED;
import static dev.tutti.model.life.JobState.SUSPENDED;
import static dev.tutti.model.life.JobState.TIMED_OUT;

import dev.tutti.model.AllocationId;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The one job state machine (house rule R8). Pure: a run and what happened in, the next run out. It decides states only;
 * what must be written or deleted because of a change is read off the difference by whoever carries it out.
 *
 * <p>A live attempt leaves STOPPING only when the end of its last member is confirmed (house rule R1), so no job ever
 * has two live attempts.
 */
public final class JobLife {

    private static final Map<JobState, Set<JobState>> ALLOWED = allowed();

    private JobLife() {}

    /** Whether a job may go from {@code from} straight to {@code to}. Staying is always allowed. */
    public static boolean allows(JobState from, JobState to) {
        return from == to || ALLOWED.getOrDefault(from, Set.of()).contains(to);
    }

    /** The state a new job begins in. */
    public static JobState first(boolean suspended) {
        return suspended ? SUSPENDED : QUEUED;
    }

    /** What {@code facts} about members of the live attempt make of {@code run}. Facts about others are ignored. */
    public static JobRun observe(JobRun run, Collection<MemberFact> facts) {
        if (!run.state().isLive()) {
            return run;
        }
        Map<AllocationId, Member> members = new TreeMap<>();
        run.members().forEach(member -> members.put(member.id(), member));
        facts.forEach(fact -> members.computeIfPresent(fact.allocation(), (id, member) -> member.with(fact)));
        return settle(run.with(members.values().stream()
                .map(member -> neverJoined(run, member) ? member.leave(whyNot(member)) : member)
                .toList()));
    }

    /**
     * Whether a member came to a job that runs and ended before it ran: then the job runs on as if it had never come. One of
     * a later stage is no such guest: its gang was placed with it.
     */
    private static boolean neverJoined(JobRun run, Member member) {
        return run.state() == RUNNING
                && !member.isOfLaterStage()
                && member.stays()
                && member.phase().hasStarted()
                && member.phase() != MemberPhase.RUNNING
                && member.phase() != MemberPhase.SUCCEEDED
                && member.cause() != EndCause.EXIT_CODE
                && run.members().stream()
                        .anyMatch(before -> before.id().equals(member.id())
                                && !before.phase().hasStarted());
    }

    private static EndCause whyNot(Member member) {
        return member.cause() == null ? EndCause.NODE_LOST : member.cause();
    }

    /**
     * What becomes of a job whose members did not come further in time: a gang that never ran whole stops, and so does one
     * that lacks members of a later stage; one that runs goes on without the others. Others are returned as they are.
     *
     * @param phase where they are still: COMMITTED of those that are not bound, BOUND of those that do not run
     */
    public static JobRun giveUp(JobRun run, MemberPhase phase) {
        if (run.state() == ALLOCATED) {
            return stop(run, EndCause.NOT_READY_IN_TIME);
        }
        List<Member> late =
                run.staying().filter(member -> member.phase() == phase).toList();
        if (run.state() == RUNNING && late.stream().anyMatch(Member::isOfLaterStage)) {
            return stop(run, EndCause.NOT_READY_IN_TIME);
        }
        return leave(run, late.stream().map(Member::rank).collect(Collectors.toSet()), EndCause.NOT_READY_IN_TIME);
    }

    /**
     * Asks {@code run} to stop for {@code cause}. A waiting job ends or stays waiting at once; a live attempt becomes
     * STOPPING and keeps what it holds. A job that is already stopping keeps its first cause, except that a cancel by
     * its user always wins; a final job is returned as it is.
     */
    public static JobRun stop(JobRun run, EndCause cause) {
        return switch (run.state()) {
            case QUEUED, SUSPENDED ->
                endsWaiting(cause) ? to(run, endState(run, cause), cause).withSuspend(false) : run;
            case ALLOCATED, RUNNING -> settle(to(run, STOPPING, cause));
            case STOPPING ->
                cause == EndCause.CANCELLED_BY_USER ? run.to(STOPPING, cause).withSuspend(false) : run;
            default -> run;
        };
    }

    /**
     * Asks {@code run} to be suspended. A waiting job is SUSPENDED at once. A live attempt becomes STOPPING without an end
     * cause and keeps what it holds; one that is stopping and would go back to its queue is SUSPENDED instead. What does
     * not come back ({@link #comesBack}) is returned as it is.
     */
    public static JobRun suspend(JobRun run) {
        return switch (run.state()) {
            case QUEUED -> to(run, SUSPENDED, null).withSuspend(true);
            case ALLOCATED, RUNNING -> settle(to(run, STOPPING, null).withSuspend(true));
            case STOPPING -> run.withSuspend(comesBack(run));
            default -> run;
        };
    }

    /**
     * Takes a suspension back: a SUSPENDED job waits in its queue, and one that is still stopping will. Others are returned
     * as they are.
     */
    public static JobRun resume(JobRun run) {
        return switch (run.state()) {
            case SUSPENDED -> to(run, QUEUED, null).withSuspend(false);
            case STOPPING -> run.withSuspend(false);
            default -> run;
        };
    }

    /**
     * Asks the members of highest rank of one pod set to leave until {@code count} stay. The others run on; those asked keep
     * what they hold until their end is confirmed. A job that is not ALLOCATED or RUNNING is returned as it is.
     *
     * @param count at least 1
     */
    public static JobRun shrink(JobRun run, String podSet, int count) {
        Set<Integer> ranks = run.staying()
                .filter(member -> member.podSet().equals(podSet))
                .map(Member::rank)
                .sorted()
                .skip(count)
                .collect(Collectors.toSet());
        return leave(run, ranks, EndCause.CANCELLED_BY_USER);
    }

    /**
     * Takes some members from a job that runs on without them. As it is comes back a job that is not ALLOCATED or RUNNING,
     * and one of which fewer living members than its minimum would stay: such a job gives up everything or nothing.
     *
     * @param ranks who has to leave; ranks that have ended or are leaving already count for nothing
     * @param cause PREEMPTED, RECLAIMED or another reason to take them
     * @param minCounts for each pod set how many must stay
     */
    public static JobRun evict(JobRun run, Collection<Integer> ranks, EndCause cause, Map<String, Integer> minCounts) {
        JobRun after = leave(run, Set.copyOf(ranks), cause);
        Map<String, Long> staying = after.staying()
                .filter(member -> !member.phase().isReleased())
                .collect(Collectors.groupingBy(Member::podSet, Collectors.counting()));
        boolean enough = minCounts.entrySet().stream()
                .allMatch(entry -> staying.getOrDefault(entry.getKey(), 0L) >= entry.getValue());
        return enough ? after : run;
    }

    private static JobRun leave(JobRun run, Set<Integer> ranks, EndCause cause) {
        if (run.state() != ALLOCATED && run.state() != RUNNING) {
            return run;
        }
        return settle(run.with(run.members().stream()
                .map(member -> ranks.contains(member.rank())
                                && member.stays()
                                && !member.phase().isReleased()
                        ? member.leave(cause)
                        : member)
                .toList()));
    }

    /** Whether the job may wait or run again: it has not ended, and is not stopping for good. */
    public static boolean comesBack(JobRun run) {
        if (run.state() != STOPPING) {
            return !run.state().isFinal();
        }
        return !endState(counted(run), run.stopping()).isFinal();
    }

    private static JobRun settle(JobRun run) {
        return switch (run.state()) {
            case ALLOCATED, RUNNING -> settleLive(run);
            case STOPPING -> run.allReleased() ? end(run) : run;
            default -> run;
        };
    }

    private static JobRun settleLive(JobRun run) {
        EndCause trouble = trouble(run);
        if (trouble != null) {
            return settle(to(run, STOPPING, trouble));
        }
        JobRun next = StageCall.call(run);
        if (run.state() == ALLOCATED && StageCall.allRun(next)) {
            next = to(next, RUNNING, null);
        }
        return next.allReleased() ? to(next, SUCCEEDED, EndCause.COMPLETED) : next;
    }

    /**
     * The worst thing that befell a member, in the order of the phases; null when all is well. Members that were asked to
     * leave end as they are asked to.
     */
    private static @Nullable EndCause trouble(JobRun run) {
        return run.staying()
                .filter(member -> member.phase() == MemberPhase.LOST
                        || member.phase() == MemberPhase.FAILED
                        || member.phase() == MemberPhase.GONE)
                .map(member -> member.cause() == null ? EndCause.NODE_LOST : member.cause())
                .min(EndCause::compareTo)
                .orElse(null);
    }

    private static JobRun end(JobRun run) {
        EndCause cause = run.stopping();
        JobRun counted = counted(run);
        JobState next = endState(counted, cause);
        boolean suspended = next == QUEUED && run.suspend();
        return to(counted, suspended ? SUSPENDED : next, cause).withSuspend(suspended);
    }

    /** The run with its failure counted, if its attempt ended by the job's own fault. */
    private static JobRun counted(JobRun run) {
        return run.stopping() != null && run.stopping().countsAsFailure() ? run.withFailures(run.failures() + 1) : run;
    }

    /**
     * Where a job goes whose last member is confirmed ended, or that ends while it waits; without a cause only a suspension
     * stopped it.
     */
    private static JobState endState(JobRun run, @Nullable EndCause cause) {
        if (cause == null) {
            return QUEUED;
        }
        return switch (cause) {
            case COMPLETED -> SUCCEEDED;
            case CANCELLED_BY_USER -> CANCELLED;
            case MAX_RUNTIME, DEADLINE -> TIMED_OUT;
            case DEPENDENCY_FAILED, QUEUE_REMOVED, UNREADABLE -> FAILED;
            case EXIT_CODE -> run.failures() > run.maxFailures() ? FAILED : QUEUED;
            case PREEMPTED, RECLAIMED, MOVED, NODE_LOST, DEVICE_LOST, REJECTED_BY_NODE, NOT_READY_IN_TIME -> QUEUED;
        };
    }

    private static boolean endsWaiting(EndCause cause) {
        return switch (cause) {
            case CANCELLED_BY_USER, DEADLINE, DEPENDENCY_FAILED, QUEUE_REMOVED, UNREADABLE -> true;
            default -> false;
        };
    }

    private static JobRun to(JobRun run, JobState next, @Nullable EndCause cause) {
        if (!allows(run.state(), next)) {
            throw new IllegalStateException("job " + run.job() + " may not go from " + run.state() + " to " + next);
        }
        return run.to(next, cause);
    }

    private static Map<JobState, Set<JobState>> allowed() {
        Map<JobState, Set<JobState>> table = new EnumMap<>(JobState.class);
        table.put(QUEUED, Set.of(ALLOCATED, SUSPENDED, CANCELLED, TIMED_OUT, FAILED));
        table.put(SUSPENDED, Set.of(QUEUED, CANCELLED, TIMED_OUT, FAILED));
        table.put(ALLOCATED, Set.of(RUNNING, STOPPING));
        table.put(RUNNING, Set.of(STOPPING, SUCCEEDED));
        table.put(STOPPING, Set.of(QUEUED, SUSPENDED, CANCELLED, TIMED_OUT, FAILED));
        return table;
    }
}
