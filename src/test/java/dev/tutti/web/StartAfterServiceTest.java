package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Pod sets that start after others, on the whole service. */
@SpringBootTest(classes = Tutti.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestPostgresDatabase
class StartAfterServiceTest {

    private static final String JOBS = "/api/v1/jobs";
    private static final Duration SOON = Duration.ofSeconds(30);

    private final Http http;
    private final TestDatabase database;

    StartAfterServiceTest(@LocalServerPort int port, @Autowired TestDatabase database) {
        this.http = new Http(port).onceTheFleetIsSeen();
        this.database = database;
    }

    private static String set(String name, int count, String startAfter) {
        return """
                {"name": "%s", "count": %d, "gpusPerPod": 1, "template": {"image": "busybox"}, "startAfter": [%s]}""".formatted(name, count, startAfter);
    }

    private static String job(String... sets) {
        return "{\"name\": \"J\", \"expectedRuntimeSeconds\": 8, \"podSets\": [" + String.join(",", sets) + "]}";
    }

    static Stream<Arguments> impossible() {
        String a = "{\"podSet\": \"a\"}";
        String b = "{\"podSet\": \"b\"}";
        return Stream.of(
                Arguments.of(job(set("a", 1, b), set("b", 1, a)), "podSets[0].startAfter", "a after b after a"),
                Arguments.of(job(set("a", 1, a)), "podSets[0].startAfter[0].podSet", "give another set"),
                Arguments.of(
                        job(set("a", 1, ""), set("b", 1, "{\"podSet\": \"chief\"}")),
                        "podSets[1].startAfter[0].podSet",
                        "give one of a, b"),
                Arguments.of(
                        job(set("a", 1, ""), set("b", 1, a + "," + a)),
                        "podSets[1].startAfter[1].podSet",
                        "name each set once"),
                Arguments.of(
                        job(set("a", 1, ""), set("b", 1, "{\"podSet\": \"a\", \"when\": \"READY\"}")),
                        "podSets[1].startAfter[0].when",
                        "give RUNNING or SUCCEEDED"));
    }

    @ParameterizedTest(name = "B55 400 and nothing stored, and the answer says what to do: {1} {2}")
    @MethodSource("impossible")
    void whatCanNeverStartIsRefused(String body, String field, String remedy) {
        long before = jobs();
        Http.Answer answer = http.post(JOBS, body);

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.fields()).contains(field);
        assertThat(answer.text()).contains(remedy);
        assertThat(jobs()).isEqualTo(before);
    }

    private long jobs() {
        return database.jdbcClient()
                .sql("SELECT count(*) FROM jobs")
                .query(Long.class)
                .single();
    }

    @Test
    @DisplayName("B55 the master runs and ends, then the workers start; the pages show who waits for whom")
    void theWorkersStartAfterTheMaster() {
        String master = set("master", 1, "");
        String location = http.post(
                        JOBS,
                        job(
                                master,
                                set("worker", 2, "{\"podSet\": \"master\", \"when\": \"SUCCEEDED\"}"),
                                set("tail", 1, "{\"podSet\": \"worker\"}")))
                .header("Location");
        await().atMost(SOON).until(() -> phases(location).get(0).equals("RUNNING"));

        assertThat(phases(location)).containsExactly("RUNNING", "WAITING", "WAITING", "WAITING");
        JsonNode job = http.get(location).json();
        assertThat(job.path("state").asString()).isEqualTo("RUNNING");
        assertThat(job.at("/podSets/0/startAfter").size()).isZero();
        assertThat(job.at("/podSets/1/startAfter/0/podSet").asString()).isEqualTo("master");
        assertThat(job.at("/podSets/1/startAfter/0/when").asString()).isEqualTo("SUCCEEDED");
        assertThat(job.at("/podSets/2/startAfter/0/podSet").asString()).isEqualTo("worker");
        assertThat(job.at("/podSets/2/startAfter/0/when").asString()).isEqualTo("RUNNING");

        await().atMost(SOON)
                .until(() -> phases(location).equals(List.of("SUCCEEDED", "RUNNING", "RUNNING", "RUNNING")));
        await().atMost(SOON)
                .until(() -> http.get(location).json().path("state").asString().equals("SUCCEEDED"));
    }

    private List<String> phases(String location) {
        List<String> phases = http.get(location + "/allocation")
                .json()
                .path("items")
                .valueStream()
                .map(member -> member.path("phase").asString())
                .toList();
        return phases.isEmpty() ? List.of("none") : phases;
    }
}
