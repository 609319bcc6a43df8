package dev.tutti.kubernetes;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;

/** Puts the token of the settings on each call, and nothing else: the client's own way asks for a new one and repeats. */
final class BearerToken implements Interceptor {

    private final String header;

    BearerToken(KubernetesSettings settings) {
        header = "Bearer " + settings.token();
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        builder.setHeader("Authorization", header);
    }
}
