package dev.tutti.simulator;

import java.time.DateTimeException;
import java.util.List;
import java.util.Map;

/**
 * Makes a cluster go on from the state that was kept of it. What was due while nobody looked happens at its own time
 * as soon as time moves. Machines that the fleet no longer has were switched off, and what ran on them with them.
 */
final class Restorer {

    private final ClusterState state;
    private final Kubelet kubelet;
    private final NodeController nodes;

    Restorer(ClusterState state, Kubelet kubelet, NodeController nodes) {
        this.state = state;
        this.kubelet = kubelet;
        this.nodes = nodes;
    }

    /** Throws {@link IllegalStateException} naming the entry that cannot be read. */
    void restore(Map<String, String> kept) {
        kept.forEach((key, value) -> {
            try {
                take(key, value);
            } catch (IllegalArgumentException | DateTimeException e) {
                throw new IllegalStateException("the simulated cluster cannot read its own entry " + key, e);
            }
        });
        state.machines().forEach(this::goOn);
        List.copyOf(state.pods()).forEach(this::goOn);
    }

    private void take(String key, String value) {
        if (key.equals(ClusterState.VERSION)) {
            state.versionAtLeast(Long.parseLong(value));
        } else if (key.startsWith(ClusterState.POD)) {
            PodObject pod = StateCodec.pod(value);
            state.restore(pod);
            state.versionAtLeast(pod.version);
        } else if (key.startsWith(ClusterState.NODE)) {
            Machine machine = state.machine(key.substring(ClusterState.NODE.length()));
            if (machine != null) {
                StateCodec.restore(machine, value);
            }
        } else if (key.startsWith(ClusterState.CONTAINER)) {
            StateCodec.Placed placed = StateCodec.container(value);
            Machine machine = state.machine(placed.node());
            if (machine != null) {
                machine.containers.put(placed.container().podUid, placed.container());
            }
        }
    }

    private void goOn(Machine machine) {
        for (Container container : machine.containers.values()) {
            if (container.state == Container.State.RUNNING) {
                state.witness.started(machine.spec.name(), container, container.since);
            }
            if (container.state != Container.State.ENDED) {
                kubelet.plan(machine, container);
            }
        }
        if (machine.silentSince != null && machine.speaks()) {
            state.later(state.timings.notice(), () -> nodes.back(machine));
        } else if (machine.silentSince != null) {
            nodes.silent(machine, machine.silentSince);
        }
        if (!machine.registered) {
            nodes.orphanLater(machine);
        }
        machine.containers.keySet().stream()
                .filter(uid -> state.pod(uid) == null)
                .forEach(uid -> state.later(state.timings.notice(), () -> kubelet.sync(machine, uid)));
    }

    private void goOn(PodObject pod) {
        if (pod.isTerminal()) {
            kubelet.keepForAWhile(pod);
        } else if (pod.node != null) {
            nodes.bound(pod);
            kubelet.noticeSoon(pod);
        }
    }
}
