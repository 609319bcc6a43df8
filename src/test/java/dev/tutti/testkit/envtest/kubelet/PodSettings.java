package dev.tutti.testkit.envtest.kubelet;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How a toy pod behaves, read from its annotations.
 *
 * @param runtime until the containers end by themselves; empty means never
 * @param exitCode of the containers when they end by themselves
 * @param stopTime how long the containers need after a request to stop; a kubelet waits no longer than the pod's grace
 */
record PodSettings(Optional<Duration> runtime, int exitCode, Duration stopTime) {

    static final String RUNTIME = "tutti.dev/simulated-runtime-seconds";
    static final String EXIT_CODE = "tutti.dev/simulated-exit-code";
    static final String STOP = "tutti.dev/simulated-stop-seconds";

    static PodSettings of(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        Map<String, String> given = annotations == null ? Map.of() : annotations;
        return new PodSettings(
                Optional.ofNullable(given.get(RUNTIME)).map(PodSettings::seconds),
                Integer.parseInt(given.getOrDefault(EXIT_CODE, "0")),
                seconds(given.getOrDefault(STOP, "0")));
    }

    private static Duration seconds(String text) {
        return Duration.ofSeconds(Long.parseLong(text));
    }
}
