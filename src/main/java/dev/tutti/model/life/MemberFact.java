package dev.tutti.model.life;

import dev.tutti.model.AllocationId;
import org.jspecify.annotations.Nullable;

/**
 * Something a cluster said about one member. Facts may come late, twice and in any order.
 *
 * @param allocation the member
 * @param phase what was seen
 * @param podUid the pod it was seen on, if any
 * @param cause why it ended; null where it has not
 */
public record MemberFact(
        AllocationId allocation,
        MemberPhase phase,
        @Nullable String podUid,
        @Nullable EndCause cause) {}
