package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Fallback in the whole service: the database counts, and the service wakes by itself. */
@SpringBootTest(classes = Tutti.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestPostgresDatabase
class FallbackServiceTest {

    private final Http http;
    private final JdbcClient sql;

    FallbackServiceTest(@LocalServerPort int port, @Autowired DataSource data) {
        this.http = new Http(port).onceTheFleetIsSeen();
        this.sql = JdbcClient.create(data);
    }

    @Test
    void aJobStartsOnItsSecondFlavorWhenItsTimeIsOver() {
        List<String> flavors = sql.sql(
                        "SELECT DISTINCT n.flavor FROM nodes n JOIN devices d ON d.node_id = n.id" + " ORDER BY 1")
                .query(String.class)
                .list();
        assertThat(flavors).hasSizeGreaterThan(1);
        String first = flavors.get(0);
        String filler = submit(
                "filler",
                "\"count\": 2000, \"minCount\": 1, \"flavors\": [\"" + first + "\"],",
                "\"topology\": {\"required\": \"cluster\"},");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> http.get(filler).json().path("state").asString().equals("RUNNING"));

        String both = "\"count\": 1, \"flavors\": [\"" + first + "\", \"" + flavors.get(1) + "\"],";
        String urgent = submit("urgent", both, "\"lane\": \"green\", \"priority\": -5,");
        String patient = submit("patient", both, "\"fallbackAfterSeconds\": 6,");
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(detail(patient)).contains("It keeps to " + first + " until "));
        assertThat(http.get(patient).json().path("state").asString()).isEqualTo("QUEUED");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> http.get(patient).json().path("state").asString().equals("RUNNING"));
        assertThat(sql.sql("SELECT a.flavor FROM allocations a JOIN jobs j ON j.id = a.job_id WHERE j.name = 'patient'")
                        .query(String.class)
                        .list())
                .containsExactly(flavors.get(1));
        assertThat(sql.sql(
                                "SELECT allocated_at - submitted_at >= interval '6 seconds' FROM jobs WHERE name = 'patient'")
                        .query(Boolean.class)
                        .single())
                .isTrue();
        assertThat(sql.sql(
                                "SELECT DISTINCT a.flavor FROM allocations a JOIN jobs j ON j.id = a.job_id WHERE j.name = 'urgent'")
                        .query(String.class)
                        .list())
                .as("green never takes the second")
                .doesNotContain(flavors.get(1));
        assertThat(urgent).isNotEmpty();

        String lane = "/api/v1/lanes/green";
        Http.Answer changed = http.with("If-Match", http.get(lane).header("ETag"))
                .call(
                        "PATCH",
                        lane,
                        "application/merge-patch+json",
                        "{\"fallbackAfterSeconds\": 0}".getBytes(StandardCharsets.UTF_8));
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.json().path("fallbackAfterSeconds").asInt(-1)).isZero();
    }

    private String submit(String name, String set, String more) {
        Http.Answer answer = http.post(
                "/api/v1/jobs",
                "{\"name\": \"" + name + "\", " + more + " \"expectedRuntimeSeconds\": 3000, \"podSets\": [{" + set
                        + " \"gpusPerPod\": 1, \"template\": {\"image\": \"i\"}}]}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.header("Location");
    }

    private String detail(String job) {
        JsonNode reason = http.get(job).json().path("reason");
        return reason.path("detail").asString("");
    }
}
