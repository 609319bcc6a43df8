package dev.tutti.boot.cli.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The public API as a caller sees it. An answer that is not 2xx is an error with the answer's own words. */
final class ApiClient {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final JsonMapper json = new JsonMapper();
    private final URI base;

    /** @param base such as {@code http://127.0.0.1:8080/api/v1} */
    ApiClient(URI base) {
        this.base = base;
    }

    JsonNode get(String path) {
        return send(HttpRequest.newBuilder(URI.create(base + path)).GET());
    }

    /** Posts with an Idempotency-Key of its own. */
    JsonNode post(String path, @Nullable Object body) {
        String text = body == null ? "" : json.writeValueAsString(body);
        return send(HttpRequest.newBuilder(URI.create(base + path))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .POST(HttpRequest.BodyPublishers.ofString(text)));
    }

    /** Hands every item of every page of a list to {@code item}. */
    void forEach(String path, Consumer<JsonNode> item) {
        String cursor = "";
        do {
            JsonNode page = get(path + (path.contains("?") ? "&" : "?") + "limit=500" + cursor);
            page.path("items").forEach(item);
            String next = page.path("next").asString("");
            cursor = next.isEmpty() ? "" : "&cursor=" + next;
        } while (!cursor.isEmpty());
    }

    private JsonNode send(HttpRequest.Builder request) {
        HttpRequest built = request.timeout(TIMEOUT).build();
        try {
            HttpResponse<String> response = http.send(built, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() / 100 != 2) {
                throw new IllegalStateException(built.method() + " " + built.uri() + " answered "
                        + response.statusCode() + ": " + response.body());
            }
            return json.readTree(response.body().isEmpty() ? "{}" : response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(built.method() + " " + built.uri() + " got no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
