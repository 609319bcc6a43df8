package dev.tutti.model.life;

import dev.tutti.model.AllocationId;
import dev.tutti.model.NodeId;
import dev.tutti.model.job.StartAfter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One pod of a gang, in one attempt.
 *
 * @param id its allocation
 * @param podSet name of its pod set
 * @param rank its place in the whole job, from 0
 * @param node where its devices are held
 * @param phase how far it has come
 * @param podUid the pod's UID once one was created; null before
 * @param cause why it ended; null while it has not
 * @param leaving why it was asked to leave while the others run on; null when it was not. It holds what it holds until its
 *     end is confirmed, and what becomes of it is no trouble of the job's
 * @param startAfter the pod sets it waits for while it is WAITING, or did; empty for one that was called at once
 */
public record Member(
        AllocationId id,
        String podSet,
        int rank,
        NodeId node,
        MemberPhase phase,
        @Nullable String podUid,
        @Nullable EndCause cause,
        @Nullable EndCause leaving,
        List<StartAfter> startAfter) {

    public Member {
        startAfter = List.copyOf(startAfter);
    }

    /** A member that was called at once and that nobody asked to leave. */
    public Member(
            AllocationId id,
            String podSet,
            int rank,
            NodeId node,
            MemberPhase phase,
            @Nullable String podUid,
            @Nullable EndCause cause) {
        this(id, podSet, rank, node, phase, podUid, cause, null, List.of());
    }

    /** Whether it is one of those that make up the job: it was not asked to leave. */
    public boolean stays() {
        return leaving == null;
    }

    /** The same member, asked to leave. */
    Member leave(EndCause why) {
        return new Member(id, podSet, rank, node, phase, podUid, cause, why, startAfter);
    }

    Member with(MemberFact fact) {
        boolean later = fact.phase().compareTo(phase) > 0 && !phase.isReleased();
        MemberPhase next = later ? fact.phase() : phase;
        String uid = podUid == null ? fact.podUid() : podUid;
        return new Member(id, podSet, rank, node, next, uid, later ? causeOf(fact) : cause, leaving, startAfter);
    }

    /** The same member, whose pod is to be made. */
    Member call() {
        return new Member(id, podSet, rank, node, MemberPhase.COMMITTED, podUid, cause, leaving, startAfter);
    }

    /** Whether it is or was one of a later stage, so that the job is not whole without it although it runs. */
    boolean isOfLaterStage() {
        return !startAfter.isEmpty();
    }

    /** Why it was asked to leave is why it ended, whatever its containers returned. */
    private @Nullable EndCause causeOf(MemberFact fact) {
        return leaving != null && fact.phase().isReleased() ? leaving : fact.cause();
    }
}
