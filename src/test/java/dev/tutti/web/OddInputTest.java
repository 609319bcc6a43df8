package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Texts and numbers that something on their way cannot hold: a refusal by name, or the very same back. */
@SpringBootTest(classes = Tutti.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestPostgresDatabase
class OddInputTest {

    private static final String JOBS = "/api/v1/jobs";
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final List<String> TEXTS = List.of(
            "训练 🚀",
            "n".repeat(300),
            "a\u0000b",
            "../x",
            "'quotes\"; DROP TABLE jobs; --",
            "مهمة تدريب",
            "a\u200db",
            "trailing-",
            "UPPER",
            "é",
            "e\u0301",
            "x".repeat(127) + "1",
            "x".repeat(127) + "2",
            "<script>alert(1)</script>");

    private final Http http;

    OddInputTest(@LocalServerPort int port) {
        this.http = new Http(port).onceTheFleetIsSeen();
    }

    private static String quoted(String text) {
        return MAPPER.writeValueAsString(text);
    }

    @Test
    @DisplayName(
            "B49 any text as a name, label, annotation or queue is refused by its field or comes back byte for byte")
    void anyTextIsRefusedOrComesBack() {
        Set<String> pods = new HashSet<>();
        List<String> running = new ArrayList<>();
        for (String text : TEXTS) {
            Http.Answer named = http.post(
                    JOBS,
                    "{\"name\": " + quoted(text) + ", \"expectedRuntimeSeconds\": 3600,"
                            + " \"podSets\": [{\"count\": 1, \"template\": {\"image\": \"i\"}}]}");
            if (refusedOrStored(named, "name")) {
                String at = named.header("Location");
                assertThat(http.get(at).json().path("name").asString()).isEqualTo(text);
                running.add(at);
            }
            Http.Answer value =
                    http.post(JOBS, Json.job("x", "\"suspended\": true, \"labels\": {\"k\": " + quoted(text) + "},"));
            if (refusedOrStored(value, "labels.k")) {
                assertThat(http.get(value.header("Location"))
                                .json()
                                .at("/labels/k")
                                .asString())
                        .isEqualTo(text);
            }
            Http.Answer label =
                    http.post(JOBS, Json.job("x", "\"suspended\": true, \"labels\": {" + quoted(text) + ": \"v\"},"));
            if (label.status() == 201) {
                assertThat(http.get(label.header("Location"))
                                .json()
                                .path("labels")
                                .propertyNames())
                        .containsExactly(text);
            } else {
                assertThat(label.status()).as(label.text()).isEqualTo(400);
                assertThat(label.fields()).allMatch(field -> field.startsWith("labels"));
            }
            Http.Answer queue = http.post("/api/v1/queues", "{\"path\": " + quoted(text) + "}");
            assertThat(queue.status()).as(queue.text()).isEqualTo(400);
            assertThat(queue.fields()).containsExactly("path");
            assertThat(http.post(JOBS, Json.job("x", "\"queue\": " + quoted(text) + ","))
                            .status())
                    .isEqualTo(400);
        }
        assertThat(running).hasSize(TEXTS.size() - 2);
        for (String at : running) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> http.get(at).json().path("state").asString().equals("RUNNING"));
            String pod =
                    http.get(at + "/allocation").json().at("/items/0/podName").asString();
            assertThat(pod).matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
            assertThat(pods.add(pod)).isTrue();
            http.post(at + ":cancel", "");
        }
    }

    /** Whether it was stored; what was not must be refused by that field. */
    private static boolean refusedOrStored(Http.Answer answer, String field) {
        if (answer.status() != 201) {
            assertThat(answer.status()).as(answer.text()).isEqualTo(400);
            assertThat(answer.fields()).containsExactly(field);
        }
        return answer.status() == 201;
    }

    @ParameterizedTest(name = "B51 GPU value {0} is answered with {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "NaN | 400",
                "Infinity | 400",
                "-1 | 400",
                "-0 | 201",
                "0 | 201",
                "0.0000001 | 400",
                "\"0.5\" | 400",
                "1.5 | 400",
                "1e2 | 400",
                "129e6 | 400",
                "null | 201",
                "missing | 201",
                "\"\" | 400",
                "\"1Gi\" | 400",
                "\" 1\" | 400"
            })
    void gpuValuesHaveAFixedTableOfAnswers(String value, int status) {
        String field = value.equals("missing") ? "" : "\"gpusPerPod\": " + value + ", ";
        Http.Answer answer = http.post(
                JOBS,
                "{\"name\": \"x\", \"suspended\": true, \"podSets\": [{" + field
                        + "\"count\": 1, \"template\": {\"image\": \"i\"}}]}");

        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        if (status == 400) {
            assertThat(answer.fields()).containsExactly("podSets[0].gpusPerPod");
        } else {
            JsonNode job = http.get(answer.header("Location")).json();
            assertThat(job.at("/gpus/gpuMilli").asLong()).as("a CPU-only job").isZero();
        }
    }

    @ParameterizedTest(name = "B51 pods {0} are refused at {1}")
    @CsvSource({
        "'\"count\": 0', podSets[0].count",
        "'\"count\": -1', podSets[0].count",
        "'\"count\": 2, \"minCount\": 3', podSets[0].minCount",
        "'\"count\": 2, \"minCount\": 0', podSets[0].minCount"
    })
    void numbersOfPodsThatMakeNoSense(String counts, String field) {
        Http.Answer refused =
                http.post(JOBS, "{\"name\": \"x\", \"podSets\": [{" + counts + ", \"template\": {\"image\": \"i\"}}]}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.fields()).containsExactly(field);
    }

    @Test
    @DisplayName("B51 a CPU-only job runs in a queue whose GPU quota is 0, a job with a GPU does not")
    void aCpuOnlyJobNeedsNoGpuQuota() {
        assertThat(http.post("/api/v1/queues", "{\"path\": \"b51\", \"nominalMilli\": {\"h100-sxm\": 0}}")
                        .status())
                .isEqualTo(201);
        String cpu = http.post(JOBS, """
                        {"name": "cpu", "queue": "b51", "expectedRuntimeSeconds": 3600,
                         "podSets": [{"count": 1, "gpusPerPod": 0, "cpuMilli": 500, "template": {"image": "i"}}]}""").header("Location");
        String gpu = http.post(JOBS, """
                        {"name": "gpu", "queue": "b51", "podSets": [{"count": 1, "gpusPerPod": 1,
                         "flavors": ["h100-sxm"], "template": {"image": "i"}}]}""").header("Location");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> http.get(cpu).json().path("state").asString().equals("RUNNING"));

        assertThat(http.get(cpu + "/allocation").json().at("/items/0/gpus").isEmpty())
                .as("no entry of zero GPUs")
                .isTrue();
        assertThat(http.get(gpu).json().path("state").asString()).isEqualTo("QUEUED");
        http.post(cpu + ":cancel", "");
        http.post(gpu + ":cancel", "");
    }
}
