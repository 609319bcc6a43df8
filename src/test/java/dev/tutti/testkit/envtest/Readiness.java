package dev.tutti.testkit.envtest;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Waits until an API server says that it is ready and has the namespaces that tests use. */
record Readiness(List<ServerProcess> processes) {

    private static final long LIMIT_SECONDS = 90;
    private static final long PAUSE_MILLIS = 100;
    private static final List<String> NAMESPACES = List.of("default", "kube-system", "kube-node-lease");

    /** Returns when the server is ready; {@code caPem} may throw until the server has made its certificate. */
    void await(String url, Supplier<String> caPem, String token) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (System.nanoTime() < deadline) {
            if (processes.stream().anyMatch(process -> !process.isAlive())) {
                throw new NotReadyException("a server ended. " + reports());
            }
            if (isReady(url, caPem, token)) {
                return;
            }
            pause();
        }
        throw new NotReadyException("not ready after " + LIMIT_SECONDS + " s. " + reports());
    }

    private static boolean isReady(String url, Supplier<String> caPem, String token) {
        try (KubernetesClient client = Clients.connect(url, caPem.get(), token)) {
            return "ok".equals(client.raw("/readyz")) && NAMESPACES.stream().allMatch(name -> exists(client, name));
        } catch (KubernetesClientException | UncheckedIOException notYet) {
            return false;
        }
    }

    private static boolean exists(KubernetesClient client, String namespace) {
        return client.namespaces().withName(namespace).get() != null;
    }

    private String reports() {
        return processes.stream().map(ServerProcess::report).collect(Collectors.joining("\n"));
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotReadyException("interrupted while waiting");
        }
    }
}
