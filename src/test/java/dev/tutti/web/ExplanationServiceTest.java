package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import tools.jackson.databind.JsonNode;

/** Explanations by the whole service: two pools of one node each, real PostgreSQL, real engine. */
@SpringBootTest(classes = Tutti.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestPostgresDatabase
class ExplanationServiceTest {

    private static final String JOBS = "/api/v1/jobs";

    private final Http http;

    ExplanationServiceTest(@LocalServerPort int port) {
        this.http = new Http(port);
        await().atMost(Duration.ofSeconds(30)).until(() -> flavors().size() == 2);
    }

    @DynamicPropertySource
    static void twoPools(DynamicPropertyRegistry registry) throws IOException {
        Path fleet = Files.createTempFile("pools", ".csv");
        fleet.toFile().deleteOnExit();
        Files.writeString(fleet, """
                sn,cpu_milli,memory_mib,gpu,model
                n1,96000,786432,8,V100M32
                n2,96000,786432,8,A100
                """);
        registry.add("tutti.simulator.fleet", fleet::toString);
    }

    @AfterEach
    void cancelAll() {
        http.get(JOBS + "?state=QUEUED&state=ALLOCATED&state=RUNNING&limit=100")
                .json()
                .path("items")
                .forEach(job -> http.post(JOBS + "/" + job.path("id").asString() + ":cancel", ""));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> http.get(JOBS + "?state=QUEUED&state=ALLOCATED&state=RUNNING&state=STOPPING")
                        .json()
                        .path("items")
                        .isEmpty());
    }

    private List<String> flavors() {
        return http.get("/api/v1/flavors")
                .json()
                .path("items")
                .valueStream()
                .map(one -> one.path("name").asString())
                .sorted()
                .toList();
    }

    @Test
    @DisplayName("B21 each pending job shows who blocks it, over HTTP")
    void eachPendingJobShowsWhoBlocksIt() {
        String a100 = flavors().get(0);
        String other = flavors().get(1);
        assertThat(http.post("/api/v1/queues", "{\"path\": \"q\", \"strict\": true}")
                        .status())
                .isEqualTo(201);
        String busy = submit("default", 8, "\"flavors\": [\"" + other + "\"],", "");
        until(busy, "RUNNING");
        String j1 = submit("q", 8, "\"flavors\": [\"" + other + "\"],", "");
        String j2 = submit("q", 8, "\"flavors\": [\"" + a100 + "\"],", "");
        until(j2, "RUNNING");
        String j3 = submit("q", 1, "\"flavors\": [\"" + other + "\"],", "");
        String j4 = submit("q", 2, "", "");

        assertThat(explain(j1).at("/reason/code").asString()).isEqualTo("WAITING_FOR_CAPACITY");
        assertThat(explain(j1).at("/reason/wanted").asLong()).isEqualTo(8_000);
        assertThat(explain(j1).path("position").asLong()).isEqualTo(1);
        assertThat(blockers(j1)).containsExactly("HOLDS " + id(busy));
        assertThat(blockers(j3)).as("J3 does not pass J1").containsExactly("BEFORE " + id(j1), "HOLDS " + id(busy));
        assertThat(explain(j3).path("position").asLong()).isEqualTo(2);
        assertThat(blockers(j4))
                .as("J4 is after J2 and waits")
                .contains("BEFORE " + id(j1), "BEFORE " + id(j3), "HOLDS " + id(j2), "HOLDS " + id(busy));
        assertThat(explain(j4).path("blockers").asInt()).isEqualTo(4);
        assertThat(state(j1) + state(j3) + state(j4)).isEqualTo("QUEUEDQUEUEDQUEUED");

        JsonNode runs = http.get(j2 + "/explanation").json();
        assertThat(runs.path("known").asBoolean()).isTrue();
        assertThat(runs.path("state").asString()).as("J2 runs").isEqualTo("RUNNING");
        assertThat(runs.at("/places/0/flavor").asString()).isEqualTo(a100);
        assertThat(runs.at("/places/0/pods").asInt()).isEqualTo(1);
        assertThat(runs.at("/places/0/gpuMilli").asLong()).isEqualTo(8_000);
        assertThat(runs.path("summary").asString()).contains("1 pod on " + a100);

        http.post(j1 + ":cancel", "");
        http.post(j3 + ":cancel", "");
        JsonNode over = http.get(j1 + "/explanation").json();
        assertThat(over.path("cause").asString()).isEqualTo("CANCELLED_BY_USER");
        assertThat(over.path("endedAt").asString()).isNotEmpty();
        assertThat(over.has("reason")).isFalse();
    }

    @Test
    @DisplayName("B20 the plan of the large job is visible: when, after whom, and what starts now instead")
    void thePlanOfTheLargeJobIsVisible() {
        String first =
                submit("default", 8, "\"flavors\": [\"" + flavors().get(1) + "\"],", "\"maxRuntimeSeconds\": 3600,");
        until(first, "RUNNING");
        String large = submit("default", 8, "\"flavors\": [\"" + flavors().get(1) + "\"],", "");

        JsonNode waits = explain(large);

        assertThat(waits.path("startsNow").asBoolean()).isFalse();
        assertThat(Instant.parse(waits.path("startAt").asString()))
                .isBetween(Instant.now().plusSeconds(3_000), Instant.now().plusSeconds(4_500));
        JsonNode later = waits.at("/remedies/0");
        assertThat(later.path("kind").asString()).isEqualTo("LATER");
        assertThat(later.path("after").asString()).isEqualTo(id(first));
        JsonNode flavor = waits.at("/remedies/1");
        assertThat(flavor.path("kind").asString()).isEqualTo("OTHER_FLAVOR");
        String moved =
                submit("default", 8, "\"flavors\": [\"" + flavor.path("flavor").asString() + "\"],", "");
        until(moved, "RUNNING");
        assertThat(explain(large)
                        .at("/remedies")
                        .valueStream()
                        .map(one -> one.path("kind").asString()))
                .as("no longer")
                .containsExactly("LATER");
    }

    @Test
    void anUnknownJobAndAnIdThatIsNoneAre404() {
        for (String id : List.of("00000000-0000-0000-0000-000000000001", "x", "%00", "1")) {
            Http.Answer answer = http.get(JOBS + "/" + id + "/explanation");
            assertThat(answer.status()).as(answer.text()).isIn(400, 404);
            assertThat(answer.text()).contains("/problems/");
        }
    }

    private String submit(String queue, int gpus, String set, String job) {
        Http.Answer answer = http.post(JOBS, """
                {"name": "x", "queue": "%s", %s "expectedRuntimeSeconds": 86400, "podSets": [{"count": 1, "gpusPerPod": %d, %s
                 "template": {"image": "train"}}]}""".formatted(queue, job, gpus, set));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.header("Location");
    }

    /** Asked again while it is not known: others may be asking, on a slow machine. */
    private JsonNode explain(String job) {
        return await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> http.get(job + "/explanation").json(),
                        answer -> answer.path("known").asBoolean());
    }

    private List<String> blockers(String job) {
        return explain(job)
                .path("blockedBy")
                .valueStream()
                .map(one -> one.path("kind").asString() + " " + one.path("job").asString())
                .toList();
    }

    private static String id(String location) {
        return location.substring(location.lastIndexOf('/') + 1);
    }

    private String state(String job) {
        return http.get(job).json().path("state").asString();
    }

    private void until(String job, String state) {
        await().atMost(Duration.ofSeconds(60)).until(() -> state(job).equals(state));
    }
}
