package dev.tutti.control;

import dev.tutti.allocator.Plan;
import dev.tutti.model.AllocationId;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobRun;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The only writer of allocations (house rule R3). Every method is one short transaction; each set of rows is one
 * statement, whatever its size. Throws {@link Deposed} when the leader's term is over and {@link OutcomeUnknown} when
 * a reply was lost.
 */
public interface Ledger {

    /**
     * Makes a plan true: allocations, held devices, bind tasks, job states, changed verdicts, evictions, events and audit, in
     * one transaction. Verdicts that are told anew with the code they have are news to nobody: no event, and no new version. A gang commits whole or not at all; when a constraint refuses the batch it is halved until the
     * offender is alone, and the rest stands. The evictions for one job stand or fall together: only while it waits, and only
     * if every victim still runs and is what it was read as; each victim becomes STOPPING as {@link #apply} says.
     *
     * @param id names this commit; committing the same id again returns the first receipt
     */
    Receipt commit(PlanId id, Plan plan, Actor.Leader leader);

    /**
     * Lets readers see what is planned for later: these reservations, of those jobs that wait still, and no others. Allocates
     * nothing.
     */
    void show(List<Plan.Reservation> reservations, Actor.Leader leader);

    /** The receipt of a commit whose reply was lost; empty when it never happened. */
    Optional<Receipt> receipt(PlanId id);

    /** The runs these allocations belong to, with all their members; ended attempts and unknown ids are left out. */
    List<JobRun> runsOf(Collection<AllocationId> allocations);

    /** The runs of these jobs; unknown ids are left out. */
    List<JobRun> runs(Collection<JobId> jobs);

    /**
     * Writes state changes that {@code JobLife} decided. For each run whose row still has the version it was read at:
     * job state, member phases and pod UIDs; capacity of members now released is freed; when the state became
     * STOPPING every member not yet released gets the wish "delete its pod", and so does each one that was asked to leave
     * while the others run on; attempts that ended are closed; events
     * and audit. A job that goes back to QUEUED backs off as {@code Backoff} says.
     *
     * @return the jobs written; the others were stale and nothing of them is stored
     */
    Set<JobId> apply(Collection<Change> changes, Actor actor);

    /**
     * ALLOCATED jobs whose members are not all bound or better after this long, by the database's clock, and RUNNING ones
     * that got a member so long ago which is not. Members that were asked to leave do not count.
     */
    List<JobId> unboundFor(Duration deadline);

    /**
     * ALLOCATED jobs all of whose members are bound and do not all run so long after the last was, and RUNNING ones with
     * members that are bound and do not run so long after the last of these was, by the database's clock. At most some thousand
     * at a time.
     *
     * @param timeout for jobs that do not say themselves how long their pods may take
     */
    List<Overdue> notReadyFor(Duration timeout);

    /**
     * Jobs whose time is over, by the database's clock: RUNNING for longer than they may, QUEUED for longer than they may,
     * or past their deadline. Jobs that are stopping are left out. At most some thousand at a time.
     */
    List<Overdue> overdue();

    /**
     * Members of one cluster that were bound and whose end is not confirmed (BOUND or RUNNING), to be compared with the
     * pods that are there. LOST ones are left out: there is nothing to find.
     */
    List<BoundMember> bound(ClusterId cluster);

    /**
     * LOST members of one cluster whose quarantine is over: {@code quietTime} plus the job's own grace has passed since
     * they were lost, because a kubelet that hears of a pod's end late still gives it its grace; and all that time their
     * node has been ready without a break, or their node object is gone, which is its operator's word that the machine
     * is dead.
     *
     * @param watched for how long the cluster has been watched without a gap: a break of a node inside a gap stays
     *     unknown, so nothing is over that needs longer than this
     */
    List<AllocationId> quarantineOver(ClusterId cluster, Duration quietTime, Duration watched);

    /**
     * A member that holds a node.
     *
     * @param podUid UID of its pod; null when it was never told
     */
    record BoundMember(
            AllocationId allocation,
            JobId job,
            int attempt,
            int rank,
            @Nullable String podUid) {}

    /**
     * A job whose time is over.
     *
     * @param version row version at which it is; at another one it may no longer be
     * @param cause MAX_RUNTIME, DEADLINE or NOT_READY_IN_TIME
     */
    record Overdue(JobId job, long version, EndCause cause) {}

    /** One run before and after. */
    record Change(JobRun before, JobRun after) {}
}
