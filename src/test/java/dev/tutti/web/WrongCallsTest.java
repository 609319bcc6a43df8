package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Calls that come at the wrong time, or name what is not there, on the whole service. */
@SpringBootTest(classes = Tutti.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestPostgresDatabase
class WrongCallsTest {

    private static final String JOBS = "/api/v1/jobs";
    private static final String QUEUES = "/api/v1/queues";
    private static final Duration SOON = Duration.ofSeconds(30);

    private final Http http;
    private final TestDatabase database;

    WrongCallsTest(@LocalServerPort int port, @Autowired TestDatabase database) {
        this.http = new Http(port).onceTheFleetIsSeen();
        this.database = database;
    }

    @ParameterizedTest(name = "B56 {0} of a job that has ended is refused, and changes nothing")
    @ValueSource(strings = {"suspend", "resume", "scale"})
    void aJobThatHasEndedStaysAsItIs(String verb) {
        String job = submit("\"expectedRuntimeSeconds\": 1,");
        awaitState(job, "SUCCEEDED");
        String before = http.get(job).text();

        Http.Answer refused = http.post(job + ":" + verb, verb.equals("scale") ? "{\"count\": 1}" : "");

        assertThat(refused.status()).as(refused.text()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("CONFLICT");
        assertThat(refused.text()).contains("SUCCEEDED");
        assertThat(http.get(job).text()).isEqualTo(before);
    }

    @Test
    @DisplayName(
            "B56 suspended while it waits, and twice: it holds nothing, waits for nobody, and its resume is its turn")
    void suspendedWhileItWaitsAndTwice() {
        Http.Answer queue = http.post(QUEUES, "{\"path\": \"b56\", \"held\": true}");
        assertThat(queue.status()).as(queue.text()).isEqualTo(201);
        String job = submit("\"queue\": \"b56\", \"expectedRuntimeSeconds\": 1,");
        assertThat(http.post(job + ":suspend", "").status()).isEqualTo(200);
        assertThat(state(job)).isEqualTo("SUSPENDED");
        String before = http.get(job).text();

        Http.Answer again = http.post(job + ":suspend", "");

        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.json().path("changed").asBoolean(true))
                .as(again.text())
                .isFalse();
        assertThat(http.get(job).text()).isEqualTo(before);
        assertThat(http.get(job + "/allocation").json().path("items").isEmpty()).isTrue();
        assertThat(http.post(job + ":resume", "").status()).isEqualTo(200);
        assertThat(state(job)).isEqualTo("QUEUED");
        assertThat(http.post(job + ":resume", "").json().path("changed").asBoolean(true))
                .isFalse();
        http.post(job + ":cancel", "");
    }

    @Test
    @DisplayName("B10 third run: 409 for a queue with a pending job, which is no orphan; drained and empty it goes")
    void aQueueWithAPendingJobIsNotRemoved() {
        Http.Answer made = http.post(QUEUES, "{\"path\": \"b10\", \"held\": true}");
        String queue = made.header("Location");
        String job = submit("\"queue\": \"b10\",");

        Http.Answer refused = http.with("If-Match", made.header("ETag")).call("DELETE", queue, "", new byte[0]);

        assertThat(refused.status()).as(refused.text()).isEqualTo(409);
        assertThat(refused.text()).contains("jobs wait or run in").contains("draining");
        assertThat(state(job)).isEqualTo("QUEUED");
        http.post(job + ":cancel", "");
        Http.Answer gone = http.with("If-Match", made.header("ETag")).call("DELETE", queue, "", new byte[0]);
        assertThat(gone.status()).as(gone.text()).isEqualTo(204);
    }

    @Test
    @DisplayName("B55 step 1: unknown parents, a cycle and itself store nothing, and each answer names the field")
    void dependenciesThatCannotBe() {
        long before = jobs();
        Http.Answer unknown = http.post(JOBS, job("\"dependsOn\": [\"00000000-0000-0007-0000-000000000000\"],"));
        assertThat(unknown.status()).as(unknown.text()).isEqualTo(400);
        assertThat(unknown.fields()).allMatch(field -> field.startsWith("dependsOn"));
        Http.Answer self = batch(job("\"ref\": \"a\", \"dependsOn\": [\"#a\"],"));
        assertThat(self.status()).as(self.text()).isEqualTo(400);
        Http.Answer cycle =
                batch(job("\"ref\": \"a\", \"dependsOn\": [\"#b\"],"), job("\"ref\": \"b\", \"dependsOn\": [\"#a\"],"));
        assertThat(cycle.status()).as(cycle.text()).isEqualTo(400);
        assertThat(cycle.fields()).containsExactly("jobs[0].dependsOn", "jobs[1].dependsOn");
        assertThat(jobs()).isEqualTo(before);
    }

    @Test
    @DisplayName(
            "B55 step 1: a child of a parent that failed, or was cancelled, never waits for long: it ends, and says why")
    void aChildOfAParentThatEndedBadly() {
        String parent = submit("\"suspended\": true,");
        http.post(parent + ":cancel", "");
        String child = submit("\"dependsOn\": [\"" + parent.substring(parent.lastIndexOf('/') + 1) + "\"],");

        awaitState(child, "FAILED");
        assertThat(http.get(child).text()).contains("DEPENDENCY_FAILED");
    }

    @ParameterizedTest(name = "B55 step 1: the same parent twice is refused, and one that ends {0} ends its child")
    @CsvSource({"FAILED, ''", "TIMED_OUT, '\"maxRuntimeSeconds\": 1,'"})
    void aParentThatEndsBadly(String end, String limit) {
        String parent = http.post(
                        JOBS,
                        job("\"expectedRuntimeSeconds\": " + (limit.isEmpty() ? 1 : 60) + ", " + limit
                                        + " \"retry\": {\"maxFailures\": 0},")
                                .replace("\"busybox\"", "\"busybox\", \"env\": {\"SIMULATED_EXIT_CODE\": \"7\"}"))
                .header("Location");
        String id = parent.substring(parent.lastIndexOf('/') + 1);
        Http.Answer twice = http.post(JOBS, job("\"dependsOn\": [\"" + id + "\", \"" + id + "\"],"));
        assertThat(twice.status()).as(twice.text()).isEqualTo(400);
        assertThat(twice.fields()).containsExactly("dependsOn[1]");
        Http.Answer refs = batch(job("\"ref\": \"a\","), job("\"dependsOn\": [\"#a\", \"#a\"],"));
        assertThat(refs.json().path("refused").asInt()).as(refs.text()).isEqualTo(1);
        assertThat(refs.json().at("/items/1/violations/0/field").asString()).isEqualTo("dependsOn[1]");
        String early = submit("\"dependsOn\": [\"" + id + "\"],");
        awaitState(parent, end);
        String late = submit("\"dependsOn\": [\"" + id + "\"],");

        for (String child : List.of(early, late)) {
            awaitState(child, "FAILED");
            assertThat(http.get(child).json().path("cause").asString()).isEqualTo("DEPENDENCY_FAILED");
        }
    }

    private Http.Answer batch(String... jobs) {
        return http.post(JOBS + ":batch", "{\"jobs\": [" + String.join(",", List.of(jobs)) + "]}");
    }

    private static String job(String fields) {
        return "{\"name\": \"J\", " + fields
                + " \"podSets\": [{\"count\": 1, \"gpusPerPod\": 1, \"template\": {\"image\": \"busybox\"}}]}";
    }

    private String submit(String fields) {
        Http.Answer answer = http.post(JOBS, job(fields));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.header("Location");
    }

    private String state(String job) {
        return http.get(job).json().path("state").asString();
    }

    private void awaitState(String job, String state) {
        await().atMost(SOON).until(() -> state(job).equals(state));
    }

    private long jobs() {
        return database.jdbcClient()
                .sql("SELECT count(*) FROM jobs")
                .query(Long.class)
                .single();
    }
}
