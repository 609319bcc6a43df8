package dev.tutti.simulator;

import dev.tutti.control.ClusterGateway.Inbox;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.simulator.fleet.NodeSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** All there is in the cluster, and the one way to change it: every change is logged and told. Not thread-safe. */
final class ClusterState {

    static final String POD = "pod/";
    static final String CONTAINER = "container/";
    static final String NODE = "node/";
    static final String VERSION = "version";
    static final String INCARNATION = "incarnation";

    final ClusterTimings timings;
    final String incarnation;
    final Timeline timeline = new Timeline();
    final Watchers watchers = new Watchers();
    final Witness witness;
    private final StateLog log;
    private final Map<String, PodObject> podsByName = new LinkedHashMap<>();
    private final Map<String, PodObject> podsByUid = new LinkedHashMap<>();
    private final Map<String, Machine> machines = new LinkedHashMap<>();
    private long version;

    /** The time of what happens now; while catching up it lies before {@link #reached}. */
    Instant now;

    /** The latest time that was ever reached. */
    Instant reached;

    ClusterState(
            List<NodeSpec> fleet,
            ClusterTimings timings,
            String incarnation,
            Instant start,
            Witness witness,
            StateLog log) {
        this.timings = timings;
        this.incarnation = incarnation;
        this.witness = witness;
        this.log = log;
        this.now = start;
        this.reached = start;
        fleet.forEach(spec -> machines.put(spec.name(), new Machine(spec, incarnation)));
    }

    void reach(Instant time) {
        if (time.isAfter(reached)) {
            reached = time;
        }
        now = reached;
    }

    /** Plans something for so much after what happens now. */
    Timeline.Entry later(Duration time, Runnable happening) {
        return timeline.at(now.plus(time), happening);
    }

    /** Plans something that must not happen in the same step of time as what happens now. */
    Timeline.Entry nextStep(Duration time, Runnable happening) {
        return timeline.at(reached.plus(time), happening);
    }

    @Nullable
    PodObject podNamed(String name) {
        return podsByName.get(name);
    }

    @Nullable
    PodObject pod(String uid) {
        return podsByUid.get(uid);
    }

    Collection<PodObject> pods() {
        return podsByName.values();
    }

    List<PodObject> podsOn(String node) {
        return podsByName.values().stream().filter(pod -> node.equals(pod.node)).toList();
    }

    @Nullable
    Machine machine(@Nullable String name) {
        return machines.get(name);
    }

    Collection<Machine> machines() {
        return machines.values();
    }

    long version() {
        return version;
    }

    void versionAtLeast(long least) {
        version = Math.max(version, least);
    }

    /** Names the next pod of this name; no two are ever the same. */
    String nextUid(String name) {
        return Ids.uid(incarnation, "pod", name, version + 1);
    }

    void add(PodObject pod) {
        restore(pod);
        changed(pod);
    }

    /** Puts in a pod as it was, without a word to anybody. */
    void restore(PodObject pod) {
        podsByName.put(pod.name, pod);
        podsByUid.put(pod.uid, pod);
    }

    void changed(PodObject pod) {
        pod.version = ++version;
        log.put(POD + pod.uid, () -> StateCodec.pod(pod));
        if (pod.ours && watchers.isWatched()) {
            PodSighting sighting = pod.sighting();
            watchers.tell(inbox -> inbox.pod(sighting));
        }
    }

    void removed(PodObject pod) {
        pod.version = ++version;
        if (pod.removal != null) {
            timeline.cancel(pod.removal);
        }
        podsByName.remove(pod.name);
        podsByUid.remove(pod.uid);
        log.remove(POD + pod.uid);
        log.put(VERSION, () -> Long.toString(version));
        if (pod.ours && watchers.isWatched()) {
            PodSighting sighting = pod.sighting().asDeleted();
            watchers.tell(inbox -> inbox.pod(sighting));
        }
    }

    /** Something about the machine changed that its Node object does not show. */
    void keep(Machine machine) {
        log.put(NODE + machine.spec.name(), () -> StateCodec.machine(machine));
    }

    void changed(Machine machine) {
        keep(machine);
        if (watchers.isWatched()) {
            NodeSighting sighting = machine.sighting();
            watchers.tell((Inbox inbox) -> inbox.node(sighting));
        }
    }

    void changed(Machine machine, Container container) {
        log.put(CONTAINER + container.podUid, () -> StateCodec.container(machine.spec.name(), container));
    }

    void forget(Machine machine, Container container) {
        machine.containers.remove(container.podUid);
        log.remove(CONTAINER + container.podUid);
    }

    /** Says all there is, in the form of the log. */
    void writeTo(BiConsumer<String, String> out) {
        out.accept(INCARNATION, incarnation);
        out.accept(VERSION, Long.toString(version));
        for (Machine machine : machines.values()) {
            String line = StateCodec.machine(machine);
            if (!line.equals(StateCodec.machine(new Machine(machine.spec, incarnation)))) {
                out.accept(NODE + machine.spec.name(), line);
            }
            machine.containers.forEach((uid, container) ->
                    out.accept(CONTAINER + uid, StateCodec.container(machine.spec.name(), container)));
        }
        podsByUid.forEach((uid, pod) -> out.accept(POD + uid, StateCodec.pod(pod)));
    }

    /** Closes what was changed since the last time; returns the mark at which it is durable. */
    long commit() {
        long mark = log.commit();
        watchers.commit(mark);
        return mark;
    }
}
