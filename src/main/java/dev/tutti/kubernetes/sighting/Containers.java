package dev.tutti.kubernetes.sighting;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the kubelet says of a pod's containers. Devices are free only when it reports every one of them terminated
 * (house rule R1), so a phase alone, which a controller may write for a node that went silent, proves nothing here.
 */
final class Containers {

    private Containers() {}

    /** Exit code of the worst container; null unless every container is reported terminated for good. */
    static @Nullable Integer worstExitCode(Pod pod) {
        PodStatus status = pod.getStatus();
        if (status == null || pod.getSpec() == null || mayStartAgain(pod) || anyHelperRuns(status)) {
            return null;
        }
        Map<String, ContainerStateTerminated> ended = new HashMap<>();
        for (ContainerStatus container : orEmpty(status.getContainerStatuses())) {
            ContainerStateTerminated terminated = terminated(container);
            if (terminated == null) {
                return null;
            }
            ended.put(container.getName(), terminated);
        }
        return worst(orEmpty(pod.getSpec().getContainers()), ended);
    }

    private static @Nullable Integer worst(List<Container> wanted, Map<String, ContainerStateTerminated> ended) {
        Integer worst = null;
        for (Container container : wanted) {
            ContainerStateTerminated state = ended.get(container.getName());
            if (state == null || state.getExitCode() == null) {
                return null;
            }
            worst = worse(worst, state.getExitCode());
        }
        return worst;
    }

    /** Any failure is worse than success; of two failures the higher code counts. */
    private static int worse(@Nullable Integer one, int other) {
        if (one == null || one == 0) {
            return other;
        }
        return other == 0 ? one : Math.max(one, other);
    }

    /** Whether any container is known to have run, to run or to have been made. */
    static boolean anyStarted(PodStatus status) {
        return all(status).anyMatch(Containers::hasStarted);
    }

    /** The first reason a container gives for waiting or for having ended badly; empty when none does. */
    static String reason(Pod pod) {
        return all(pod.getStatus())
                .map(ContainerStatus::getState)
                .filter(Objects::nonNull)
                .map(Containers::reason)
                .filter(reason -> !reason.isEmpty() && !reason.equals("Completed"))
                .findFirst()
                .orElse("");
    }

    private static String reason(ContainerState state) {
        String reason = state.getWaiting() != null
                ? state.getWaiting().getReason()
                : state.getTerminated() != null ? state.getTerminated().getReason() : null;
        return reason == null ? "" : reason;
    }

    /** Our pods never restart; one that somebody changed counts as ended only in a final phase. */
    private static boolean mayStartAgain(Pod pod) {
        String phase = pod.getStatus().getPhase();
        boolean isFinal = "Succeeded".equals(phase) || "Failed".equals(phase);
        return !isFinal && !"Never".equals(pod.getSpec().getRestartPolicy());
    }

    /** Init containers that go on beside the others, and containers for debugging, hold the pod's devices too. */
    private static boolean anyHelperRuns(PodStatus status) {
        return Stream.concat(
                        orEmpty(status.getInitContainerStatuses()).stream(),
                        orEmpty(status.getEphemeralContainerStatuses()).stream())
                .map(ContainerStatus::getState)
                .anyMatch(state -> state != null && state.getRunning() != null);
    }

    private static boolean hasStarted(ContainerStatus status) {
        ContainerState state = status.getState();
        boolean named =
                status.getContainerID() != null && !status.getContainerID().isEmpty();
        boolean again = status.getRestartCount() != null && status.getRestartCount() > 0;
        return named || again || (state != null && (state.getRunning() != null || state.getTerminated() != null));
    }

    private static @Nullable ContainerStateTerminated terminated(ContainerStatus status) {
        return status.getState() == null ? null : status.getState().getTerminated();
    }

    private static Stream<ContainerStatus> all(PodStatus status) {
        return Stream.of(
                        status.getContainerStatuses(),
                        status.getInitContainerStatuses(),
                        status.getEphemeralContainerStatuses())
                .flatMap(list -> orEmpty(list).stream());
    }

    private static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }
}
