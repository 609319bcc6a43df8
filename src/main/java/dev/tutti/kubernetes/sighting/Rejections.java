package dev.tutti.kubernetes.sighting;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;
import java.util.Set;

/**
 * Recognises a pod that its kubelet refused on arrival: FAILED with one of the reasons only admission gives, bound, and
 * no sign of any container. Anything less certain is no rejection, because a rejected pod's devices count as never used.
 */
final class Rejections {

    private static final String OUT_OF = "OutOf";
    private static final String REJECTED = "Pod was rejected";
    private static final String DISRUPTION = "DisruptionTarget";

    private static final Set<String> REASONS = Set.of(
            "UnexpectedAdmissionError",
            "NodeAffinity",
            "NodeName",
            "NodePorts",
            "TaintToleration",
            "TopologyAffinityError",
            "InvalidNodeInfo",
            "UnknownReason",
            "InsufficientResourceError",
            "NodeShutdown",
            "AppArmor",
            "SysctlForbidden",
            "PodOSSelectorNodeLabelDoesNotMatch",
            "PodOSNotSupported",
            "PodFeatureUnsupported",
            "VolumeAttachmentLimitExceeded");

    private Rejections() {}

    static boolean isRejected(Pod pod) {
        PodStatus status = pod.getStatus();
        return status != null
                && "Failed".equals(status.getPhase())
                && PodMapper.node(pod) != null
                && isAdmissionReason(status)
                && !Containers.anyStarted(status)
                && !isDisrupted(status);
    }

    private static boolean isAdmissionReason(PodStatus status) {
        String reason = status.getReason() == null ? "" : status.getReason();
        String message = status.getMessage() == null ? "" : status.getMessage();
        return REASONS.contains(reason) || reason.startsWith(OUT_OF) || message.startsWith(REJECTED);
    }

    /** Controllers mark pods of lost nodes so; such a pod may have been running. */
    private static boolean isDisrupted(PodStatus status) {
        List<PodCondition> conditions = status.getConditions();
        return conditions != null
                && conditions.stream().anyMatch(it -> DISRUPTION.equals(it.getType()) && "True".equals(it.getStatus()));
    }
}
