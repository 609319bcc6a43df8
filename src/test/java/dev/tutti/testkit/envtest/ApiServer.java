package dev.tutti.testkit.envtest;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

/**
 * A running, real Kubernetes API server with RBAC on, of the test's own. It knows two users: an administrator (group
 * {@code system:masters}) and {@code tutti} (group {@code tutti}), who may do nothing until a test applies the RBAC
 * objects that say otherwise. It decides nothing about nodes or pods.
 */
public interface ApiServer extends AutoCloseable {

    /** The base address, for example {@code https://127.0.0.1:40123}. */
    String url();

    /** The certificates, in PEM, that clients must trust. */
    String caPem();

    /** The bearer token of the administrator. */
    String adminToken();

    /** The bearer token of the service's own account. */
    String tuttiToken();

    /** What runs, for reports: the kind of server and its version. */
    String description();

    /** A new client with the administrator's rights; the caller closes it. It never repeats a request by itself. */
    default KubernetesClient adminClient() {
        return Clients.connect(url(), caPem(), adminToken());
    }

    /** A new client with the service's own rights; the caller closes it. It never repeats a request by itself. */
    default KubernetesClient tuttiClient() {
        return Clients.connect(url(), caPem(), tuttiToken());
    }

    /**
     * Adds kube-controller-manager: jobs get pods, nodes without a lease turn unreachable, namespaces can be deleted.
     * Returns at once; the controllers need some seconds. K3s has them from the start.
     */
    void startControllers();

    /** A kubeconfig document for programs such as kubectl. */
    default String kubeconfig(String token) {
        return Kubeconfig.document(url(), caPem(), token);
    }

    /** Applies every document of a YAML text as administrator; existing objects are changed to match. */
    default void apply(String yaml) {
        try (KubernetesClient admin = adminClient()) {
            admin.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                    .resources()
                    .forEach(resource -> resource.forceConflicts().serverSideApply());
        }
    }

    /** Stops everything this server started and deletes its files. */
    @Override
    void close();
}
