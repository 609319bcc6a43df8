package dev.tutti.simulator;

import dev.tutti.model.fleet.PodSighting.Phase;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What runs pods on every node. It compares the pod that the API shows with the container on the machine and goes one
 * step, again and again, so that missed changes do no harm. It trusts the API as a real kubelet does: a pod whose
 * object was removed by force no longer counts at admission although its containers still run.
 */
final class Kubelet {

    private static final int KILLED = 137;
    private static final int TERMINATED = 143;

    private final ClusterState state;
    private final Admission admission;

    Kubelet(ClusterState state) {
        this.state = state;
        this.admission = new Admission(state);
    }

    /** The API changed something about this pod: the kubelet of its node will see it soon. */
    void noticeSoon(PodObject pod) {
        Machine machine = state.machine(pod.node);
        if (machine != null) {
            state.later(state.timings.notice(), () -> sync(machine, pod.uid));
        }
    }

    /** Looks at every pod and container of the machine, as after silence. */
    void syncAll(Machine machine) {
        List<String> orphans = machine.containers.keySet().stream()
                .filter(uid -> state.pod(uid) == null)
                .toList();
        orphans.forEach(uid -> sync(machine, uid));
        state.podsOn(machine.spec.name()).forEach(pod -> sync(machine, pod.uid));
    }

    /** Goes one step towards what the API wants for this pod, and tells the API how far it is. */
    void sync(Machine machine, String uid) {
        if (!machine.speaks()) {
            return;
        }
        PodObject pod = state.pod(uid);
        Container container = machine.containers.get(uid);
        if (pod == null) {
            endOrphan(machine, container);
        } else if (pod.isTerminal()) {
            keepForAWhile(pod);
        } else if (container == null) {
            begin(machine, pod);
        } else {
            compare(machine, pod, container);
        }
    }

    private void endOrphan(Machine machine, @Nullable Container container) {
        if (container == null) {
            return;
        }
        if (container.state == Container.State.RUNNING) {
            stop(machine, container);
        } else {
            cancel(container);
            state.forget(machine, container);
        }
    }

    private void begin(Machine machine, PodObject pod) {
        if (pod.terminating) {
            report(pod, KILLED, "stopped before it started");
            return;
        }
        String refusal = admission.refusal(machine, pod.needs);
        if (refusal != null) {
            pod.phase = Phase.REJECTED;
            pod.reason = refusal;
            state.changed(pod);
            keepForAWhile(pod);
            return;
        }
        Container container = new Container(pod.uid, pod.name, pod.needs, state.now.plus(state.timings.start()));
        machine.containers.put(pod.uid, container);
        state.changed(machine, container);
        plan(machine, container);
    }

    private void compare(Machine machine, PodObject pod, Container container) {
        switch (container.state) {
            case ENDED -> {
                state.forget(machine, container);
                report(pod, container.exitCode, container.stopping ? "stopped" : "");
            }
            case ADMITTED -> {
                if (pod.terminating) {
                    cancel(container);
                    state.forget(machine, container);
                    report(pod, KILLED, "stopped before it started");
                }
            }
            case RUNNING -> {
                if (pod.phase != Phase.RUNNING) {
                    pod.phase = Phase.RUNNING;
                    state.changed(pod);
                }
                if (pod.terminating) {
                    stop(machine, container);
                }
            }
        }
    }

    /** Plans what the container does by itself: its start or its end, at the time it is due. */
    void plan(Machine machine, Container container) {
        Runnable next = container.state == Container.State.ADMITTED
                ? () -> start(machine, container)
                : () -> end(machine, container);
        container.timer = state.timeline.at(container.due, next);
    }

    private void start(Machine machine, Container container) {
        container.timer = null;
        if (machine.imagesMissing) {
            return;
        }
        Duration runtime = container.needs.runtime();
        container.state = Container.State.RUNNING;
        container.since = state.now;
        container.due = state.now.plus(runtime == null ? state.timings.runtime() : runtime);
        state.changed(machine, container);
        state.witness.started(machine.spec.name(), container, state.now);
        plan(machine, container);
        sync(machine, container.podUid);
    }

    /** Starts what waited for its image. */
    void startWaiting(Machine machine) {
        List.copyOf(machine.containers.values()).stream()
                .filter(container -> container.state == Container.State.ADMITTED && container.timer == null)
                .forEach(container -> start(machine, container));
    }

    private void stop(Machine machine, Container container) {
        if (container.stopping) {
            return;
        }
        Duration grace = container.needs.grace();
        Duration stop = state.timings.stop();
        container.stopping = true;
        if (state.now.plus(stop.compareTo(grace) < 0 ? stop : grace).isBefore(container.due)) {
            cancel(container);
            container.due = state.now.plus(stop.compareTo(grace) < 0 ? stop : grace);
            container.exitCode = TERMINATED;
            plan(machine, container);
        }
        state.changed(machine, container);
    }

    /** The container ends now; the API hears of it if the kubelet speaks. */
    void end(Machine machine, Container container) {
        cancel(container);
        container.state = Container.State.ENDED;
        state.changed(machine, container);
        state.witness.ended(machine.spec.name(), container, state.now);
        sync(machine, container.podUid);
    }

    /** The machine stops at once and with it all that runs; what had not started is forgotten. */
    void die(Machine machine) {
        for (Container container : List.copyOf(machine.containers.values())) {
            cancel(container);
            if (container.state == Container.State.ADMITTED) {
                state.forget(machine, container);
            } else if (container.state == Container.State.RUNNING) {
                container.exitCode = KILLED;
                end(machine, container);
            }
        }
    }

    private void report(PodObject pod, int exitCode, String reason) {
        pod.ended(exitCode, reason);
        state.changed(pod);
        keepForAWhile(pod);
    }

    /** An ended pod goes soon after its deletion, else when it was kept long enough; never in the step it ended in. */
    void keepForAWhile(PodObject pod) {
        if (pod.removal == null) {
            Duration time = pod.terminating ? state.timings.remove() : state.timings.retention();
            pod.removal = state.nextStep(time, () -> {
                pod.removal = null;
                Machine machine = state.machine(pod.node);
                if (!pod.terminating || (machine != null && machine.speaks())) {
                    state.removed(pod);
                }
            });
        }
    }

    private void cancel(Container container) {
        if (container.timer != null) {
            state.timeline.cancel(container.timer);
            container.timer = null;
        }
    }
}
