package dev.tutti.testkit.envtest.kubelet;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.ResourceStatus;
import io.fabric8.kubernetes.api.model.ResourceStatusBuilder;
import java.time.Instant;
import java.util.List;

/** Writes pod statuses as a kubelet does; decides nothing. */
final class PodStatuses {

    private static final int EXIT_CODE_UNKNOWN = 137;

    private PodStatuses() {}

    static PodStatus running(Pod pod, PodRun run) {
        ContainerState state = new ContainerStateBuilder()
                .withNewRunning()
                .withStartedAt(Times.seconds(run.startedAt()))
                .endRunning()
                .build();
        return new PodStatusBuilder()
                .withPhase("Running")
                .withStartTime(Times.seconds(run.startedAt()))
                .withContainerStatuses(containers(pod, run, state))
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withLastTransitionTime(Times.seconds(run.startedAt()))
                .endCondition()
                .build();
    }

    static PodStatus ended(Pod pod, PodRun run) {
        boolean good = run.exitCode() == 0;
        ContainerState state = terminated(run.exitCode(), good ? "Completed" : "Error", run.startedAt(), run.endedAt());
        return new PodStatusBuilder()
                .withPhase(good ? "Succeeded" : "Failed")
                .withStartTime(Times.seconds(run.startedAt()))
                .withContainerStatuses(containers(pod, run, state))
                .addNewCondition()
                .withType("Ready")
                .withStatus("False")
                .withReason("PodCompleted")
                .withLastTransitionTime(Times.seconds(run.endedAt()))
                .endCondition()
                .build();
    }

    /** A pod that was deleted before its containers ever ran. */
    static PodStatus neverStarted(Pod pod, Instant now) {
        ContainerState state = terminated(EXIT_CODE_UNKNOWN, "ContainerStatusUnknown", now, now);
        List<ContainerStatus> statuses = pod.getSpec().getContainers().stream()
                .map(container -> status(container, state, List.of()))
                .toList();
        return new PodStatusBuilder()
                .withPhase("Failed")
                .withContainerStatuses(statuses)
                .build();
    }

    static PodStatus refused(Admission.Refused refused, Instant now) {
        return new PodStatusBuilder()
                .withPhase("Failed")
                .withReason(refused.reason())
                .withMessage(refused.message())
                .withStartTime(Times.seconds(now))
                .build();
    }

    private static ContainerState terminated(int exitCode, String reason, Instant startedAt, Instant endedAt) {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(exitCode)
                .withReason(reason)
                .withStartedAt(Times.seconds(startedAt))
                .withFinishedAt(Times.seconds(endedAt))
                .endTerminated()
                .build();
    }

    private static List<ContainerStatus> containers(Pod pod, PodRun run, ContainerState state) {
        return pod.getSpec().getContainers().stream()
                .map(container -> status(container, state, run.devices(container.getName())))
                .toList();
    }

    private static ContainerStatus status(Container container, ContainerState state, List<String> devices) {
        boolean runs = state.getRunning() != null;
        return new ContainerStatusBuilder()
                .withName(container.getName())
                .withImage(container.getImage())
                .withImageID(container.getImage())
                .withContainerID("toy://" + container.getName())
                .withReady(runs)
                .withStarted(runs)
                .withRestartCount(0)
                .withState(state)
                .withAllocatedResourcesStatus(allocated(devices))
                .build();
    }

    private static List<ResourceStatus> allocated(List<String> devices) {
        if (devices.isEmpty()) {
            return List.of();
        }
        ResourceStatusBuilder status = new ResourceStatusBuilder().withName(NodeObjects.GPU);
        devices.forEach(device -> status.addNewResource()
                .withResourceID(device)
                .withHealth("Healthy")
                .endResource());
        return List.of(status.build());
    }
}
