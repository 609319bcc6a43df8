package dev.tutti.model.life;

import dev.tutti.model.AllocationId;
import dev.tutti.model.NodeId;
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
 */
public record Member(
        AllocationId id,
        String podSet,
        int rank,
        NodeId node,
        MemberPhase phase,
        @Nullable String podUid,
        @Nullable EndCause cause,
        @Nullable EndCause leaving) {

    /** A member that nobody asked to leave. */
    public Member(
            AllocationId id,
            String podSet,
            int rank,
            NodeId node,
            MemberPhase phase,
            @Nullable String podUid,
            @Nullable EndCause cause) {
        this(id, podSet, rank, node, phase, podUid, cause, null);
    }

    /** Whether it is one of those that make up the job: it was not asked to leave. */
    public boolean stays() {
        return leaving == null;
    }

    /** The same member, asked to leave. */
    Member leave(EndCause why) {
        return new Member(id, podSet, rank, node, phase, podUid, cause, why);
    }

    Member with(MemberFact fact) {
        boolean later = fact.phase().compareTo(phase) > 0 && !phase.isReleased();
        MemberPhase next = later ? fact.phase() : phase;
        String uid = podUid == null ? fact.podUid() : podUid;
        return new Member(id, podSet, rank, node, next, uid, later ? causeOf(fact) : cause, leaving);
    }

    /** Why it was asked to leave is why it ended, whatever its containers returned. */
    private @Nullable EndCause causeOf(MemberFact fact) {
        return leaving != null && fact.phase().isReleased() ? leaving : fact.cause();
    }
}
