package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** A thousand jobs of one moment, read in pages and in their order while others come and go. */
@SpringBootTest(classes = Tutti.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestPostgresDatabase
class PagesAndPositionsTest {

    private static final String JOBS = "/api/v1/jobs";
    private static final int MANY = 1_000;
    private static final int AT_ONCE = 3;
    private static final int TURNS = 5;

    private final Http http;

    PagesAndPositionsTest(@LocalServerPort int port) {
        this.http = new Http(port).onceTheFleetIsSeen();
    }

    @Test
    @DisplayName("B47 pages show each job once, positions are those of the real start order")
    void pagesShowEachJobOnceAndPositionsAreTheStartOrder() {
        Http.Answer queue = http.post("/api/v1/queues", "{\"path\": \"b47\"}");
        assertThat(queue.status()).as(queue.text()).isEqualTo(201);
        Http.Answer held = patch(queue.header("Location"), queue.header("ETag"), "{\"held\": true}");
        List<String> ids = submit(MANY);

        List<String> seen = new ArrayList<>();
        Set<String> ended = new HashSet<>(ids.subList(300, 325));
        ended.addAll(ids.subList(700, 725));
        pages("&limit=100", page -> {
            page.forEach(job -> seen.add(job.path("id").asString()));
            if (seen.size() == 300) {
                ended.forEach(id -> http.post(JOBS + "/" + id + ":cancel", ""));
                submit(50);
            }
        });
        assertThat(seen).doesNotHaveDuplicates();
        assertThat(seen).containsAll(ids);

        Map<String, Long> positions = positions();
        assertThat(positions).hasSize(MANY);
        assertThat(positions.values())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, MANY).boxed().toList());
        String some = ids.get(500);
        for (int i = 0; i < 20; i++) {
            assertThat(http.get(JOBS + "/" + some).json().path("position").asLong())
                    .isEqualTo(positions.get(some));
        }
        assertThat(positions()).as("nothing changed").isEqualTo(positions);

        List<String> order = positions.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .toList();
        patch(
                queue.header("Location"),
                held.header("ETag"),
                "{\"held\": false, \"nominalMilli\": {\"h100-sxm\": 3000}}");
        for (int turn = 0; turn < TURNS; turn++) {
            List<String> next = order.subList(AT_ONCE * turn, AT_ONCE * (turn + 1));
            await().atMost(Duration.ofSeconds(30)).until(() -> running().containsAll(next));
            assertThat(running()).as("turn " + turn).containsExactlyInAnyOrderElementsOf(next);
            assertThat(positions().get(order.get(AT_ONCE * (turn + 1))))
                    .as("the next is the first now")
                    .isEqualTo(1);
            next.forEach(id -> http.post(JOBS + "/" + id + ":cancel", ""));
        }
        positions().keySet().forEach(id -> http.post(JOBS + "/" + id + ":cancel", ""));
    }

    @Test
    @DisplayName("B47 odd limits, offsets and cursors are refused by their names")
    void oddParametersAreRefused() {
        for (String query : List.of("limit=0", "limit=-1", "limit=1000000000", "limit=ten", "limit=", "limit=1e2")) {
            Http.Answer refused = http.get(JOBS + "?" + query);
            assertThat(refused.status()).as(query).isEqualTo(400);
            assertThat(refused.fields()).containsExactly("limit");
        }
        Http.Answer offset = http.get(JOBS + "?offset=1000000000000");
        assertThat(offset.status()).as("pages have no offset").isEqualTo(400);
        assertThat(offset.fields()).containsExactly("offset");
        List<String> two = List.of(
                http.post(JOBS, Json.job("one", "\"suspended\": true,")).header("Location"),
                http.post(JOBS, Json.job("two", "\"suspended\": true,")).header("Location"));
        String cursor = http.get(JOBS + "?limit=1").json().path("next").asString();
        List<String> broken = new ArrayList<>(List.of("x", "AAAA", cursor + "A", cursor.substring(1)));
        Collections.shuffle(broken);
        for (String one : broken) {
            Http.Answer refused = http.get(JOBS + "?limit=1&cursor=" + one);
            assertThat(refused.status()).as(one).isEqualTo(400);
            assertThat(refused.fields()).containsExactly("cursor");
        }
        assertThat(http.get(JOBS + "?state=RUNNING&cursor=" + cursor).status())
                .as("the cursor of another list")
                .isEqualTo(400);
        two.forEach(location -> http.post(location + ":cancel", ""));
        assertThat(http.get(JOBS + "?limit=1&cursor=" + cursor).status())
                .as("a cursor never expires: it is a place in the order, whatever became of the jobs")
                .isEqualTo(200);
    }

    private List<String> submit(int count) {
        String jobs = IntStream.range(0, count)
                .mapToObj(i -> "{\"name\": \"j\", \"queue\": \"b47\", \"expectedRuntimeSeconds\": 3600, \"podSets\":"
                        + " [{\"count\": 1, \"gpusPerPod\": 1, \"flavors\": [\"h100-sxm\"],"
                        + " \"template\": {\"image\": \"i\"}}]}")
                .collect(Collectors.joining(","));
        Http.Answer batch = http.post(JOBS + ":batch", "{\"jobs\": [" + jobs + "]}");
        assertThat(batch.json().path("stored").asInt()).as(batch.text()).isEqualTo(count);
        return batch.json()
                .path("items")
                .valueStream()
                .map(item -> item.path("id").asString())
                .toList();
    }

    private List<String> running() {
        return http.get(JOBS + "?queue=b47&state=RUNNING")
                .json()
                .path("items")
                .valueStream()
                .map(job -> job.path("id").asString())
                .toList();
    }

    private Map<String, Long> positions() {
        Map<String, Long> positions = new HashMap<>();
        pages(
                "&limit=500&state=QUEUED",
                page -> page.forEach(job -> positions.put(
                        job.path("id").asString(), job.path("position").asLong())));
        return positions;
    }

    private void pages(String query, Consumer<JsonNode> take) {
        String cursor = "";
        do {
            JsonNode page = http.get(JOBS + "?queue=b47" + query + cursor).json();
            take.accept(page.path("items"));
            cursor = page.has("next") ? "&cursor=" + page.path("next").asString() : null;
        } while (cursor != null);
    }

    private Http.Answer patch(String path, String etag, String json) {
        Http.Answer answer = http.with("If-Match", etag)
                .call("PATCH", path, "application/merge-patch+json", json.getBytes(StandardCharsets.UTF_8));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer;
    }
}
