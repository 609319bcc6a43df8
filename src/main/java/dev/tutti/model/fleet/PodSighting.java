package dev.tutti.model.fleet;

import dev.tutti.model.AllocationId;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster says of one of our pods. Read from objects that others may edit, so nothing here is trusted alone.
 *
 * @param name the pod's name
 * @param uid the pod's UID
 * @param resourceVersion the object's version, opaque
 * @param allocation the allocation the pod says it belongs to; null when it says none or nonsense
 * @param node name of the node it is bound to; null while unbound
 * @param phase its phase
 * @param terminating whether its deletion was asked for
 * @param deleted whether the object is gone; the other fields are then the last ones seen
 * @param exitCode exit code of the worst container; null while not every container is reported terminated
 * @param reason why it is in this phase, in the cluster's words; empty when it says nothing
 */
public record PodSighting(
        String name,
        String uid,
        String resourceVersion,
        @Nullable AllocationId allocation,
        @Nullable String node,
        Phase phase,
        boolean terminating,
        boolean deleted,
        @Nullable Integer exitCode,
        String reason) {

    /**
     * The pod's phase, as Kubernetes names it. REJECTED is a pod the kubelet refused on arrival. DISOWNED is one it
     * refused after it had run, as a restarted kubelet may: nobody then reports what became of its containers.
     */
    public enum Phase {
        PENDING,
        RUNNING,
        SUCCEEDED,
        FAILED,
        REJECTED,
        DISOWNED,
        UNKNOWN
    }

    /** The same pod, gone. */
    public PodSighting asDeleted() {
        return new PodSighting(
                name, uid, resourceVersion, allocation, node, phase, terminating, true, exitCode, reason);
    }
}
