package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The answer is lost and the client sends again: one job, one answer, and no phantom. */
@SpringBootTest(classes = Tutti.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestPostgresDatabase
class RepeatedSubmitTest {

    private static final String JOBS = "/api/v1/jobs";
    private static final String BODY = Json.job("once", "\"suspended\": true,");

    private final Http http;
    private final int port;
    private final TestDatabase database;

    RepeatedSubmitTest(@LocalServerPort int port, @Autowired TestDatabase database) {
        this.http = new Http(port);
        this.port = port;
        this.database = database;
    }

    private static String key() {
        return UUID.randomUUID().toString();
    }

    private long jobs() {
        return database.jdbcClient()
                .sql("SELECT count(*) FROM jobs")
                .query(Long.class)
                .single();
    }

    @Test
    @DisplayName("B48 (1) a connection cut after the commit: the same id, one job")
    void aConnectionCutAfterTheCommit() throws IOException {
        String key = key();
        long before = jobs();
        byte[] body = BODY.getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket("127.0.0.1", port)) {
            String head = "POST " + JOBS + " HTTP/1.1\r\nHost: 127.0.0.1:" + port
                    + "\r\nContent-Type: application/json\r\nIdempotency-Key: " + key + "\r\nContent-Length: "
                    + body.length + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().write(body);
            socket.getOutputStream().flush();
            await().atMost(Duration.ofSeconds(10)).until(() -> jobs() == before + 1);
        }

        Http.Answer again = http.with("Idempotency-Key", key).post(JOBS, BODY);

        assertThat(again.status()).as(again.text()).isEqualTo(201);
        assertThat(jobs()).isEqualTo(before + 1);
        assertThat(http.get(again.header("Location")).status()).as("no phantom").isEqualTo(200);
    }

    @Test
    @DisplayName("B48 (2) a failure before the commit: nothing is stored, and the repetition makes the job")
    void aFailureBeforeTheCommit() {
        String key = key();
        long before = jobs();
        database.jdbcClient()
                .sql("ALTER TABLE events ADD CONSTRAINT no_more CHECK (type <> 'job.submitted') NOT VALID")
                .update();
        Http.Answer failed;
        try {
            failed = http.with("Idempotency-Key", key).post(JOBS, BODY);
        } finally {
            database.jdbcClient()
                    .sql("ALTER TABLE events DROP CONSTRAINT no_more")
                    .update();
        }
        assertThat(failed.status()).isGreaterThanOrEqualTo(500);
        assertThat(jobs()).isEqualTo(before);

        Http.Answer again = http.with("Idempotency-Key", key).post(JOBS, BODY);
        assertThat(again.status()).as(again.text()).isEqualTo(201);
        assertThat(http.get(again.header("Location")).status()).isEqualTo(200);
        assertThat(jobs()).isEqualTo(before + 1);
    }

    @Test
    @DisplayName("B48 (3) the key with another body, or for another queue, is refused")
    void theKeyWithAnotherBody() {
        Http keyed = http.with("Idempotency-Key", key());
        assertThat(keyed.post(JOBS, BODY).status()).isEqualTo(201);
        long before = jobs();

        assertThat(keyed.post(JOBS, Json.job("another")).status()).isEqualTo(422);
        assertThat(keyed.post(JOBS, BODY.replaceFirst("\\{", "{\"queue\": \"default\", "))
                        .status())
                .isEqualTo(422);
        assertThat(jobs()).isEqualTo(before);
    }

    @Test
    @DisplayName("B48 (4) twenty at a time: one job, twenty equal answers")
    void twentyAtATime() {
        Http keyed = http.with("Idempotency-Key", key());
        long before = jobs();
        List<String> answers = IntStream.range(0, 20)
                .parallel()
                .mapToObj(i -> {
                    Http.Answer answer = keyed.post(JOBS, BODY);
                    while (answer.status() == 409 || answer.status() == 503) {
                        assertThat(answer.header("Retry-After")).isNotEmpty();
                        answer = keyed.post(JOBS, BODY);
                    }
                    return answer.status() + " " + answer.text();
                })
                .toList();

        assertThat(answers).hasSize(20).allMatch(answers.get(0)::equals).allMatch(one -> one.startsWith("201 "));
        assertThat(jobs()).isEqualTo(before + 1);
    }

    @Test
    @DisplayName(
            "B48 (5) the key after the job has ended gives the same id, and after a day a new job; users share none")
    void theKeyAfterTheEnd() {
        String key = key();
        Http keyed = http.with("Idempotency-Key", key);
        Http.Answer first = keyed.post(JOBS, BODY);
        http.post(first.header("Location") + ":cancel", "");

        assertThat(keyed.post(JOBS, BODY).text()).isEqualTo(first.text());
        String made = http.post("/api/v1/keys", "{\"name\": \"b48-" + key + "\", \"role\": \"submitter\"}")
                .json()
                .path("key")
                .asString();
        Http.Answer other = keyed.with("Authorization", "Bearer " + made).post(JOBS, BODY);
        assertThat(other.status()).as(other.text()).isEqualTo(201);
        assertThat(other.text()).isNotEqualTo(first.text());

        Http others = keyed.with("Authorization", "Bearer " + made);
        assertThat(others.post(JOBS, Json.job("another")).status())
                .as("the key has another body of this user's now")
                .isEqualTo(422);
        Http fresh = http.with("Idempotency-Key", key());
        assertThat(fresh.post(JOBS, BODY).status()).isEqualTo(201);
        assertThat(fresh.with("Authorization", "Bearer " + made)
                        .post(JOBS, Json.job("another"))
                        .status())
                .as("and no other user's body counts")
                .isEqualTo(201);

        database.jdbcClient()
                .sql("UPDATE idempotency_keys SET created_at = created_at - interval '25 hours' WHERE key = ?")
                .param(key)
                .update();
        Http.Answer late = keyed.post(JOBS, BODY);
        assertThat(late.status()).isEqualTo(201);
        assertThat(late.text()).isNotEqualTo(first.text());
    }
}
