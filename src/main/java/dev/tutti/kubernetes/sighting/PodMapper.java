package dev.tutti.kubernetes.sighting;

import dev.tutti.control.PodMarks;
import dev.tutti.model.AllocationId;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.fleet.PodSighting.Phase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a pod as a sighting. Trusts no field: what is missing or odd reads as "says nothing". */
public final class PodMapper {

    private static final Pattern ID = Pattern.compile("[1-9]\\d{0,17}");
    private static final int REASON = 256;

    private PodMapper() {}

    public static PodSighting sighting(Pod pod) {
        Integer exitCode = Containers.worstExitCode(pod);
        return new PodSighting(
                Texts.identity(pod.getMetadata().getName(), NodeMapper.NAME),
                Texts.identity(pod.getMetadata().getUid(), NodeMapper.UID),
                Texts.identity(pod.getMetadata().getResourceVersion(), NodeMapper.UID),
                allocation(pod),
                node(pod),
                phase(pod),
                pod.getMetadata().getDeletionTimestamp() != null,
                false,
                exitCode,
                reason(pod));
    }

    /** The node a pod is bound to; null while it is bound to none. */
    public static @Nullable String node(Pod pod) {
        String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
        return node == null || node.isEmpty() ? null : Texts.identity(node, NodeMapper.NAME);
    }

    /** Only a pod that says it is ours has an allocation: others may write what they like on theirs. */
    private static @Nullable AllocationId allocation(Pod pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        if (labels == null || !Keys.SCHEDULER.equals(labels.get(Keys.MANAGED_BY))) {
            return null;
        }
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String id = annotations == null ? null : annotations.get(PodMarks.ALLOCATION);
        return id != null && ID.matcher(id).matches() ? new AllocationId(Long.parseLong(id)) : null;
    }

    private static Phase phase(Pod pod) {
        if (Rejections.isRejected(pod)) {
            return Phase.REJECTED;
        }
        return switch (text(pod.getStatus() == null ? null : pod.getStatus().getPhase())) {
            case "Pending", "" -> Phase.PENDING;
            case "Running" -> Phase.RUNNING;
            case "Succeeded" -> Phase.SUCCEEDED;
            case "Failed" -> Phase.FAILED;
            default -> Phase.UNKNOWN;
        };
    }

    private static String reason(Pod pod) {
        PodStatus status = pod.getStatus();
        if (status == null) {
            return "";
        }
        String reason = text(status.getReason());
        String message = text(status.getMessage());
        if (reason.isEmpty() && message.isEmpty()) {
            reason = Containers.reason(pod);
        }
        String separator = reason.isEmpty() || message.isEmpty() ? "" : ": ";
        return Texts.bounded(reason + separator + message, REASON);
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
