package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Stored specs that are valid JSON and no job: they end, or run on, and spoil nothing for the others. */
@SpringBootTest(classes = Tutti.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestPostgresDatabase
class UnreadableJobTest {

    private static final String JOBS = "/api/v1/jobs";

    /** Expressions of SQL over the spec as it was stored. */
    private static final List<String> WAYS = List.of(
            "'{}'",
            "'[]'",
            "'null'",
            "'\"text\"'",
            "'7'",
            "jsonb_set(spec, '{podSets}', '[]')",
            "jsonb_set(spec, '{podSets}', '[null]')",
            "jsonb_set(spec, '{podSets,0,count}', '-1')",
            "jsonb_set(spec, '{podSets,0,count}', '\"many\"')",
            "jsonb_set(spec, '{podSets,0,gpus}', 'null')",
            "jsonb_set(spec, '{podSets,0,template}', 'null')",
            "jsonb_set(spec, '{topology}', '7')",
            "jsonb_set(spec, '{topology}', 'null')",
            "jsonb_set(spec, '{graceSeconds}', '\"soon\"')",
            "jsonb_set(spec, '{graceSeconds}', '1e300')",
            "jsonb_set(spec, '{graceSeconds}', '-1')",
            "jsonb_set(spec, '{name}', '\"\"')",
            "jsonb_set(spec, '{queue}', 'null')",
            "jsonb_set(spec, '{lane}', '\"PURPLE\"')",
            "jsonb_set(spec, '{priority}', '\"high\"')",
            "jsonb_set(spec, '{expectedRuntimeSeconds}', '-7')",
            "jsonb_set(spec, '{maxFailures}', '[]')",
            "jsonb_set(spec, '{labels}', '7')",
            "jsonb_set(spec, '{limits}', '{\"maxRuntimeSeconds\": -1}')",
            "jsonb_set(spec, '{dependsOn}', '[\"nobody\"]')",
            "jsonb_set(spec, '{preemption}', '{\"preemptible\": \"maybe\"}')",
            "spec - 'labels'");

    private final Http http;
    private final JdbcClient sql;

    UnreadableJobTest(@LocalServerPort int port, @Autowired DataSource data) {
        this.http = new Http(port).onceTheFleetIsSeen();
        this.sql = JdbcClient.create(data);
    }

    @Test
    @DisplayName("B51 a bad job in the database is FAILED with the cause, the others start, and every page answers")
    void aBadJobEndsAndStopsNobody() {
        List<String> bad = new ArrayList<>();
        List<String> children = new ArrayList<>();
        for (int i = 0; i < WAYS.size(); i++) {
            String at = submit("bad" + i, "\"suspended\": true, \"priority\": 9,");
            children.add(submit("child" + i, "\"dependsOn\": [\"" + id(at) + "\"],"));
            spoil(at, WAYS.get(i));
            bad.add(at);
        }
        assertThat(states(bad)).as("not considered yet").containsOnly("SUSPENDED");
        for (String at : bad) {
            assertRefused(http.post(at + ":scale", "{\"count\": 2}"));
            assertRefused(http.call(
                    "PATCH", at, "application/merge-patch+json", "{\"priority\": 7}".getBytes(StandardCharsets.UTF_8)));
        }
        assertListed(bad);

        bad.forEach(at -> assertThat(http.post(at + ":resume", "").status()).isEqualTo(200));
        String other = submit("other", "");
        await(other, "RUNNING");
        for (int i = 0; i < WAYS.size(); i++) {
            String at = bad.get(i);
            Awaitility.await()
                    .alias(WAYS.get(i))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> state(at).equals("FAILED"));
            JsonNode job = http.get(at).json();
            assertThat(job.path("cause").asString()).as(WAYS.get(i)).isEqualTo("UNREADABLE");
            assertThat(job.path("name").asString()).isEqualTo("bad" + i);
            assertThat(job.path("priority").asInt()).isEqualTo(9);
            assertThat(http.get(at + "/events").text()).contains("UNREADABLE");
            assertThat(http.get(at + "/attempts").status()).isEqualTo(200);
            assertThat(http.get(at + "/allocation").status()).isEqualTo(200);
            assertThat(audited(at)).as("one end in the audit").isEqualTo(1);
            await(children.get(i), "FAILED");
            assertThat(http.get(children.get(i)).json().path("cause").asString())
                    .isEqualTo("DEPENDENCY_FAILED");
        }
        assertListed(bad);
        assertThat(state(other)).isEqualTo("RUNNING");
        http.post(other + ":cancel", "");
    }

    @ParameterizedTest(name = "B51 a running job that becomes {0} runs on and stops nobody")
    @ValueSource(
            strings = {
                "'{}'",
                "'7'",
                "jsonb_set(spec, '{podSets,0,count}', '\"many\"')",
                "jsonb_set(spec, '{graceSeconds}', '\"soon\"')",
                "jsonb_set(spec, '{limits}', '{\"readyTimeoutSeconds\": \"x\"}')",
                "jsonb_set(spec, '{preemption}', '{\"preemptible\": \"maybe\", \"checkpointIntervalSeconds\": []}')",
                "jsonb_set(spec, '{preemption}', '{\"budget\": {\"evictions\": 0, \"perSeconds\": \"x\"}}')"
            })
    void aBadRunningJobRunsOn(String way) {
        String cancelled = submit("cancelled", "");
        String suspended = submit("suspended", "");
        await(cancelled, "RUNNING");
        await(suspended, "RUNNING");
        spoil(cancelled, way);
        spoil(suspended, way);
        String other = submit("other", "");
        await(other, "RUNNING");
        assertThat(states(List.of(cancelled, suspended))).containsOnly("RUNNING");
        assertListed(List.of(cancelled, suspended));

        http.post(cancelled + ":cancel", "");
        http.post(suspended + ":suspend", "");
        await(cancelled, "CANCELLED");
        await(suspended, "SUSPENDED");
        assertThat(held(cancelled) + held(suspended)).as("they hold nothing").isZero();
        http.post(suspended + ":cancel", "");
        http.post(other + ":cancel", "");
    }

    /** Nothing of a job that cannot be read can be changed, and the answer says so. */
    private static void assertRefused(Http.Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(409);
        assertThat(answer.text()).contains("cannot be read");
    }

    private String submit(String name, String more) {
        Http.Answer answer = http.post(JOBS, """
                {"name": "%s", %s "expectedRuntimeSeconds": 3600, "preemption": {"graceSeconds": 1},
                 "podSets": [{"count": 1, "gpusPerPod": 1, "template": {"image": "i"}}]}""".formatted(name, more));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.header("Location");
    }

    /** The job's row is touched too, so that all who follow the changes read it again. */
    private void spoil(String at, String way) {
        assertThat(sql.sql("UPDATE job_specs SET spec = " + way + " WHERE job_id = :id")
                        .param("id", UUID.fromString(id(at)))
                        .update())
                .isEqualTo(1);
        sql.sql("UPDATE jobs SET priority = priority WHERE id = :id")
                .param("id", UUID.fromString(id(at)))
                .update();
    }

    private void assertListed(List<String> jobs) {
        Http.Answer list = http.get(JOBS + "?limit=200");
        assertThat(list.status()).as(list.text()).isEqualTo(200);
        assertThat(list.text())
                .contains(jobs.stream().map(UnreadableJobTest::id).toList());
        jobs.forEach(at -> assertThat(http.get(at).status()).isEqualTo(200));
    }

    private long audited(String at) {
        return sql.sql(
                        "SELECT count(*) FROM audit a WHERE a::text LIKE '%' || :id || '%' AND a::text LIKE '%UNREADABLE%'")
                .param("id", id(at))
                .query(Long.class)
                .single();
    }

    private long held(String at) {
        return sql.sql("SELECT count(*) FROM allocations WHERE job_id = :id AND released_at IS NULL")
                .param("id", UUID.fromString(id(at)))
                .query(Long.class)
                .single();
    }

    private void await(String at, String state) {
        Awaitility.await()
                .alias(at + " is " + state)
                .atMost(Duration.ofSeconds(30))
                .until(() -> state(at).equals(state));
    }

    private List<String> states(List<String> jobs) {
        return jobs.stream().map(this::state).toList();
    }

    private String state(String at) {
        return http.get(at).json().path("state").asString();
    }

    private static String id(String at) {
        return at.substring(at.lastIndexOf('/') + 1);
    }
}
