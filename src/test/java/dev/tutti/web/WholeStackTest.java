package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** The door on the whole service: real PostgreSQL, real engine, simulated cluster. */
@SpringBootTest(classes = Tutti.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestPostgresDatabase
class WholeStackTest {

    private static final String JOBS = "/api/v1/jobs";

    private final Http http;
    private final TestDatabase database;

    WholeStackTest(@LocalServerPort int port, @Autowired TestDatabase database) {
        this.http = new Http(port).onceTheFleetIsSeen();
        this.database = database;
    }

    private long rows(String table) {
        return database.jdbcClient()
                .sql("SELECT count(*) FROM " + table)
                .query(Long.class)
                .single();
    }

    @ParameterizedTest
    @MethodSource("dev.tutti.web.BadBodies#all")
    void badInputNamesTheFieldAndStoresNothing(String body, String field) {
        long before = rows("jobs");
        Http.Answer answer =
                http.with("Idempotency-Key", UUID.randomUUID().toString()).post(JOBS, body);

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.fields()).as(answer.text()).contains(field);
        assertThat(rows("jobs")).isEqualTo(before);
    }

    @Test
    void aSubmitSaysWhatBlocksTheJobAndARepeatSaysTheSameAfterEverythingChanged() {
        Http keyed = http.with("Idempotency-Key", UUID.randomUUID().toString());
        String giant = Json.job("giant").replace("\"count\": 2", "\"count\": 5000");
        Http.Answer first = keyed.post(JOBS, giant);
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        assertThat(first.json().at("/estimate").has("known")).isTrue();
        if (first.json().at("/estimate/known").asBoolean()) {
            assertThat(first.json().at("/estimate/couldEverRun").asBoolean(true))
                    .isFalse();
            assertThat(first.json().at("/estimate/reason/code").asString()).isEqualTo("EXCEEDS_LIMIT");
        }
        String id = first.json().path("id").asString();
        assertThat(http.post(JOBS + "/" + id + ":cancel", "").status()).isLessThan(300);

        assertThat(keyed.post(JOBS, giant).raw().body()).isEqualTo(first.raw().body());
    }

    @Test
    void mutatedBodiesNeverBreakTheService() {
        for (int seed = 1_000; seed < 1_150; seed++) {
            byte[] body = FuzzTest.mutated(seed);
            for (String path :
                    List.of(JOBS, JOBS + "?dryRun=true", "/api/v1/queues", "/api/v1/manifests", "/api/v1/keys")) {
                Http.Answer answer = http.call("POST", path, "application/json", body);
                assertThat(answer.status())
                        .as("seed %s to %s: %s", seed, path, answer.text())
                        .isLessThan(500);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/jobs",
                "/api/v1/jobs?state=QUEUED&lane=red&label=a%3Db&since=2020-01-01T00:00:00Z&sort=submittedAt",
                "/api/v1/clusters",
                "/api/v1/nodes?limit=3",
                "/api/v1/gpus?free=true&limit=3",
                "/api/v1/topology",
                "/api/v1/flavors",
                "/api/v1/queues",
                "/api/v1/keys",
                "/api/v1/lanes"
            })
    void everyListAnswers(String path) {
        Http.Answer answer = http.get(path);

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.json().path("items").isArray()).isTrue();
    }

    @Test
    void aJobOfInstancesIsCutOutOfGpusAndJoinedAgain() throws Exception {
        String location = http.post(JOBS, """
                        {"name": "slices", "podSets": [{"count": 3, "mig": "3g.40gb", "flavors": ["h100-sxm"],
                         "template": {"image": "busybox"}}], "expectedRuntimeSeconds": 3600}""").header("Location");
        String id = location.substring(location.lastIndexOf('/') + 1);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> http.get(location).json().path("state").asString().equals("RUNNING"));

        List<JsonNode> instances = http.get(location + "/allocation")
                .json()
                .path("items")
                .valueStream()
                .map(member -> member.at("/gpus/0"))
                .toList();
        assertThat(instances).hasSize(3).allSatisfy(gpu -> {
            assertThat(gpu.path("gpuMilli").asInt()).isEqualTo(500);
            assertThat(gpu.at("/mig/profile").asString()).isEqualTo("3g.40gb");
            assertThat(gpu.at("/mig/start").asInt()).isIn(0, 4);
        });
        assertThat(instances.stream()
                        .map(gpu -> gpu.path("id").asString() + "@"
                                + gpu.at("/mig/start").asInt())
                        .distinct())
                .hasSize(3);
        assertThat(instances.stream().map(gpu -> gpu.path("id").asString()).distinct())
                .as("two halves of one GPU before another is broken")
                .hasSize(2);
        List<JsonNode> cut = gpusOf(id);
        assertThat(cut)
                .hasSize(2)
                .allMatch(gpu -> gpu.path("migLayout").asString().equals("h100-80gb"));
        assertThat(cut.stream().mapToInt(gpu -> gpu.path("migInstances").size()).sum())
                .isEqualTo(3);

        http.post(location + ":cancel", "");
        await().atMost(Duration.ofSeconds(60)).until(() -> gpusOf(id).isEmpty());
        assertThat(rows("devices WHERE held_units <> 0")).isZero();
    }

    @Test
    void aJobWithNicsHoldsThoseBesideItsGpusAndGivesThemBack() throws Exception {
        String location = http.post(JOBS, """
                        {"name": "near", "podSets": [{"count": 2, "gpusPerPod": 2, "rdma": 2, "flavors": ["h100-sxm"],
                         "template": {"image": "busybox"}}], "expectedRuntimeSeconds": 3600}""").header("Location");
        String id = location.substring(location.lastIndexOf('/') + 1);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> http.get(location).json().path("state").asString().equals("RUNNING"));

        List<JsonNode> gpus = gpusOf(id);
        List<String> nics = http.get(location + "/allocation")
                .json()
                .path("items")
                .valueStream()
                .flatMap(member -> member.path("nics")
                        .valueStream()
                        .peek(nic -> assertThat(nic.path("resource").asString()).isEqualTo("rdma/hca"))
                        .map(nic -> member.path("node").asString()
                                + nic.path("place").asString()))
                .sorted()
                .toList();
        assertThat(nics)
                .as("the NIC in the place of each GPU")
                .isEqualTo(gpus.stream()
                        .map(gpu ->
                                gpu.path("node").asString() + gpu.path("place").asString())
                        .sorted()
                        .toList())
                .hasSize(4);
        assertThat(nicsHeld()).isEqualTo(4);

        http.post(location + ":cancel", "");
        await().atMost(Duration.ofSeconds(60)).until(() -> nicsHeld() == 0);
    }

    private int nicsHeld() {
        return http.get("/api/v1/nodes?flavor=h100-sxm&limit=500")
                .json()
                .path("items")
                .valueStream()
                .mapToInt(node -> node.path("nicsHeld").asInt())
                .sum();
    }

    private List<JsonNode> gpusOf(String job) {
        return http.get("/api/v1/gpus?free=false&limit=500")
                .json()
                .path("items")
                .valueStream()
                .filter(gpu -> gpu.path("jobs")
                        .valueStream()
                        .anyMatch(one -> one.asString().equals(job)))
                .toList();
    }

    @Test
    void aProfileThatNoGpuOfTheFleetGivesWaitsAndSaysSo() {
        Http.Answer dry = http.post(JOBS + "?dryRun=true", """
                {"name": "none", "podSets": [{"count": 1, "mig": "3g.71gb", "template": {"image": "busybox"}}]}""");

        assertThat(dry.status()).as(dry.text()).isEqualTo(200);
        assertThat(dry.text()).contains("NO_MATCHING_FLAVOR").contains("can be cut into MIG 3g.71gb");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jobs", "nodes", "gpus", "queues", "keys"})
    void aBrokenCursorIsNamed(String list) {
        for (String cursor : List.of("x", "%25", "AAAA", "0-0", "'", "x".repeat(4_000))) {
            Http.Answer answer = http.get("/api/v1/" + list + "?cursor=" + cursor);

            assertThat(answer.status()).as(answer.text()).isEqualTo(400);
            assertThat(answer.fields()).containsExactly("cursor");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"训练 🚀", "'); DROP TABLE jobs; --", "a\u200db", "é", "e\u0301"})
    void aNameComesBackByteForByte(String name) {
        String location = http.post(JOBS, Json.job(name)).header("Location");

        assertThat(http.get(location).json().path("name").asString()).isEqualTo(name);
        assertThat(http.post(location + ":cancel", "").status()).isEqualTo(200);
    }

    @Test
    void theSameKeyFiftyTimesInParallelIsOneJob() {
        long before = rows("jobs");
        Http keyed = http.with("Idempotency-Key", UUID.randomUUID().toString());
        List<Http.Answer> answers = IntStream.range(0, 50)
                .parallel()
                .mapToObj(i -> keyed.post(JOBS, Json.job("once")))
                .toList();

        assertThat(answers)
                .allMatch(answer -> answer.status() == 201 || answer.status() == 409 || answer.status() == 503);
        assertThat(answers.stream()
                        .filter(a -> a.status() == 201)
                        .map(Http.Answer::text)
                        .distinct())
                .hasSize(1);
        assertThat(rows("jobs")).isEqualTo(before + 1);
        assertThat(keyed.post(JOBS, Json.job("other")).status()).isEqualTo(422);
    }

    @Test
    void pagesOfOneBatchShowEachJobOnce() {
        String jobs = IntStream.range(0, 120)
                .mapToObj(i -> Json.job("page " + i, "\"labels\": {\"list\": \"pages\"}, \"priority\": -5,"))
                .collect(Collectors.joining(","));
        Http.Answer batch = http.post(JOBS + ":batch", "{\"jobs\": [" + jobs + "]}");
        assertThat(batch.json().path("stored").asInt()).as(batch.text()).isEqualTo(120);

        List<String> seen = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page =
                    http.get(JOBS + "?limit=50&label=list%3Dpages" + cursor).json();
            page.path("items").forEach(job -> seen.add(job.path("id").asString()));
            cursor = page.has("next") ? "&cursor=" + page.path("next").asString() : null;
        } while (cursor != null);

        assertThat(seen).hasSize(120);
        assertThat(new HashSet<>(seen)).hasSize(120);
        seen.forEach(id -> http.post(JOBS + "/" + id + ":cancel", ""));
    }

    @Test
    void withoutAFirstKeyTheCallersOfThisMachineMakeKeysThatWorkToo() {
        Http.Answer made = http.post("/api/v1/keys", "{\"name\": \"helper\", \"role\": \"viewer\"}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        Http viewer =
                http.with("Authorization", "Bearer " + made.json().path("key").asString());
        assertThat(viewer.get(JOBS).status()).isEqualTo(200);
        assertThat(viewer.post(JOBS, Json.job("x")).status()).isEqualTo(403);

        assertThat(http.call("DELETE", made.header("Location"), null, null).status())
                .isEqualTo(204);
        assertThat(viewer.get(JOBS).status()).isEqualTo(401);
        assertThat(http.get(JOBS).status()).isEqualTo(200);
    }

    @Test
    void aQueueIsMadeChangedAndRemoved() {
        Http.Answer created = http.post("/api/v1/queues", "{\"path\": \"stack\"}");
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        String location = created.header("Location");
        Http.Answer held = http.with("If-Match", created.header("ETag"))
                .call(
                        "PATCH",
                        location,
                        "application/merge-patch+json",
                        "{\"held\": true}".getBytes(StandardCharsets.UTF_8));
        assertThat(held.json().path("held").asBoolean()).as(held.text()).isTrue();
        assertThat(http.with("If-Match", created.header("ETag"))
                        .call("DELETE", location, null, null)
                        .status())
                .isEqualTo(412);
        assertThat(http.with("If-Match", held.header("ETag"))
                        .call("DELETE", location, null, null)
                        .status())
                .isEqualTo(204);
        assertThat(http.get(location).status()).isEqualTo(404);
    }
}
