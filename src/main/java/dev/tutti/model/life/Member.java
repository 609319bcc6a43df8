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
 */
public record Member(
        AllocationId id,
        String podSet,
        int rank,
        NodeId node,
        MemberPhase phase,
        @Nullable String podUid,
        @Nullable EndCause cause) {

    Member with(MemberFact fact) {
        boolean later = fact.phase().compareTo(phase) > 0 && !phase.isReleased();
        MemberPhase next = later ? fact.phase() : phase;
        String uid = podUid == null ? fact.podUid() : podUid;
        return new Member(id, podSet, rank, node, next, uid, later ? fact.cause() : cause);
    }
}
