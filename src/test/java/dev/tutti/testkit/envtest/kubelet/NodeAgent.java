package dev.tutti.testkit.envtest.kubelet;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The kubelet of one node. It looks at the pods bound to it again and again and does what is due; nothing depends on
 * having seen an event. While it is silent its containers go on, and nobody hears of them.
 */
final class NodeAgent {

    /**
     * A force-deleted pod's devices go to the next pod at once, while its containers still run: so real kubelets do
     * (kubernetes#141471), and so a control plane must not use grace 0.
     */
    static final Duration OUTLIVES_FORCED_DELETE = Duration.ofSeconds(2);

    private static final Set<String> FINAL_PHASES = Set.of("Succeeded", "Failed");

    private final ToyNode node;
    private final NodeRoom room;
    private final PodReports reports;
    private final Complaints complaints;
    private final Map<String, PodRun> runs = new HashMap<>();
    private final Set<String> refused = new HashSet<>();
    private final Set<String> removed = new HashSet<>();
    private final List<DeviceUse> pastUses = new ArrayList<>();
    private boolean speaks = true;

    NodeAgent(ToyNode node, PodReports reports, Complaints complaints) {
        this.node = node;
        this.room = new NodeRoom(node);
        this.reports = reports;
        this.complaints = complaints;
    }

    String name() {
        return node.name();
    }

    /** Does something about the node that must not happen between other steps, and sets whether the kubelet speaks. */
    synchronized void turn(boolean toSpeak, Consumer<String> report) {
        speaks = toSpeak;
        report.accept(node.name());
    }

    synchronized void beat(Consumer<String> heartbeat) {
        if (speaks) {
            heartbeat.accept(node.name());
        }
    }

    /** Ends the containers of a pod; answers whether it ran here. */
    synchronized boolean endContainers(String pod, int exitCode) {
        Instant now = Instant.now();
        List<PodRun> ended = runs.values().stream()
                .filter(run -> run.isOf(pod) && !run.hasEnded())
                .toList();
        ended.forEach(run -> {
            run.end(now, exitCode);
            close(run);
        });
        return !ended.isEmpty();
    }

    /** One look at all pods that are bound to this node now. */
    synchronized void look(PodWatch watch) {
        Instant now = Instant.now();
        runs.values().stream().filter(run -> run.endsBy(now)).forEach(this::close);
        if (speaks) {
            List<Pod> pods = watch.ofNode(node.name());
            forgetAllBut(uids(pods), now);
            pods.forEach(pod -> lookSafely(pod, now));
        }
    }

    private void lookSafely(Pod pod, Instant now) {
        try {
            look(pod, now);
        } catch (RuntimeException e) {
            complaints.add("pod " + pod.getMetadata().getName(), e);
        }
    }

    private void look(Pod pod, Instant now) {
        String uid = pod.getMetadata().getUid();
        PodRun run = runs.get(uid);
        if (run != null) {
            follow(pod, run, now);
        } else if (isDeleting(pod)) {
            removeWithoutRun(pod, now);
        } else if (!isFinal(pod) && !refused.contains(uid)) {
            admit(pod, now);
        }
    }

    private void admit(Pod pod, Instant now) {
        String uid = pod.getMetadata().getUid();
        PodSettings settings = PodSettings.of(pod);
        Admission admission = room.admit(pod);
        if (admission instanceof Admission.Taken taken) {
            runs.put(uid, new PodRun(pod, settings, taken.devicesByContainer(), now));
            follow(pod, runs.get(uid), now);
        } else if (admission instanceof Admission.Refused no && reports.status(pod, PodStatuses.refused(no, now))) {
            refused.add(uid);
        }
    }

    private void follow(Pod pod, PodRun run, Instant now) {
        if (isDeleting(pod)) {
            run.askToStop(now, grace(pod));
        }
        if (run.endsBy(now)) {
            close(run);
        }
        if (run.hasEnded()) {
            reportEnd(pod, run);
        } else if (!run.startReported() && reports.status(pod, PodStatuses.running(pod, run))) {
            run.setStartReported();
        }
    }

    /** Terminated statuses first, the object's removal after: who saw only the removal has not seen the end. */
    private void reportEnd(Pod pod, PodRun run) {
        if (!run.endReported() && reports.status(pod, PodStatuses.ended(pod, run))) {
            run.setEndReported();
        }
        if (run.endReported() && isDeleting(pod)) {
            remove(pod);
        }
    }

    private void removeWithoutRun(Pod pod, Instant now) {
        if (isFinal(pod) || reports.status(pod, PodStatuses.neverStarted(pod, now))) {
            remove(pod);
        }
    }

    /** A finalizer may keep the object after this; asking once is enough. */
    private void remove(Pod pod) {
        String uid = pod.getMetadata().getUid();
        if (!removed.contains(uid) && reports.delete(pod)) {
            removed.add(uid);
        }
    }

    private void close(PodRun run) {
        room.release(run.uid());
        run.uses(node.name()).forEach(pastUses::add);
    }

    private void forgetAllBut(Set<String> present, Instant now) {
        refused.retainAll(present);
        removed.retainAll(present);
        runs.values().removeIf(run -> {
            boolean gone = !present.contains(run.uid());
            if (gone && !run.hasEnded()) {
                run.end(now.plus(OUTLIVES_FORCED_DELETE), PodRun.EXIT_CODE_TERMINATED);
                close(run);
            }
            return gone;
        });
    }

    /** All uses so far, those that go on included. */
    synchronized List<DeviceUse> uses() {
        Stream<DeviceUse> present =
                runs.values().stream().filter(run -> !run.hasEnded()).flatMap(run -> run.uses(node.name()));
        return Stream.concat(pastUses.stream(), present).toList();
    }

    private static Set<String> uids(List<Pod> pods) {
        return pods.stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
    }

    private static boolean isDeleting(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null;
    }

    private static boolean isFinal(Pod pod) {
        return pod.getStatus() != null && FINAL_PHASES.contains(pod.getStatus().getPhase());
    }

    private static Duration grace(Pod pod) {
        Long seconds = pod.getMetadata().getDeletionGracePeriodSeconds();
        return Duration.ofSeconds(seconds == null ? 0 : seconds);
    }
}
