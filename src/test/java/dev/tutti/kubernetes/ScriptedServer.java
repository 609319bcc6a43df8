package dev.tutti.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tutti.model.ClusterId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server on loopback that answers what the test says, in order, and keeps what it was asked. */
final class ScriptedServer implements AutoCloseable {

    /** What to answer, after {@code delay}; code 0 hangs up without a word. */
    record Line(int code, String body, Map<String, String> headers, Duration delay) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Line> script = new ConcurrentLinkedQueue<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> bodies = new CopyOnWriteArrayList<>();

    ScriptedServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    ScriptedServer then(int code, String body) {
        return then(code, body, Map.of());
    }

    ScriptedServer then(int code, String body, Map<String, String> headers) {
        script.add(new Line(code, body, headers, Duration.ZERO));
        return this;
    }

    ScriptedServer thenAfter(Duration delay, int code, String body) {
        script.add(new Line(code, body, Map.of(), delay));
        return this;
    }

    ScriptedServer thenHangUp() {
        return then(0, "");
    }

    /** Method and path of each request, in order. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    List<String> bodies() {
        return List.copyOf(bodies);
    }

    int port() {
        return server.getAddress().getPort();
    }

    KubernetesSettings settings() {
        return settings(port(), Duration.ofSeconds(10));
    }

    static KubernetesSettings settings(int port, Duration requestTimeout) {
        return new KubernetesSettings(
                new ClusterId(1),
                URI.create("http://127.0.0.1:" + port),
                "",
                "secret-token",
                "jobs",
                Duration.ofSeconds(5),
                requestTimeout);
    }

    static String status(int code, String reason, String message, String details) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\""
                + message + "\",\"reason\":\"" + reason + "\",\"details\":" + details + ",\"code\":" + code + "}";
    }

    private void answer(HttpExchange exchange) throws IOException {
        bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        Line line = script.poll();
        if (line == null) {
            line = new Line(418, "the script is over", Map.of(), Duration.ZERO);
        }
        sleep(line.delay());
        if (line.code() == 0) {
            exchange.close();
            return;
        }
        byte[] bytes = line.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        line.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(line.code(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static void sleep(Duration delay) {
        try {
            Thread.sleep(delay.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
