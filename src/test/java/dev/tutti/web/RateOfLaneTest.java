package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** The rate of a lane in the whole service: the database counts, and the service wakes by itself. */
@SpringBootTest(classes = Tutti.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestPostgresDatabase
class RateOfLaneTest {

    private static final String LANE = "/api/v1/lanes/red";
    private static final Pattern TIME = Pattern.compile("may start the next at (\\S+)\\.$");

    private final Http http;
    private final JdbcClient sql;

    RateOfLaneTest(@LocalServerPort int port, @Autowired DataSource data) {
        this.http = new Http(port).onceTheFleetIsSeen();
        this.sql = JdbcClient.create(data);
    }

    @Test
    void whatIsMoreStartsWhenTheMinuteIsOver() {
        assertThat(http.get(LANE).json().path("startsPerMinute").asInt())
                .as("from the beginning")
                .isEqualTo(120);
        Http.Answer changed = http.with("If-Match", http.get(LANE).header("ETag"))
                .call(
                        "PATCH",
                        LANE,
                        "application/merge-patch+json",
                        "{\"startsPerMinute\": 1}".getBytes(StandardCharsets.UTF_8));
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        String day = submit("day", "yellow");
        until(day, "RUNNING");
        String first = submit("first", "red");
        until(first, "RUNNING");
        String second = submit("second", "red");

        await().atMost(Duration.ofSeconds(20))
                .until(() -> reason(second).path("code").asString().equals("LANE_RATE"));
        Matcher time = TIME.matcher(reason(second).path("detail").asString());
        assertThat(time.find()).isTrue();
        assertThat(Instant.parse(time.group(1)))
                .isEqualTo(
                        sql.sql("SELECT allocated_at + interval '60 seconds' FROM attempts WHERE job_id = :first::uuid")
                                .param("first", first.substring(first.lastIndexOf('/') + 1))
                                .query(OffsetDateTime.class)
                                .single()
                                .toInstant());
        assertThat(http.get(second).json().path("state").asString()).isEqualTo("QUEUED");

        sql.sql("UPDATE attempts SET allocated_at = allocated_at - interval '57 seconds'")
                .update();
        until(second, "RUNNING");
        assertThat(http.get(first).json().path("state").asString()).isEqualTo("RUNNING");
    }

    private String submit(String name, String lane) {
        Http.Answer answer = http.post(
                "/api/v1/jobs", Json.job(name, "\"lane\": \"" + lane + "\", \"expectedRuntimeSeconds\": 3000,"));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.header("Location");
    }

    private JsonNode reason(String job) {
        return http.get(job).json().path("reason");
    }

    private void until(String job, String state) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> http.get(job).json().path("state").asString().equals(state));
    }
}
