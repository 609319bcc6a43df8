package dev.tutti.web;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Real HTTP, in one line a call. */
final class Http {

    private static final JsonMapper MAPPER = new JsonMapper();
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final int port;
    private final List<String> headers;

    Http(int port, String... headers) {
        this.port = port;
        this.headers = List.of(headers);
    }

    /** Waits until the service has seen its simulated fleet: before that it knows no flavors. */
    Http onceTheFleetIsSeen() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> get("/api/v1/flavors").text().contains("\"h100-sxm\""));
        return this;
    }

    record Answer(int status, HttpResponse<byte[]> raw) {

        String text() {
            return new String(raw.body(), StandardCharsets.UTF_8);
        }

        JsonNode json() {
            return MAPPER.readTree(raw.body());
        }

        String header(String name) {
            return raw.headers().firstValue(name).orElse("");
        }

        /** Fields of the problem's violations. */
        List<String> fields() {
            return json().path("violations")
                    .valueStream()
                    .map(v -> v.path("field").asString())
                    .toList();
        }

        /** What the problem's violations say. */
        List<String> messages() {
            return json().path("violations")
                    .valueStream()
                    .map(v -> v.path("message").asString())
                    .toList();
        }

        String code() {
            return json().path("code").asString();
        }
    }

    Http with(String... more) {
        List<String> all = new ArrayList<>(headers);
        all.addAll(List.of(more));
        return new Http(port, all.toArray(String[]::new));
    }

    Answer get(String path) {
        return call("GET", path, null, null);
    }

    Answer post(String path, String json) {
        return call("POST", path, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    Answer call(String method, String path, String contentType, byte[] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20))
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        if (!headers.isEmpty()) {
            request.headers(headers.toArray(String[]::new));
        }
        if (contentType != null) {
            request.header("Content-Type", contentType);
        }
        try {
            HttpResponse<byte[]> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
