package dev.tutti.testkit.envtest.kubelet;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The containers of one pod on its node: what is true of them, and how much of it has been reported. */
final class PodRun {

    static final int EXIT_CODE_TERMINATED = 143;

    private final Pod pod;
    private final PodSettings settings;
    private final Map<String, List<String>> devicesByContainer;
    private final Instant startedAt;
    private @Nullable Instant stopsAt;
    private @Nullable Instant endedAt;
    private int exitCode;
    private boolean startReported;
    private boolean endReported;

    PodRun(Pod pod, PodSettings settings, Map<String, List<String>> devicesByContainer, Instant startedAt) {
        this.pod = pod;
        this.settings = settings;
        this.devicesByContainer = devicesByContainer;
        this.startedAt = startedAt;
    }

    String uid() {
        return pod.getMetadata().getUid();
    }

    boolean isOf(String name) {
        return pod.getMetadata().getName().equals(name);
    }

    List<String> devices(String container) {
        return devicesByContainer.getOrDefault(container, List.of());
    }

    Instant startedAt() {
        return startedAt;
    }

    boolean hasEnded() {
        return endedAt != null;
    }

    Instant endedAt() {
        if (endedAt == null) {
            throw new IllegalStateException(pod.getMetadata().getName() + " still runs");
        }
        return endedAt;
    }

    int exitCode() {
        return exitCode;
    }

    /** Asks the containers to stop within the pod's grace; later requests change nothing. */
    void askToStop(Instant now, Duration grace) {
        if (stopsAt == null) {
            stopsAt = now.plus(shorter(settings.stopTime(), grace));
        }
    }

    /** Lets time pass; answers whether the containers ended just now. */
    boolean endsBy(Instant now) {
        Instant byItself = settings.runtime().map(startedAt::plus).orElse(Instant.MAX);
        Instant stopped = stopsAt == null ? Instant.MAX : stopsAt;
        if (hasEnded() || (now.isBefore(byItself) && now.isBefore(stopped))) {
            return false;
        }
        if (stopped.isBefore(byItself)) {
            end(stopped, EXIT_CODE_TERMINATED);
        } else {
            end(byItself, settings.exitCode());
        }
        return true;
    }

    /** Ends the containers at a given time, whatever they would have done. */
    void end(Instant at, int code) {
        endedAt = at;
        exitCode = code;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    boolean startReported() {
        return startReported;
    }

    void setStartReported() {
        startReported = true;
    }

    boolean endReported() {
        return endReported;
    }

    void setEndReported() {
        endReported = true;
    }

    Stream<DeviceUse> uses(String node) {
        return devicesByContainer.values().stream()
                .flatMap(List::stream)
                .map(device ->
                        new DeviceUse(node, device, uid(), pod.getMetadata().getName(), startedAt, endedAt));
    }
}
