package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;

/** The event stream over real HTTP. */
@SpringBootTest(
        classes = WebApp.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"tutti.events.heartbeat-millis=200", "tutti.events.max-listeners=4"})
@DirtiesContext
class EventsTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final int port;
    private final MemoryEvents events;
    private final List<Listener> listeners = new ArrayList<>();

    EventsTest(@LocalServerPort int port, @Autowired MemoryEvents events) {
        this.port = port;
        this.events = events;
    }

    @AfterEach
    void leave() {
        listeners.forEach(Listener::close);
    }

    @Test
    void aListenerHearsWhatComesInOrderWithHeartbeats() {
        events.add("job.state", "before", "{}");
        Listener listener = listen(null);
        await().atMost(SOON).until(() -> listener.lines.contains(":heartbeat"));
        List<String> ids = add(1_200);

        await().atMost(SOON).until(() -> listener.ids().size() >= ids.size());
        assertThat(listener.ids())
                .as("from now on, give or take the reader's quarter of a second")
                .endsWith(ids.toArray(String[]::new));
        assertThat(listener.lines).contains("event:job.state");
        assertThat(listener.lines)
                .anyMatch(line -> line.startsWith("data:")
                        && line.contains("\"subject\":\"s\"")
                        && line.contains("\"data\":{\"n\":0}"));
        assertThat(listener.response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
    }

    @Test
    void aListenerThatComesBackMissesNothing() {
        List<String> ids = add(1_300);
        Listener listener = listen(ids.get(9));
        ids.addAll(add(20));

        await().atMost(SOON).until(() -> listener.ids().size() >= 1_310);
        ids.addAll(add(20));
        await().atMost(SOON).until(() -> listener.ids().size() >= 1_330);
        assertThat(listener.ids()).isEqualTo(ids.subList(10, ids.size()));
    }

    @Test
    void manyListenersCostOneReader() throws InterruptedException {
        List<Listener> four = IntStream.range(0, 4).mapToObj(i -> listen(null)).toList();
        Thread.sleep(600);
        int before = events.reads.get();
        Thread.sleep(2_000);
        int perSecond = (events.reads.get() - before) / 2;

        assertThat(perSecond).as("reads a second for %s listeners", four.size()).isBetween(1, 5);
        Listener fifth = new Listener(null);
        listeners.add(fifth);
        assertThat(fifth.status).isEqualTo(503);
        assertThat(fifth.response.headers().firstValue("Retry-After")).isPresent();
    }

    @Test
    void aCursorThatIsGoneOrBrokenIsToldBeforeTheStream() {
        List<String> ids = add(3);
        events.forget();
        Http http = new Http(port, "Accept", "text/event-stream");
        Http.Answer old = http.with("Last-Event-ID", ids.get(0)).get("/api/v1/events");
        Http.Answer broken = http.with("Last-Event-ID", "nonsense").get("/api/v1/events");

        assertThat(old.status()).isEqualTo(410);
        assertThat(old.code()).isEqualTo("CURSOR_TOO_OLD");
        assertThat(broken.status()).isEqualTo(400);
        assertThat(broken.fields()).containsExactly("Last-Event-ID");
    }

    private List<String> add(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> events.add("job.state", "s", "{\"n\":" + i + "}").id())
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private Listener listen(String lastEventId) {
        // Who has left is noticed at the next heartbeat, so the place of an earlier test may not be free yet.
        AtomicReference<Listener> let = new AtomicReference<>();
        await().atMost(SOON).until(() -> {
            let.set(new Listener(lastEventId));
            listeners.add(let.get());
            return let.get().status == 200;
        });
        return let.get();
    }

    /** One open stream and what it has said so far. */
    private final class Listener {
        final List<String> lines = new CopyOnWriteArrayList<>();
        final HttpResponse<InputStream> response;
        final int status;

        Listener(String lastEventId) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/events"));
            if (lastEventId != null) {
                request.header("Last-Event-ID", lastEventId);
            }
            try {
                response = HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
            status = response.statusCode();
            Thread reader = new Thread(this::read);
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            StringBuilder line = new StringBuilder();
            List<String> batch = new ArrayList<>();
            byte[] buffer = new byte[64 * 1024];
            try {
                for (int read = response.body().read(buffer);
                        read >= 0;
                        read = response.body().read(buffer)) {
                    for (char c : new String(buffer, 0, read, StandardCharsets.UTF_8).toCharArray()) {
                        if (c == '\n') {
                            batch.add(line.toString());
                            line.setLength(0);
                        } else {
                            line.append(c);
                        }
                    }
                    lines.addAll(batch);
                    batch.clear();
                }
            } catch (IOException closed) {
                // The test has left.
            }
        }

        List<String> ids() {
            return lines.stream()
                    .filter(line -> line.startsWith("id:"))
                    .map(line -> line.substring(3))
                    .toList();
        }

        void close() {
            try {
                response.body().close();
            } catch (IOException closed) {
                // Closed already.
            }
        }
    }
}
