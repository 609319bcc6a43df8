package dev.tutti.kubernetes;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends one call and waits for its answer, within a time limit, exactly once. Does not read the answer and never throws
 * for what a network or a server may do.
 */
final class ApiCalls {

    private static final String JSON = "application/json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final Duration SLACK = Duration.ofMillis(500);

    private final HttpClient http;
    private final String base;
    private final Duration limit;

    ApiCalls(HttpClient http, KubernetesSettings settings) {
        this.http = http;
        this.base = settings.base();
        this.limit = settings.requestTimeout();
    }

    Answer get(String path) {
        return send(request(path).build());
    }

    Answer post(String path, String json) {
        return send(request(path).method("POST", JSON, json).build());
    }

    Answer delete(String path, String json) {
        return send(request(path).method("DELETE", JSON, json).build());
    }

    Answer mergePatch(String path, String json) {
        return send(request(path).method("PATCH", MERGE_PATCH, json).build());
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder builder = http.newHttpRequestBuilder();
        builder.uri(base + path);
        builder.header("Accept", JSON);
        return builder.timeout(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Answer send(HttpRequest request) {
        if (http.isClosed()) {
            return new Answer.Silence("the connection is closed");
        }
        CompletableFuture<HttpResponse<String>> call;
        try {
            call = http.sendAsync(request, String.class);
        } catch (RuntimeException e) {
            return new Answer.Silence("the call could not be sent: " + e);
        }
        try {
            return reply(call.get(limit.plus(SLACK).toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            call.cancel(true);
            return new Answer.Silence("no answer within " + limit.toMillis() + " ms");
        } catch (InterruptedException e) {
            call.cancel(true);
            Thread.currentThread().interrupt();
            return new Answer.Silence("interrupted while waiting for the answer");
        } catch (ExecutionException e) {
            return new Answer.Silence("no answer: " + e.getCause());
        }
    }

    private static Answer reply(HttpResponse<String> response) {
        String body = response.body() == null ? "" : response.body();
        return new Answer.Reply(response.code(), body, seconds(response.header("Retry-After")));
    }

    /** Only the form in seconds: API servers send no dates. */
    private static @Nullable Duration seconds(@Nullable String header) {
        return header != null && header.trim().matches("\\d{1,9}")
                ? Duration.ofSeconds(Long.parseLong(header.trim()))
                : null;
    }
}
