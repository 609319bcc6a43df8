package dev.tutti.simulator;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes things go wrong on purpose, at the cluster's time. Unknown nodes and pods are the caller's mistake and throw
 * {@link IllegalArgumentException}; a fault that is there already is left as it is.
 */
public final class ClusterFaults {

    private final FakeCluster cluster;
    private final ClusterState state;
    private final ApiServer api;
    private final Kubelet kubelet;
    private final NodeController nodes;

    ClusterFaults(FakeCluster cluster, ClusterState state, ApiServer api, Kubelet kubelet, NodeController nodes) {
        this.cluster = cluster;
        this.state = state;
        this.api = api;
        this.kubelet = kubelet;
        this.nodes = nodes;
    }

    /** The machine goes dark: its containers die at this moment and nobody is told. */
    public void losePower(String node) {
        onNode(node, machine -> {
            if (machine.powered) {
                machine.powered = false;
                kubelet.die(machine);
                goSilent(machine);
            }
        });
    }

    /** The machine cannot be reached: its containers go on, its kubelet is not heard and hears nothing. */
    public void partition(String node) {
        onNode(node, machine -> {
            if (machine.connected) {
                machine.connected = false;
                goSilent(machine);
            }
        });
    }

    private void goSilent(Machine machine) {
        if (machine.silentSince == null) {
            nodes.silent(machine, state.now);
        }
        state.keep(machine);
    }

    /**
     * Power and network are back. A little later the kubelet speaks: it registers the node where its object is gone,
     * stops what the API no longer has, reports the rest.
     */
    public void returnNode(String node) {
        onNode(node, machine -> {
            if (machine.speaks() && machine.registered) {
                return;
            }
            machine.boots += machine.powered ? 0 : 1;
            machine.powered = true;
            machine.connected = true;
            state.keep(machine);
            state.later(state.timings.notice(), () -> nodes.back(machine));
        });
    }

    /** Deletes the Node object; the machine and its containers know nothing of it. */
    public void removeNodeObject(String node) {
        onNode(node, machine -> {
            if (machine.registered) {
                nodes.deregister(machine);
            }
        });
    }

    /** Closes the node for new pods, or opens it; what runs goes on. */
    public void cordon(String node, boolean closed) {
        onNode(node, machine -> {
            machine.cordoned = closed;
            state.changed(machine);
        });
    }

    /** The device plugin calls the device unhealthy, or healthy; a pod on it goes on. */
    public void deviceHealth(String node, int device, boolean healthy) {
        onNode(node, machine -> {
            if (device < 0 || device >= machine.spec.gpus()) {
                throw new IllegalArgumentException(node + " has no device " + device);
            }
            if (healthy ? machine.sickDevices.remove(device) : machine.sickDevices.add(device)) {
                state.changed(machine);
            }
        });
    }

    /** Images cannot be pulled on the node, or can again: until then pods stay PENDING after admission. */
    public void missImages(String node, boolean missing) {
        onNode(node, machine -> {
            machine.imagesMissing = missing;
            state.keep(machine);
            if (!missing) {
                kubelet.startWaiting(machine);
            }
        });
    }

    /** The pod's containers end now by themselves; without a running container nothing happens. */
    public void endContainers(String pod, int exitCode) {
        onPod(pod, there -> {
            Machine machine = state.machine(there.node);
            Container container = machine == null ? null : machine.containers.get(there.uid);
            if (machine != null && container != null && container.state == Container.State.RUNNING) {
                container.exitCode = exitCode;
                kubelet.end(machine, container);
            }
        });
    }

    /** Removes the pod's object at once, as {@code kubectl delete --force} does; its containers go on for a while. */
    public void forceDelete(String pod) {
        onPod(pod, api::forceDelete);
    }

    /** Somebody writes an annotation on a pod. */
    public void annotate(String pod, String key, String value) {
        onPod(pod, there -> {
            there.annotations.put(key, value);
            state.changed(there);
        });
    }

    /** Another's pod with such annotations as it likes, bound to a node or to none, on these devices as a whole. */
    public void addForeignPod(
            String name, @Nullable String node, List<Integer> devices, Map<String, String> annotations) {
        cluster.call(() -> {
            if (state.podNamed(name) != null) {
                throw new IllegalArgumentException("there is a pod " + name);
            }
            PodNeeds needs = new PodNeeds(
                    0,
                    0,
                    devices,
                    devices.isEmpty() ? 0 : 1_000,
                    null,
                    Duration.ofSeconds(30),
                    Duration.ofDays(365),
                    0,
                    List.of());
            PodObject pod = api.add(name, false, needs, annotations);
            if (node != null) {
                api.place(pod, node);
            }
            return true;
        });
    }

    /** Watches hear nothing from now on. */
    public void interruptWatches() {
        cluster.call(() -> {
            state.watchers.interrupt();
            return true;
        });
    }

    /** Watches go on; what happened meanwhile is lost to them, and they are told of a gap. */
    public void mendWatches() {
        cluster.call(() -> {
            state.watchers.mend();
            return true;
        });
    }

    private void onNode(String name, Consumer<Machine> action) {
        cluster.call(() -> {
            Machine machine = state.machine(name);
            if (machine == null) {
                throw new IllegalArgumentException("no node " + name);
            }
            action.accept(machine);
            return true;
        });
    }

    private void onPod(String name, Consumer<PodObject> action) {
        cluster.call(() -> {
            PodObject pod = state.podNamed(name);
            if (pod == null) {
                throw new IllegalArgumentException("no pod " + name);
            }
            action.accept(pod);
            return true;
        });
    }
}
