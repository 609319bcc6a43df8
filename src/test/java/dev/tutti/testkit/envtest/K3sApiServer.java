package dev.tutti.testkit.envtest;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;

/** K3s in a container, with the same two users as a local server; its scheduler leaves pods that name another one alone. */
final class K3sApiServer implements ApiServer {

    private static final String IMAGE = System.getProperty("tutti.test.k3s.image", "rancher/k3s:v1.36.1-k3s1");
    private static final String TOKEN_FILE = "/etc/tutti/tokens.csv";

    private final Tokens tokens = Tokens.random();
    private final K3sContainer container;

    static K3sApiServer start() {
        K3sApiServer server = new K3sApiServer();
        server.container.start();
        return server;
    }

    private K3sApiServer() {
        container = new K3sContainer(DockerImageName.parse(IMAGE))
                .withCopyToContainer(Transferable.of(tokens.csv()), TOKEN_FILE);
        container.setCommand(
                "server",
                "--disable=traefik",
                "--tls-san=" + container.getHost(),
                "--kube-apiserver-arg=token-auth-file=" + TOKEN_FILE);
    }

    @Override
    public String url() {
        return config().getMasterUrl();
    }

    @Override
    public String caPem() {
        return new String(Base64.getDecoder().decode(config().getCaCertData()), StandardCharsets.UTF_8);
    }

    @Override
    public String adminToken() {
        return tokens.admin();
    }

    @Override
    public String tuttiToken() {
        return tokens.tutti();
    }

    @Override
    public String description() {
        try (KubernetesClient admin = adminClient()) {
            return "K3s " + admin.getKubernetesVersion().getGitVersion();
        }
    }

    @Override
    public void startControllers() {
        // K3s runs them anyway.
    }

    private Config config() {
        return Config.fromKubeconfig(container.getKubeConfigYaml());
    }

    @Override
    public void close() {
        container.stop();
    }
}
