package dev.tutti.simulator;

import dev.tutti.control.ClusterGateway.Inbox;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.PodOrder;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.simulator.fleet.NodeSpec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in memory that behaves as an API server, kubelets and node controller do together. Time comes from
 * outside: calls happen at the clock's time, and pods start and end only inside {@link #advanceTo}. The same calls at
 * the same times give the same cluster, to the last resource version. It decides nothing about scheduling.
 *
 * <p>Thread-safe. With a log, nothing is answered or told that would not survive a crash.
 */
public final class FakeCluster {

    private static final int HAPPENINGS_AT_ONCE = 1_000;

    private final Object lock = new Object();
    private final InstantSource clock;
    private final StateLog log;
    private final ClusterState state;
    private final ApiServer api;
    private final Restorer restorer;
    private final ClusterFaults faults;

    /**
     * A cluster that remembers nothing after its process.
     *
     * @param incarnation goes into every UID, so that pods of another cluster are never taken for its own
     * @param witnessRuns ended container runs that the witness remembers
     */
    public FakeCluster(
            List<NodeSpec> fleet, InstantSource clock, ClusterTimings timings, String incarnation, int witnessRuns) {
        this(fleet, clock, timings, incarnation, new Witness(witnessRuns), StateLog.NONE);
    }

    FakeCluster(
            List<NodeSpec> fleet,
            InstantSource clock,
            ClusterTimings timings,
            String incarnation,
            Witness witness,
            StateLog log) {
        this.clock = clock;
        this.log = log;
        state = new ClusterState(fleet, timings, incarnation, clock.instant(), witness, log);
        Kubelet kubelet = new Kubelet(state);
        NodeController nodes = new NodeController(state, kubelet);
        api = new ApiServer(state, kubelet, nodes);
        restorer = new Restorer(state, kubelet, nodes);
        faults = new ClusterFaults(this, state, api, kubelet, nodes);
    }

    /**
     * Lets everything happen that is due up to {@code time}; a time before one that was reached changes nothing. Other
     * callers get their turn in between.
     */
    public void advanceTo(Instant time) {
        boolean more = true;
        while (more) {
            more = at(time, this::happen);
        }
    }

    /** Lets the next few things happen; true when more are due. */
    private boolean happen() {
        for (int i = 0; i < HAPPENINGS_AT_ONCE && state.timeline.hasDue(state.reached); i++) {
            state.now = state.timeline.nextDue();
            state.timeline.takeNext().run();
            state.commit();
        }
        state.now = state.reached;
        return state.timeline.hasDue(state.reached);
    }

    /** Lets everything happen that is due by the clock. */
    public void advance() {
        advanceTo(clock.instant());
    }

    /** Takes up the state that a log has kept; called once, before anything else. */
    void restore(Map<String, String> kept) {
        synchronized (lock) {
            restorer.restore(kept);
        }
        rewriteLog();
    }

    /** Replaces the log by the present state; everything before is durable then. */
    void rewriteLog() {
        synchronized (lock) {
            state.commit();
            log.rewrite(state::writeTo);
        }
    }

    /** Tells every entry that a log of the present state has. */
    void writeTo(BiConsumer<String, String> out) {
        synchronized (lock) {
            state.writeTo(out);
        }
    }

    /** Rewrites the log where it is worth its time. */
    void rewriteLogWhenLong() {
        if (log.wantsRewrite()) {
            rewriteLog();
        }
    }

    /** What goes wrong, when it shall. */
    public ClusterFaults faults() {
        return faults;
    }

    /** What really ran where. */
    public Witness witness() {
        return state.witness;
    }

    /**
     * Milli-GPU taken of each device by the pods that are bound and not reported ended, by device UUID; what a
     * scheduler's ledger should say as well. Devices of which nothing is taken are left out.
     */
    public Map<String, Integer> takenMilli() {
        return call(() -> {
            Map<String, Integer> taken = new TreeMap<>();
            state.pods().stream().filter(pod -> !pod.isTerminal()).forEach(pod -> addTaken(pod, taken));
            return taken;
        });
    }

    private void addTaken(PodObject pod, Map<String, Integer> taken) {
        Machine machine = state.machine(pod.node);
        if (machine != null && pod.ours) {
            pod.needs
                    .devices()
                    .forEach(device ->
                            taken.merge(machine.deviceUuid(device), pod.needs.milliPerDevice(), Integer::sum));
        }
    }

    /** The pod's annotations, for tests; null when there is no such pod. */
    public @Nullable Map<String, String> annotations(String pod) {
        return call(() -> {
            PodObject there = state.podNamed(pod);
            return there == null ? null : Map.copyOf(there.annotations);
        });
    }

    Outcome create(PodOrder order) {
        return call(() -> api.create(order));
    }

    Outcome bind(PodSighting pod, PodOrder order, long term) {
        return call(() -> api.bind(pod, order, term));
    }

    Outcome delete(String name, String uid) {
        return call(() -> api.delete(name, uid));
    }

    Outcome read(String name) {
        return call(() -> api.read(name));
    }

    Outcome touch(String name, long term) {
        return call(() -> api.touch(name, term));
    }

    List<PodSighting> pods() {
        return call(() -> state.pods().stream()
                .filter(pod -> pod.ours)
                .map(PodObject::sighting)
                .toList());
    }

    List<NodeSighting> nodes() {
        return call(() -> state.machines().stream()
                .filter(machine -> machine.registered)
                .map(Machine::sighting)
                .toList());
    }

    void watch(Inbox inbox) {
        state.watchers.add(inbox);
    }

    void unwatch(Inbox inbox) {
        state.watchers.remove(inbox);
    }

    /** Does {@code action} now, alone, and returns its result once it is durable and told. */
    <T extends @Nullable Object> T call(Supplier<T> action) {
        return at(clock.instant(), action);
    }

    private <T extends @Nullable Object> T at(Instant time, Supplier<T> action) {
        T result;
        long mark;
        synchronized (lock) {
            state.reach(time);
            result = action.get();
            mark = state.commit();
        }
        log.awaitDurable(mark);
        state.watchers.deliver(mark);
        return result;
    }
}
