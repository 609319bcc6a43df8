package dev.tutti.control;

import dev.tutti.model.AllocationId;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster shall be made to look like for one allocation: the row that says so was committed before any call
 * (house rule R4). Tasks are wishes, not commands: carrying one out twice is harmless.
 *
 * @param allocation the member
 * @param generation counts up when the wish changes and when the task is claimed; settling an older one is without
 *     effect
 * @param wish what is wanted
 * @param cluster where
 * @param order the pod
 * @param podUid UID of the pod once known; null before
 * @param mayHaveBound whether a bind was ever sent or may have been: then "not there" proves nothing
 * @param tries how often this wish was claimed before
 */
public record BindTask(
        AllocationId allocation,
        long generation,
        Wish wish,
        ClusterId cluster,
        PodOrder order,
        @Nullable String podUid,
        boolean mayHaveBound,
        int tries) {

    /** Bound to its node, or gone. */
    public enum Wish {
        BIND,
        DELETE
    }

    public JobId job() {
        return order.job();
    }
}
