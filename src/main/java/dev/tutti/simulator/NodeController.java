package dev.tutti.simulator;

import dev.tutti.model.fleet.PodSighting.Phase;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Watches the silence of kubelets: a node that is silent for long is not ready, and the pods of one that stays so, or
 * whose object is gone, are removed without the kubelet's word. That says nothing about their containers.
 */
final class NodeController {

    private final ClusterState state;
    private final Kubelet kubelet;

    NodeController(ClusterState state, Kubelet kubelet) {
        this.state = state;
        this.kubelet = kubelet;
    }

    /** Nothing is heard of the node since {@code since}. */
    void silent(Machine machine, Instant since) {
        machine.silentSince = since;
        state.timeline.at(since.plus(state.timings.notReady()), () -> {
            if (since.equals(machine.silentSince)) {
                if (machine.ready) {
                    machine.ready = false;
                    state.changed(machine);
                }
                sweepLater(machine, since);
            }
        });
    }

    private void sweepLater(Machine machine, Instant since) {
        state.later(state.timings.forceDelete(), () -> {
            if (since.equals(machine.silentSince)) {
                state.podsOn(machine.spec.name()).stream()
                        .filter(pod -> !pod.isTerminal())
                        .forEach(pod -> collect(pod, "NodeNotReady"));
            }
        });
    }

    /** The kubelet speaks again: it registers its node where that is missing, and looks at everything. */
    void back(Machine machine) {
        if (!machine.speaks()) {
            return;
        }
        machine.silentSince = null;
        if (!machine.registered) {
            machine.registered = true;
            machine.registrations++;
        }
        machine.ready = true;
        state.changed(machine);
        kubelet.syncAll(machine);
    }

    /** The Node object is gone. */
    void deregister(Machine machine) {
        machine.registered = false;
        state.changed(machine);
        orphanLater(machine);
    }

    /** Removes the pods of a node without object, unless it comes back in time. */
    void orphanLater(Machine machine) {
        int registration = machine.registrations;
        state.later(state.timings.orphan(), () -> {
            if (!machine.registered && machine.registrations == registration) {
                state.podsOn(machine.spec.name()).forEach(pod -> collect(pod, "node no longer exists"));
            }
        });
    }

    /** A pod was bound: if its node cannot speak for it, nobody else will remove it. */
    void bound(PodObject pod) {
        Machine machine = state.machine(pod.node);
        if (isLost(machine)) {
            state.later(
                    machine == null || !machine.registered ? state.timings.orphan() : state.timings.forceDelete(),
                    () -> {
                        if (state.pod(pod.uid) == pod && isLost(machine)) {
                            collect(pod, "node no longer exists");
                        }
                    });
        }
    }

    private static boolean isLost(@Nullable Machine machine) {
        return machine == null || !machine.registered || !machine.ready;
    }

    /** As Kubernetes does it: the pod is called failed although no container was reported terminated, then removed. */
    private void collect(PodObject pod, String why) {
        if (!pod.isTerminal()) {
            pod.phase = Phase.FAILED;
            pod.reason = "PodGC: " + why;
            state.changed(pod);
        }
        state.removed(pod);
        kubelet.noticeSoon(pod);
    }
}
