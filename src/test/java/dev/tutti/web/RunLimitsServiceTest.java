package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestPostgresDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Limits of what runs in the whole service: set over HTTP, kept, told, and raised. */
@SpringBootTest(classes = Tutti.class, webEnvironment = WebEnvironment.RANDOM_PORT)
@TestPostgresDatabase
class RunLimitsServiceTest {

    private static final String QUEUES = "/api/v1/queues";

    private final Http http;

    RunLimitsServiceTest(@LocalServerPort int port) {
        this.http = new Http(port).onceTheFleetIsSeen();
    }

    @Test
    void twoRunTheThirdWaitsAndStartsWhenTheLimitIsRaised() {
        Http.Answer made = http.post(QUEUES, "{\"path\": \"two\", \"maxRunningJobs\": 2}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.json().path("maxRunningJobs").asInt()).isEqualTo(2);
        String queue = made.header("Location");
        List<String> jobs = List.of(submit("a", "two"), submit("b", "two"), submit("c", "two"));
        until(jobs.get(0), "RUNNING");
        until(jobs.get(1), "RUNNING");
        untilReason(jobs.get(2), "RUNNING_JOBS_LIMIT");
        JsonNode reason = http.get(jobs.get(2)).json().path("reason");
        assertThat(reason.path("resource").asString()).isEqualTo("runningJobs");
        assertThat(reason.path("wanted").asInt()).isEqualTo(1);
        assertThat(reason.path("available").asInt(7)).isZero();
        assertThat(reason.path("detail").asString()).contains("\"two\"", "2 running jobs");
        assertThat(http.get(queue).json().path("running").asInt()).isEqualTo(2);
        assertThat(http.post("/api/v1/jobs?dryRun=true", job("d", "two"))
                        .json()
                        .at("/reason/code")
                        .asString())
                .isEqualTo("RUNNING_JOBS_LIMIT");

        Http.Answer trial = patch(queue + "?dryRun=true", http.get(queue).header("ETag"), "{\"maxRunningJobs\": 1}");
        assertThat(trial.json().at("/overLimits/0/limit").asString()).isEqualTo("maxRunningJobs");
        assertThat(trial.json().at("/overLimits/0/queue").asString()).isEqualTo("two");
        assertThat(trial.json().at("/overLimits/0/used").asInt()).isEqualTo(2);
        assertThat(trial.json().at("/overLimits/0/after").asInt()).isEqualTo(1);

        Http.Answer raised = patch(queue, http.get(queue).header("ETag"), "{\"maxRunningJobs\": 3}");
        assertThat(raised.status()).as(raised.text()).isEqualTo(200);
        until(jobs.get(2), "RUNNING");
        Http.Answer none = patch(queue, raised.header("ETag"), "{\"maxRunningJobs\": null}");
        assertThat(none.json().path("maxRunningJobs").isMissingNode()).isTrue();
    }

    @Test
    void aLimitOfAQueueAboveLetsADryRunSayThatAJobStarts() {
        for (String made : List.of("{\"path\": \"above\", \"maxRunningJobs\": 3}", "{\"path\": \"above/leaf\"}")) {
            assertThat(http.post(QUEUES, made).status()).isEqualTo(201);
        }
        Http.Answer trial = http.post("/api/v1/jobs?dryRun=true", job("x", "above/leaf"));
        assertThat(trial.status()).as(trial.text()).isEqualTo(200);
        assertThat(trial.json().path("fitsNow").asBoolean()).as(trial.text()).isTrue();
        Http.Answer submitted = http.post("/api/v1/jobs", job("x", "above/leaf"));
        assertThat(submitted.json().at("/estimate/known").asBoolean(true))
                .as(submitted.text())
                .isTrue();
    }

    @Test
    void aUserWhoHasOneWaitsUntilItHasEnded() {
        Http.Answer made = http.post(QUEUES, "{\"path\": \"each\", \"perUser\": {\"maxRunningJobs\": 1}}");
        assertThat(made.json().at("/perUser/maxRunningJobs").asInt()).isEqualTo(1);
        String first = submit("a", "each");
        until(first, "RUNNING");
        String second = submit("b", "each");
        untilReason(second, "USER_LIMIT");
        assertThat(http.get(second).json().at("/reason/detail").asString()).contains("Each user", "\"each\"");
        assertThat(http.post("/api/v1/jobs?dryRun=true", job("c", "each"))
                        .json()
                        .at("/reason/code")
                        .asString())
                .as("what the same user is told before")
                .isEqualTo("USER_LIMIT");

        assertThat(http.post(first + ":cancel", "").status()).isBetween(200, 202);
        until(second, "RUNNING");
    }

    @Test
    void aUserWhoHoldsAllItMayWaitsAndOthersSeeTheNumbers() {
        Http.Answer made = http.post(QUEUES, "{\"path\": \"gpus\", \"perUser\": {\"maxGpuMilli\": 5000}}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.json().at("/perUser/maxGpuMilli").asLong()).isEqualTo(5_000);
        assertThat(made.json().at("/mostOfOneUser/gpuMilli").asLong(7)).isZero();
        String queue = made.header("Location");
        List<String> jobs = List.of(submit("a", "gpus"), submit("b", "gpus"));
        until(jobs.get(0), "RUNNING");
        until(jobs.get(1), "RUNNING");
        String third = submit("c", "gpus");
        untilReason(third, "USER_LIMIT");
        JsonNode reason = http.get(third).json().path("reason");
        assertThat(reason.path("resource").asString()).isEqualTo("gpuMilli");
        assertThat(reason.path("wanted").asInt()).isEqualTo(2_000);
        assertThat(reason.path("available").asInt(7)).isEqualTo(1_000);
        assertThat(reason.path("detail").asString()).contains("\"gpus\"", "5 GPUs", "holds 4 GPUs", "needs 2 GPUs");
        JsonNode explained = http.get(third + "/explanation").json();
        assertThat(explained.at("/blockedBy/0/kind").asString())
                .as(explained.toString())
                .isEqualTo("HOLDS");
        assertThat(http.get(queue).json().at("/mostOfOneUser/gpuMilli").asLong())
                .isEqualTo(4_000);
        assertThat(http.get(queue).json().at("/mostOfOneUser/runningJobs").asLong())
                .isEqualTo(2);

        String lower = "{\"perUser\": {\"maxGpuMilli\": 500}}";
        Http.Answer trial = patch(queue + "?dryRun=true", http.get(queue).header("ETag"), lower);
        assertThat(trial.json().at("/overLimits/0/limit").asString()).isEqualTo("perUser.maxGpuMilli");
        assertThat(trial.json().at("/overLimits/0/used").asInt()).isEqualTo(4_000);
        assertThat(trial.json().at("/overLimits/0/after").asInt()).isEqualTo(3_500);

        Http.Answer raised = patch(
                queue, http.get(queue).header("ETag"), "{\"perUser\": {\"maxGpuMilli\": 6000, \"maxRunningJobs\": 9}}");
        assertThat(raised.status()).as(raised.text()).isEqualTo(200);
        until(third, "RUNNING");
        Http.Answer none = patch(queue, raised.header("ETag"), "{\"perUser\": {\"maxGpuMilli\": null}}");
        assertThat(none.json().at("/perUser/maxGpuMilli").isMissingNode()).isTrue();
        assertThat(none.json().at("/perUser/maxRunningJobs").asInt()).isEqualTo(9);
    }

    @Test
    void whoWouldHoldAWholeNodeTooManyWaitsAndIsToldSoAtTheDoor() {
        Http.Answer made = http.post(QUEUES, "{\"path\": \"nodes\", \"maxWholeNodes\": {\"h100-sxm\": 1}}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.json().path("maxWholeNodes").toString()).isEqualTo("{\"h100-sxm\":1}");
        assertThat(made.json().at("/usedWholeNodes/h100-sxm").asInt(7)).isZero();
        String queue = made.header("Location");
        String gang = Json.job("gang", "\"queue\": \"nodes\", \"expectedRuntimeSeconds\": 3000,")
                .replace("\"gpusPerPod\": 8", "\"gpusPerPod\": 8, \"flavors\": [\"h100-sxm\"]");
        String whole = gang.replace("\"count\": 2", "\"count\": 1");
        String first = http.post("/api/v1/jobs", whole).header("Location");
        until(first, "RUNNING");
        assertThat(http.get(queue).json().at("/usedWholeNodes/h100-sxm").asInt())
                .isEqualTo(1);
        String second = http.post("/api/v1/jobs", whole).header("Location");
        untilReason(second, "WHOLE_NODES_LIMIT");
        JsonNode reason = http.get(second).json().path("reason");
        assertThat(reason.path("resource").asString()).isEqualTo("wholeNodes");
        assertThat(reason.path("wanted").asInt()).isEqualTo(1);
        assertThat(reason.path("available").asInt(7)).isZero();
        assertThat(reason.path("detail").asString()).contains("\"nodes\" may hold 1 whole node of h100-sxm");
        assertThat(http.post("/api/v1/jobs?dryRun=true", whole)
                        .json()
                        .at("/reason/code")
                        .asString())
                .isEqualTo("WHOLE_NODES_LIMIT");
        assertThat(http.post("/api/v1/jobs?dryRun=true", gang)
                        .json()
                        .at("/reason/code")
                        .asString())
                .as("two of one")
                .isEqualTo("EXCEEDS_LIMIT");

        String lower = "{\"maxWholeNodes\": {\"h100-sxm\": 0}}";
        Http.Answer trial = patch(queue + "?dryRun=true", http.get(queue).header("ETag"), lower);
        assertThat(trial.json().at("/overLimits/0/limit").asString()).isEqualTo("maxWholeNodes.h100-sxm");
        assertThat(trial.json().at("/overLimits/0/after").asInt()).isEqualTo(1);
        assertThat(trial.json().at("/evictions/total").asInt(7))
                .as(trial.text())
                .isZero();
        Http.Answer kept = patch(queue, http.get(queue).header("ETag"), "{\"maxWholeNodes\": {}}");
        assertThat(kept.json().at("/maxWholeNodes/h100-sxm").asInt()).isEqualTo(1);
        Http.Answer none = patch(queue, kept.header("ETag"), "{\"maxWholeNodes\": {\"h100-sxm\": null}}");
        assertThat(none.json().path("maxWholeNodes").isEmpty()).as(none.text()).isTrue();
        until(second, "RUNNING");
    }

    private static String job(String name, String queue) {
        return Json.job(name, "\"queue\": \"" + queue + "\", \"expectedRuntimeSeconds\": 3000,")
                .replace("\"gpusPerPod\": 8", "\"gpusPerPod\": 1");
    }

    private String submit(String name, String queue) {
        Http.Answer answer = http.post("/api/v1/jobs", job(name, queue));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer.header("Location");
    }

    private Http.Answer patch(String path, String etag, String body) {
        return http.with("If-Match", etag)
                .call("PATCH", path, "application/merge-patch+json", body.getBytes(StandardCharsets.UTF_8));
    }

    private void until(String job, String state) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> http.get(job).json().path("state").asString().equals(state));
    }

    private void untilReason(String job, String code) {
        await().atMost(Duration.ofSeconds(20))
                .until(() ->
                        http.get(job).json().at("/reason/code").asString("").equals(code));
    }
}
