package dev.tutti.kubernetes;

import dev.tutti.model.ClusterId;
import dev.tutti.testkit.envtest.ApiServer;
import dev.tutti.testkit.envtest.ApiServers;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;

/** The service's own account on the shared API server, with the rights of deploy/rbac.yaml and no others. */
public final class ServiceAccess {

    static final String SYSTEM = "tutti-system";

    private static final String JOBS = "tutti-jobs";

    private final ApiServer server;
    private final String namespace;
    private final String token;

    /** A namespace of the test's own, with the rights the file gives in its namespace; skips where no server is. */
    static ServiceAccess inNewNamespace() {
        return new ServiceAccess(
                server(), "jobs-" + UUID.randomUUID().toString().substring(0, 8));
    }

    /** The namespace that the file names, the file applied as it is; skips where no server is. */
    public static ServiceAccess asDeployed() {
        return new ServiceAccess(server(), JOBS);
    }

    /** The shared server; where there is none, {@link ApiServers} has said so loudly and the test is skipped. */
    static ApiServer server() {
        Assumptions.assumeTrue(ApiServers.shared().isPresent(), "no real API server here");
        return ApiServers.shared().orElseThrow();
    }

    private ServiceAccess(ApiServer server, String namespace) {
        this.server = server;
        this.namespace = namespace;
        server.apply(rights().replace(JOBS, namespace));
        this.token = newToken();
    }

    public ApiServer onServer() {
        return server;
    }

    /** The account's bearer token. */
    public String token() {
        return token;
    }

    String namespace() {
        return namespace;
    }

    KubernetesSettings settings() {
        return settings(URI.create(server.url()));
    }

    KubernetesSettings settings(URI url) {
        return new KubernetesSettings(new ClusterId(1), url, server.caPem(), token, namespace);
    }

    private static String rights() {
        try {
            return Files.readString(Path.of("deploy/rbac.yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String newToken() {
        try (KubernetesClient admin = server.adminClient()) {
            TokenRequest request = admin.serviceAccounts()
                    .inNamespace(SYSTEM)
                    .withName("tutti")
                    .tokenRequest();
            return request.getStatus().getToken();
        }
    }
}
