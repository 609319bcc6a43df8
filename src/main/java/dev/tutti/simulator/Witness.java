package dev.tutti.simulator;

import dev.tutti.model.Limits;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.NicGroup;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stands beside the machines and writes down which containers were really on which device and when, whatever API and
 * ledger say. It decides nothing; that two containers were on one whole device, on one memory unit of a GPU that is cut, or
 * on one device in two modes is an {@link Overload}. Thread-safe.
 */
public final class Witness {

    private static final int OVERLOADS = 10_000;

    private final int keep;
    private final Map<String, Run> running = new LinkedHashMap<>();
    private final Deque<Run> ended = new ArrayDeque<>();
    private final Map<String, Map<String, PodNeeds>> usersByDevice = new HashMap<>();
    private final List<Overload> overloads = new ArrayList<>();
    private long starts;
    private long overloadCount;

    /** Remembers at most {@code keep} runs that have ended, the newest ones. */
    Witness(int keep) {
        this.keep = keep;
    }

    /**
     * One run of a pod's containers.
     *
     * @param devices the devices it was on, by index; empty for a CPU-only pod
     * @param milli milli-GPU taken of each
     * @param mig its MIG instance on its one device; null for none
     * @param nics RDMA NICs it had
     * @param end null while it runs
     */
    public record Run(
            String node,
            String podUid,
            String podName,
            List<Integer> devices,
            int milli,
            @Nullable MigInstance mig,
            List<NicGroup> nics,
            Instant start,
            @Nullable Instant end) {}

    /** More than there is of a device was in use at once; {@code podUids} are all that were on it. */
    public record Overload(String node, int device, Instant at, int milli, List<String> podUids) {}

    synchronized void started(String node, Container container, Instant at) {
        PodNeeds needs = container.needs;
        running.put(
                container.podUid,
                new Run(
                        node,
                        container.podUid,
                        container.podName,
                        needs.devices(),
                        needs.milliPerDevice(),
                        needs.mig(),
                        needs.nics(),
                        at,
                        null));
        starts++;
        for (int device : needs.devices()) {
            Map<String, PodNeeds> users =
                    usersByDevice.computeIfAbsent(node + "/" + device, k -> new LinkedHashMap<>());
            boolean alone = users.values().stream().allMatch(needs::goesBeside);
            users.put(container.podUid, needs);
            int milli =
                    users.values().stream().mapToInt(PodNeeds::milliPerDevice).sum();
            if (milli > Limits.DEVICE_MILLI || !alone) {
                overloaded(new Overload(node, device, at, milli, List.copyOf(users.keySet())));
            }
        }
    }

    synchronized void ended(String node, Container container, Instant at) {
        Run run = running.remove(container.podUid);
        if (run == null) {
            return;
        }
        for (int device : run.devices()) {
            String key = node + "/" + device;
            Map<String, PodNeeds> users = usersByDevice.getOrDefault(key, Map.of());
            users.remove(container.podUid);
            if (users.isEmpty()) {
                usersByDevice.remove(key);
            }
        }
        ended.add(new Run(
                node, run.podUid(), run.podName(), run.devices(), run.milli(), run.mig(), run.nics(), run.start(), at));
        if (ended.size() > keep) {
            ended.remove();
        }
    }

    private void overloaded(Overload overload) {
        overloadCount++;
        if (overloads.size() < OVERLOADS) {
            overloads.add(overload);
        }
    }

    /** Every run remembered: those that have ended, oldest end first, then those that go on, oldest start first. */
    public synchronized List<Run> runs() {
        List<Run> all = new ArrayList<>(ended);
        all.addAll(running.values());
        return all;
    }

    /** The runs that go on, oldest start first. */
    public synchronized List<Run> running() {
        return List.copyOf(running.values());
    }

    /** The first overloads seen, at most 10,000; must be empty in a healthy system. */
    public synchronized List<Overload> overloads() {
        return List.copyOf(overloads);
    }

    /** How many overloads there were. */
    public synchronized long overloadCount() {
        return overloadCount;
    }

    /** How many containers ever started. */
    public synchronized long starts() {
        return starts;
    }
}
