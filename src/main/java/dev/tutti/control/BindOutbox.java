package dev.tutti.control;

import dev.tutti.model.AllocationId;
import dev.tutti.model.ClusterId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** The committed wishes towards clusters, claimed with a time limit and settled when done. */
public interface BindOutbox {

    /**
     * Claims up to {@code limit} open tasks of one cluster that are due, oldest first, for {@code claimTime} by the
     * database's clock. A claimed BIND counts as "may have bound" from this moment on. No task is claimed twice at a
     * time, and a new wish for an allocation is handed out only when the claim of the old one is settled or over.
     *
     * <p>The tasks handed out say {@code mayHaveBound} as it was before this very claim: true only when an earlier claim
     * may have bound. The first claim of a BIND says false.
     */
    List<BindTask> claim(ClusterId cluster, int limit, Duration claimTime, Actor.Leader leader);

    /** Settles claimed tasks. Ones whose wish changed in the meantime stay open for the new wish. */
    void settle(Collection<Settlement> settlements, Actor.Leader leader);

    /** Tasks an earlier term left claimed and unsettled: a new leader touches their pods before it binds anything. */
    List<BindTask> unsettledOfEarlierTerms(ClusterId cluster, int limit, Actor.Leader leader);

    /** Makes these claims of earlier terms void, so that the tasks are handed out again. */
    void reopen(Collection<AllocationId> allocations, Actor.Leader leader);

    /**
     * How one claimed task ended.
     *
     * @param allocation the member
     * @param generation the generation that was claimed
     * @param done true when nothing is left to do; false to try again after {@code retryAfter}
     * @param neverSent true when it is certain that neither this claim nor an earlier one bound anything: "may have
     *     bound" becomes false again, even when the wish changed in the meantime
     * @param retryAfter wait before the next claim; zero when done
     */
    record Settlement(AllocationId allocation, long generation, boolean done, boolean neverSent, Duration retryAfter) {}
}
