package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The examples that Swagger UI offers for queues and lanes work as they stand, one after the other. */
@SpringBootTest(classes = Tutti.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestPostgresDatabase
class QueueExamplesTest {

    private final Http http;
    private final JsonNode contract;

    QueueExamplesTest(@LocalServerPort int port) {
        http = new Http(port).onceTheFleetIsSeen();
        contract = new YAMLMapper().readTree(http.get("/openapi.yaml").text());
    }

    @Test
    void aTreeIsMadeAndChangedFromTheExamplesAlone() {
        List<String> queues = examples("/api/v1/queues", "post", "application/json");
        assertThat(queues).hasSize(3);
        for (String queue : queues) {
            Http.Answer made = http.post("/api/v1/queues", queue);
            assertThat(made.status()).as(made.text()).isEqualTo(201);
        }
        assertThat(http.get("/api/v1/queues/research").json().path("leaf").asBoolean(true))
                .isFalse();
        changes("/api/v1/queues/{id}", "/api/v1/queues/research", 4, true);
        changes("/api/v1/lanes/{name}", "/api/v1/lanes/red", 3, false);
    }

    private void changes(String path, String resource, int many, boolean triedFirst) {
        List<String> bodies = examples(path, "patch", "application/merge-patch+json");
        assertThat(bodies).hasSize(many).isEqualTo(examples(path, "patch", "application/json"));
        for (String body : bodies) {
            if (triedFirst) {
                assertThat(change(resource + "?dryRun=true", resource, body).text())
                        .contains("\"evictions\"");
            }
            String before = http.get(resource).header("ETag");
            assertThat(change(resource, resource, body).header("ETag"))
                    .as("%s changes something", body)
                    .isNotEqualTo(before);
        }
    }

    private Http.Answer change(String path, String resource, String body) {
        Http.Answer answer = http.with("If-Match", http.get(resource).header("ETag"))
                .call("PATCH", path, "application/merge-patch+json", body.getBytes(StandardCharsets.UTF_8));
        assertThat(answer.status()).as("%s: %s", body, answer.text()).isEqualTo(200);
        return answer;
    }

    private List<String> examples(String path, String method, String type) {
        JsonNode body = contract.path("paths")
                .path(path)
                .path(method)
                .path("requestBody")
                .path("content")
                .path(type);
        assertThat(body.has("example")).as("one or many, never both").isFalse();
        List<String> values = new ArrayList<>();
        body.path("examples")
                .forEach(example -> values.add(example.path("value").toString()));
        return values;
    }
}
