package dev.tutti.simulator;

import dev.tutti.model.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a kubelet takes a pod: by what its node has and what the pods that the API still shows take of it. */
final class Admission {

    private final ClusterState state;

    Admission(ClusterState state) {
        this.state = state;
    }

    /** Why the machine refuses it, in the words of a kubelet; null when it takes it. */
    @Nullable
    String refusal(Machine machine, PodNeeds wanted) {
        List<PodNeeds> taken = machine.containers.values().stream()
                .filter(container -> container.state != Container.State.ENDED)
                .filter(container -> state.pod(container.podUid) != null)
                .map(container -> container.needs)
                .toList();
        if (taken.size() >= machine.spec.podSlots()) {
            return "OutOfpods";
        }
        if (taken.stream().mapToLong(PodNeeds::cpuMilli).sum() + wanted.cpuMilli() > machine.spec.cpuMilli()) {
            return "OutOfcpu";
        }
        if (taken.stream().mapToLong(PodNeeds::memoryMib).sum() + wanted.memoryMib() > machine.spec.memoryMib()) {
            return "OutOfmemory";
        }
        for (int device : wanted.devices()) {
            if (!isFree(machine, device, wanted.milliPerDevice(), taken)) {
                return "UnexpectedAdmissionError: device " + device + " is not free";
            }
        }
        return null;
    }

    private static boolean isFree(Machine machine, int device, int milli, List<PodNeeds> taken) {
        int held = taken.stream()
                .filter(needs -> needs.devices().contains(device))
                .mapToInt(PodNeeds::milliPerDevice)
                .sum();
        return device >= 0
                && device < machine.spec.gpus()
                && !machine.sickDevices.contains(device)
                && held + milli <= Limits.DEVICE_MILLI;
    }
}
