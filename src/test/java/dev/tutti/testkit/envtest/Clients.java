package dev.tutti.testkit.envtest;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Builds clients that take nothing from the machine they run on: no kubeconfig, no environment, no retries. */
final class Clients {

    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;
    private static final int REQUEST_TIMEOUT_MILLIS = 20_000;

    private Clients() {}

    static KubernetesClient connect(String url, String caPem, String token) {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(url)
                .withCaCertData(base64(caPem))
                .withOauthToken(token)
                .withConnectionTimeout(CONNECT_TIMEOUT_MILLIS)
                .withRequestTimeout(REQUEST_TIMEOUT_MILLIS)
                .withRequestRetryBackoffLimit(0)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
