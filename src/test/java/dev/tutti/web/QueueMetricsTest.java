package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;

/** What Prometheus reads of queues, on the whole service. */
@SpringBootTest(
        classes = Tutti.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"management.server.port=0", "spring.test.metrics.export=true"})
@TestPostgresDatabase
class QueueMetricsTest {

    private static final String QUEUE = "{\"path\": \"measured\", \"nominalMilli\": {\"h100-sxm\": 16000},"
            + " \"borrowingLimitMilli\": {\"h100-sxm\": 0}}";

    private final Http http;
    private final Http management;
    private final TestDatabase database;

    QueueMetricsTest(
            @LocalServerPort int port, @LocalManagementPort int managementPort, @Autowired TestDatabase database) {
        this.http = new Http(port).onceTheFleetIsSeen();
        this.management = new Http(managementPort);
        this.database = database;
    }

    @Test
    @DisplayName("C9 the API, the database and the metrics give the same numbers of held, waiting and evicted")
    void allThreeSayTheSame() {
        Http.Answer made = http.post("/api/v1/queues", QUEUE);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String id = made.json().path("id").asString();
        String weak = submit("weak", "\"priority\": -1,");
        until(weak, "RUNNING");
        submit("behind", "\"priority\": -1,");
        String strong = submit("strong", "");
        until(strong, "RUNNING");
        until(weak, "QUEUED");

        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            Map<String, Double> metrics = metrics();
            Http.Answer queue = http.get("/api/v1/queues/" + id);
            assertThat(metrics)
                    .containsEntry(
                            "tutti_queue_quota_gpus{flavor=\"h100-sxm\",kind=\"nominal\",queue=\"measured\"}", 16.0)
                    .containsEntry(
                            "tutti_queue_quota_gpus{flavor=\"h100-sxm\",kind=\"borrowing\",queue=\"measured\"}", 0.0)
                    .containsEntry(
                            "tutti_queue_allocated_gpus{flavor=\"h100-sxm\",lane=\"yellow\",queue=\"measured\"}", 16.0)
                    .containsEntry(
                            "tutti_preemptions_total{lane=\"yellow\",queue=\"measured\",reason=\"PREEMPTED\"}", 1.0);
            assertThat(queue.json().path("pastSurplusMillionths").isNumber()).isTrue();
            assertThat(queue.json().path("usedMilli").path("h100-sxm").asLong()).isEqualTo(16_000);
            assertThat(number("SELECT sum(milli) FROM allocation_devices")).isEqualTo(16_000);
            assertThat(waiting(metrics)).isEqualTo(2);
            assertThat(queue.json().path("waiting").asLong()).isEqualTo(2);
            assertThat(number("SELECT count(*) FROM jobs WHERE state = 'QUEUED'"))
                    .isEqualTo(2);
            assertThat(metrics.get("tutti_oldest_pending_seconds{lane=\"yellow\",queue=\"measured\"}"))
                    .isBetween(0.0, 300.0);
            assertThat(metrics)
                    .as("two jobs had their first start")
                    .containsEntry("tutti_job_wait_seconds_count{lane=\"yellow\",queue=\"measured\"}", 2.0)
                    .containsEntry(
                            "tutti_job_wait_seconds_bucket{lane=\"yellow\",queue=\"measured\",le=\"604800.0\"}", 2.0)
                    .containsEntry(
                            "tutti_job_wait_seconds_bucket{lane=\"yellow\",queue=\"measured\",le=\"+Inf\"}", 2.0);
            assertThat(metrics.get("tutti_job_wait_seconds_sum{lane=\"yellow\",queue=\"measured\"}"))
                    .isBetween(0.0, 300.0);
        });
        assertThat(number("SELECT count(*) FROM attempts WHERE cause = 'PREEMPTED' AND ended_at IS NOT NULL"))
                .isEqualTo(1);
        assertThat(management.get("/actuator/prometheus").text()).doesNotContain(weak);
    }

    private static double waiting(Map<String, Double> metrics) {
        return metrics.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("tutti_pending_jobs{"))
                .filter(entry -> entry.getKey().contains("queue=\"measured\""))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private String submit(String name, String more) {
        Http.Answer answer = http.post(
                "/api/v1/jobs",
                Json.job(name, "\"queue\": \"measured\", \"expectedRuntimeSeconds\": 3000, " + more)
                        .replace("\"gpusPerPod\": 8,", "\"gpusPerPod\": 8, \"flavors\": [\"h100-sxm\"],"));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.json().path("id").asString();
    }

    private void until(String job, String state) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(http.get("/api/v1/jobs/" + job)
                                .json()
                                .path("state")
                                .asString())
                        .isEqualTo(state));
    }

    private long number(String sql) {
        return database.jdbcClient().sql(sql).query(Long.class).single();
    }

    private Map<String, Double> metrics() {
        Map<String, Double> values = new HashMap<>();
        Http.Answer scrape = management.get("/actuator/prometheus");
        assertThat(scrape.status()).isEqualTo(200);
        scrape.text().lines().filter(line -> line.startsWith("tutti_")).forEach(line -> {
            int gap = line.lastIndexOf(' ');
            values.put(line.substring(0, gap), Double.parseDouble(line.substring(gap + 1)));
        });
        return values;
    }
}
