package dev.tutti.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Builds the client of one cluster. It takes nothing from the machine it runs on (no kubeconfig, no environment, no
 * service account files) and repeats nothing by itself: a bind that is sent twice answers 409 to its own success.
 */
final class Clients {

    /** Calls under way at a time; more wait for a connection within their own time limit. */
    private static final int CONCURRENT_CALLS = 64;

    private static final int RECONNECT_MILLIS = 500;

    private Clients() {}

    static KubernetesClient connect(KubernetesSettings settings) {
        ConfigBuilder config = new ConfigBuilder(Config.empty())
                .withMasterUrl(settings.base())
                .withOauthToken(settings.token())
                .withNamespace(settings.namespace())
                .withConnectionTimeout(Math.toIntExact(settings.connectTimeout().toMillis()))
                .withRequestTimeout(Math.toIntExact(settings.requestTimeout().toMillis()))
                .withRequestRetryBackoffLimit(0)
                .withWatchReconnectInterval(RECONNECT_MILLIS)
                .withWatchReconnectLimit(-1)
                .withWebsocketPingInterval(LivelyHttp.PING.toMillis())
                .withMaxConcurrentRequests(CONCURRENT_CALLS)
                .withMaxConcurrentRequestsPerHost(CONCURRENT_CALLS)
                .withUserAgent("tutti");
        if (!settings.caPem().isBlank()) {
            config.withCaCertData(
                    Base64.getEncoder().encodeToString(settings.caPem().getBytes(StandardCharsets.UTF_8)));
        }
        return new KubernetesClientBuilder()
                .withConfig(config.build())
                .withHttpClientFactory(new LivelyHttp())
                .build();
    }
}
