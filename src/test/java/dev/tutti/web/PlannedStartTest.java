package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** A large gang and small jobs on four nodes, in the whole service and by the real clock. */
@SpringBootTest(
        classes = Tutti.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = "tutti.simulator.fleet=nodes=4,gpus=8,flavor=h100-sxm")
@TestPostgresDatabase
class PlannedStartTest {

    private static final String JOBS = "/api/v1/jobs";
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int LONG_SECONDS = 600;
    private static final int LAST_SECONDS = 4;
    /** For the turns of the loops on a slow machine. */
    private static final int SLACK_SECONDS = 5;

    private final Http http;

    PlannedStartTest(@LocalServerPort int port) {
        this.http = new Http(port).onceTheFleetIsSeen();
    }

    @Test
    @DisplayName("B20 a large gang is told when it starts, small ones that end before run, and it starts by that time")
    void theLargeGangStartsWhenItWasToldTo() {
        String first = submit("R1", 1, 9, LONG_SECONDS);
        String second = submit("R2", 1, 9, LONG_SECONDS);
        until(first, "RUNNING");
        until(second, "RUNNING");
        String gang = submit("B", 4, 9, 0);
        Instant planned = untilPlanned(gang);
        Instant ends = later(startedAt(first), startedAt(second)).plusSeconds(LONG_SECONDS);
        assertThat(planned).as("the limit of the last, and its grace").isBetween(ends, ends.plusSeconds(2));
        JsonNode plan = http.get(gang).json().path("reservation");
        assertThat(plan.path("gpuMilli").asLong()).isEqualTo(32_000);
        assertThat(plan.path("nodes")).hasSize(4);
        assertThat(http.get(gang).json().at("/reason/detail").asString()).contains("It starts at " + shown(planned));

        String early = submit("short", 1, -1, 1);
        String tooLong = submit("long", 1, -1, 1_000);
        String endless = submit("endless", 1, -1, 0);
        until(early, "TIMED_OUT");
        for (String late : List.of(tooLong, endless)) {
            await().atMost(SOON).until(() -> reason(late).equals("RESERVED_FOR_OTHER"));
            assertThat(http.get(late).json().at("/reason/detail").asString())
                    .contains("reserved for job " + id(gang) + " until " + shown(planned));
        }

        http.post(first + ":cancel", "");
        int soon = (int) Duration.between(startedAt(second), Instant.now()).toSeconds() + LAST_SECONDS;
        Http.Answer patched = http.call(
                "PATCH",
                second,
                "application/merge-patch+json",
                ("{\"maxRuntimeSeconds\": " + soon + "}").getBytes(StandardCharsets.UTF_8));
        assertThat(patched.status()).as(patched.text()).isEqualTo(200);
        Instant promised = startedAt(second).plusSeconds(soon + 1L);
        await().atMost(SOON).until(() -> isPlannedBefore(gang, promised.plusSeconds(SLACK_SECONDS)));
        String another = submit("short too late", 1, -1, 1);
        until(gang, "RUNNING");
        assertThat(at(gang, "allocatedAt")).isBetween(promised.minusSeconds(2), promised.plusSeconds(SLACK_SECONDS));
        assertThat(http.get(gang).json().path("attempt").asInt()).isEqualTo(1);
        assertThat(http.get(gang).json().has("reservation")).as("it is over").isFalse();
        assertThat(List.of(state(tooLong), state(endless), state(another)))
                .as("none of these ends before")
                .containsOnly("QUEUED");

        http.post(gang + ":cancel", "");
        until(endless, "RUNNING");
    }

    /** Whether its planned start, or where it has one no more its start, is before this time. */
    private boolean isPlannedBefore(String job, Instant time) {
        JsonNode now = http.get(job).json();
        String start =
                now.at("/reservation/startAt").asString(now.path("allocatedAt").asString(""));
        return !start.isEmpty() && Instant.parse(start).isBefore(time);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private String submit(String name, int pods, int priority, int maxRuntime) {
        String limit = maxRuntime == 0 ? "" : "\"maxRuntimeSeconds\": " + maxRuntime + ",";
        Http.Answer answer = http.post(JOBS, """
                {"name": "%s", "priority": %d, %s "expectedRuntimeSeconds": 3600, "preemption": {"graceSeconds": 1},
                 "podSets": [{"count": %d, "gpusPerPod": 8, "template": {"image": "i"}}]}""".formatted(name, priority, limit, pods));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.header("Location");
    }

    private Instant untilPlanned(String job) {
        return Instant.parse(await().atMost(SOON)
                .until(() -> http.get(job).json().at("/reservation/startAt").asString(""), text -> !text.isEmpty()));
    }

    private void until(String job, String state) {
        await().atMost(SOON).until(() -> state(job).equals(state));
    }

    private String state(String job) {
        return http.get(job).json().path("state").asString();
    }

    private String reason(String job) {
        return http.get(job).json().at("/reason/code").asString("");
    }

    private Instant startedAt(String job) {
        return at(job, "startedAt");
    }

    private Instant at(String job, String field) {
        return Instant.parse(http.get(job).json().path(field).asString());
    }

    /** In sentences a time is a whole second, never too early. */
    private static Instant shown(Instant time) {
        return time.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
    }

    private static String id(String location) {
        return location.substring(location.lastIndexOf('/') + 1);
    }
}
