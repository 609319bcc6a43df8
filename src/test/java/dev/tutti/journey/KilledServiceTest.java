package dev.tutti.journey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.process.JavaProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A kill of the service, in the middle of things, ends nobody's job and loses none (house rule R1, invariants I5, I10). */
class KilledServiceTest {

    private static final Duration START = Duration.ofSeconds(180);
    private static final Duration PATIENCE = Duration.ofSeconds(240);

    private final JsonMapper json = new JsonMapper();
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path data;

    @Test
    void everyAcknowledgedJobIsThereAfterAKillAndRunsOnce() throws Exception {
        Set<String> acknowledged = new HashSet<>();
        String running;
        try (JavaProcess first = serve()) {
            String base = base(first);
            running = submit(base, "runs on", 2, 8, 20);
            awaitState(base, running, "RUNNING");
            acknowledged.add(running);
            for (int i = 0; i < 40; i++) {
                acknowledged.add(submit(base, "just submitted " + i, 1, 4, 2));
            }
            first.kill();
        }
        try (JavaProcess second = serve()) {
            String base = base(second);
            assertThat(get(base + "/jobs/" + running).path("state").asString()).isIn("RUNNING", "SUCCEEDED");
            for (String job : acknowledged) {
                awaitState(base, job, "SUCCEEDED");
                // A bind that was on its way at the kill may have worked: then quarantine first, and a second attempt.
                assertThat(get(base + "/jobs/" + job).path("attempt").asInt()).isLessThanOrEqualTo(2);
            }
            assertThat(get(base + "/jobs/" + running).path("attempt").asInt()).isEqualTo(1);
            assertThat(heldMilli(base)).isZero();
        }
    }

    private long heldMilli(String base) throws Exception {
        long held = 0;
        for (JsonNode flavor : get(base + "/flavors").path("items")) {
            held += flavor.path("gpuMilliHeld").asLong();
        }
        return held;
    }

    private String submit(String base, String name, int count, int gpus, int seconds) throws Exception {
        Map<String, Object> job = Map.of(
                "name", name,
                "expectedRuntimeSeconds", seconds,
                "podSets", List.of(Map.of("count", count, "gpusPerPod", gpus, "template", Map.of("image", "sleep"))));
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(base + "/jobs"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(json.writeValueAsString(job)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return json.readTree(answer.body()).path("id").asString();
    }

    private void awaitState(String base, String job, String state) {
        List<String> seen = new ArrayList<>();
        await("job " + job + " to be " + state)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    seen.add(get(base + "/jobs/" + job).path("state").asString());
                    return seen.get(seen.size() - 1).equals(state);
                });
    }

    private JsonNode get(String url) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json.readTree(answer.body());
    }

    private static String base(JavaProcess service) {
        String line = service.awaitLine("Swagger UI:", START);
        return line.replaceAll(".*(http://localhost:[0-9]+)/.*", "$1") + "/api/v1";
    }

    private JavaProcess serve() {
        return JavaProcess.start(Tutti.class, Map.of("SERVER_PORT", "0", "TUTTI_DATA_DIR", data.toString()));
    }
}
