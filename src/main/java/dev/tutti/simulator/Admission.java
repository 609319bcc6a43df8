package dev.tutti.simulator;

import dev.tutti.model.Limits;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.NicGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a kubelet takes a pod: by what its node has and what the pods that the API still shows take of it. A MIG instance
 * needs a position that its GPU allows and units that nobody is on, on a GPU that serves nothing but instances.
 */
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
        for (NicGroup nics : wanted.nics()) {
            if (held(taken, nics) + nics.count() > offered(machine, nics)) {
                return "UnexpectedAdmissionError: " + nics.resource() + " is not free at \"" + nics.place() + "\"";
            }
        }
        for (int device : wanted.devices()) {
            if (!isFree(machine, device, wanted, taken)) {
                return "UnexpectedAdmissionError: device " + device + " is not free" + where(wanted.mig());
            }
        }
        return null;
    }

    private static String where(@Nullable MigInstance mig) {
        return mig == null ? "" : " for " + mig.profile() + " at " + mig.start();
    }

    private static int held(List<PodNeeds> taken, NicGroup nics) {
        return taken.stream().mapToInt(needs -> like(needs.nics(), nics)).sum();
    }

    private static int offered(Machine machine, NicGroup nics) {
        return like(machine.spec.nics(), nics);
    }

    private static int like(List<NicGroup> groups, NicGroup nics) {
        return groups.stream()
                .filter(group -> group.resource().equals(nics.resource())
                        && group.place().equals(nics.place()))
                .mapToInt(NicGroup::count)
                .sum();
    }

    private static boolean isFree(Machine machine, int device, PodNeeds wanted, List<PodNeeds> taken) {
        List<PodNeeds> there =
                taken.stream().filter(needs -> needs.devices().contains(device)).toList();
        int held = there.stream().mapToInt(PodNeeds::milliPerDevice).sum();
        return device >= 0
                && device < machine.spec.gpus()
                && !machine.sickDevices.contains(device)
                && held + wanted.milliPerDevice() <= Limits.DEVICE_MILLI
                && (wanted.mig() == null || allows(machine, wanted.mig()))
                && there.stream().allMatch(wanted::goesBeside);
    }

    private static boolean allows(Machine machine, MigInstance mig) {
        return machine.spec
                .migLayout()
                .flatMap(layout -> layout.profile(mig.profile()))
                .filter(profile ->
                        profile.units() == mig.units() && profile.starts().contains(mig.start()))
                .isPresent();
    }
}
