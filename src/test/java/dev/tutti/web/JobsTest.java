package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.JobId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Jobs over HTTP. */
@SpringBootTest(classes = WebApp.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class JobsTest {

    private static final String JOBS = "/api/v1/jobs";

    private final Http http;
    private final MemoryJobs jobs;

    JobsTest(@LocalServerPort int port, @Autowired MemoryJobs jobs) {
        this.http = new Http(port);
        this.jobs = jobs;
    }

    @AfterEach
    void heal() {
        jobs.keyBusy = false;
    }

    @Test
    void anInstanceIsAskedForByItsProfile() {
        Http.Answer created = http.post(JOBS, Json.podSet("\"count\": 2, \"mig\": \"1g.20gb\", \"gpusPerPod\": 0,"));

        assertThat(created.status()).as(created.text()).isEqualTo(201);
        JsonNode job = http.get(created.header("Location")).json();
        assertThat(job.at("/podSets/0/mig").asString()).isEqualTo("1g.20gb");
        assertThat(job.at("/podSets/0/gpusPerPod").asInt()).isZero();
        assertThat(job.at("/podSets/0/gpuMilli").asInt()).isZero();
        assertThat(job.at("/gpus/gpuMilli").asInt()).isEqualTo(500);
    }

    @Test
    void nicsAreAskedForByNumberAndMaybeByName() {
        JsonNode named = stored("\"rdma\": 8, \"rdmaResource\": \"rdma/hca\",");
        assertThat(named.path("rdma").asInt()).isEqualTo(8);
        assertThat(named.path("rdmaResource").asString()).isEqualTo("rdma/hca");

        JsonNode any = stored("\"rdma\": 1,");
        assertThat(any.path("rdma").asInt()).isEqualTo(1);
        assertThat(any.has("rdmaResource")).isFalse();
        assertThat(stored("").path("rdma").asInt(-1)).isZero();
    }

    private JsonNode stored(String fields) {
        Http.Answer created = http.post(JOBS, Json.podSet("\"count\": 1, " + fields));
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        return http.get(created.header("Location")).json().at("/podSets/0");
    }

    @Test
    void aJobIsStoredAndFoundWhereTheAnswerSays() {
        Http.Answer created = http.post(JOBS, Json.job("train", "\"labels\": {\"team\": \"nlp\"},"));

        assertThat(created.status()).as(created.text()).isEqualTo(201);
        assertThat(created.header("ETag")).isEqualTo("\"0\"");
        assertThat(created.json().path("state").asString()).isEqualTo("QUEUED");
        Http.Answer read = http.get(created.header("Location"));
        assertThat(read.status()).isEqualTo(200);
        assertThat(created.json().at("/estimate/known").asBoolean()).isTrue();
        assertThat(created.json().at("/estimate/couldEverRun").asBoolean(true)).isFalse();
        assertThat(created.json().at("/estimate/reason/code").asString()).isEqualTo("WAITING_FOR_CAPACITY");
        assertThat(created.json().at("/estimate/position").asLong()).isEqualTo(1);
        JsonNode job = read.json();
        assertThat(job.path("id").asString())
                .isEqualTo(created.json().path("id").asString());
        assertThat(job.path("queue").asString()).isEqualTo("default");
        assertThat(job.path("lane").asString()).isEqualTo("yellow");
        assertThat(job.at("/gpus/gpuMilli").asInt()).isEqualTo(16_000);
        assertThat(job.at("/reason/code").asString()).isEqualTo("NOT_YET_EVALUATED");
        assertThat(job.at("/preemption/graceSeconds").asInt()).isEqualTo(30);
        assertThat(job.at("/podSets/0/gpusPerPod").asInt()).isEqualTo(8);
        assertThat(job.path("submittedBy").asString()).isEqualTo("local");
        assertThat(job.has("cause")).as("what is not there is left out").isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "训练 🚀",
                "'); DROP TABLE jobs; --",
                "مهمة",
                "a\u200db",
                "é",
                "e\u0301",
                "Trailing-",
                "UPPER \\\\ \\\" quote"
            })
    void aNameComesBackByteForByte(String name) {
        Http.Answer created = http.post(JOBS, Json.job(name));

        String sent = name.replace("\\\\", "\\").replace("\\\"", "\"");
        assertThat(http.get(created.header("Location")).json().path("name").asString())
                .isEqualTo(sent);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "\"gpusPerPod\": 0,", "\"gpusPerPod\": null,", "\"gpusPerPod\": -0,", "\"gpuMilli\": 0,"})
    void noGpusIsACpuOnlyJob(String gpus) {
        Http.Answer created = http.post(JOBS, Json.podSet("\"count\": 1, " + gpus));

        assertThat(created.status()).as(created.text()).isEqualTo(201);
        assertThat(http.get(created.header("Location"))
                        .json()
                        .at("/gpus/gpuMilli")
                        .asInt(-1))
                .isZero();
    }

    @Test
    void rulesAboutNodesAreKept() {
        String rules = "\"nodeSelector\": {\"example.com/pool\": \"a\"},"
                + " \"tolerations\": [{\"key\": \"b\", \"operator\": \"Exists\", \"effect\": \"\"}],";
        Http.Answer created = http.post(JOBS, Json.podSet("\"count\": 1, " + rules));
        JsonNode set = http.get(created.header("Location")).json().at("/podSets/0");

        assertThat(set.path("nodeSelector").toString()).isEqualTo("{\"example.com/pool\":\"a\"}");
        assertThat(set.path("tolerations").toString()).isEqualTo("[{\"key\":\"b\",\"operator\":\"Exists\"}]");
    }

    @Test
    void affinityIsKept() {
        String body = "{'name': 'x', 'podSets': [{'name': 'a', 'count': 1, 'template': {'image': 'x'}}, {'name': 'b',"
                + " 'count': 1, 'template': {'image': 'x'}, 'affinity': [{'podSet': 'a', 'level': 'rack',"
                + " 'kind': 'TOGETHER'}]}]}";
        Http.Answer created = http.post(JOBS, body.replace('\'', '"'));
        JsonNode sets = http.get(created.header("Location")).json().path("podSets");

        assertThat(sets.at("/0/affinity").toString()).isEqualTo("[]");
        assertThat(sets.at("/1/affinity").toString())
                .isEqualTo("[{\"podSet\":\"a\",\"level\":\"rack\",\"kind\":\"TOGETHER\"}]");
    }

    @Test
    void aShareIsKeptAsAShare() {
        Http.Answer created = http.post(JOBS, Json.podSet("\"count\": 1, \"gpuMilli\": 200,"));
        JsonNode set = http.get(created.header("Location")).json().at("/podSets/0");

        assertThat(set.path("gpuMilli").asInt()).isEqualTo(200);
        assertThat(set.path("gpusPerPod").asInt(-1)).isZero();
    }

    @Test
    void whatASetWishesOfTheNetworkIsKept() {
        String wish = "{\"required\":\"zone\",\"preferred\":\"rack\",\"segment\":{\"pods\":4,\"level\":\"rack\"}}";
        Http.Answer created = http.post(JOBS, Json.podSet("\"count\": 8, \"topology\": " + wish + ","));

        assertThat(created.status()).as(created.text()).isEqualTo(201);
        JsonNode job = http.get(created.header("Location")).json();
        assertThat(job.at("/podSets/0/topology").toString()).isEqualTo(wish);
        assertThat(job.has("topology")).as("the job itself has none").isFalse();
    }

    @Test
    void theSameKeyGivesTheSameAnswer() {
        int before = jobs.size();
        Http keyed = http.with("Idempotency-Key", UUID.randomUUID().toString());
        Http.Answer first = keyed.post(JOBS, Json.job("once"));
        Http.Answer again = keyed.post(JOBS, Json.job("once"));
        Http.Answer spaced = keyed.post(JOBS, Json.job("once").replace(":", " :\n"));

        assertThat(jobs.size()).isEqualTo(before + 1);
        assertThat(again.raw().body()).isEqualTo(first.raw().body());
        assertThat(spaced.raw().body()).isEqualTo(first.raw().body());
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        Http.Answer other = keyed.post(JOBS, Json.job("other"));
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.code()).isEqualTo("KEY_REUSED");
        assertThat(keyed.post(JOBS + ":batch", "{\"jobs\": [" + Json.job("once") + "]}")
                        .status())
                .as("another route is another request")
                .isEqualTo(422);
    }

    @Test
    void aKeyWhoseFirstCallStillRunsIsToldToWait() {
        jobs.keyBusy = true;
        Http.Answer answer = http.with("Idempotency-Key", "busy").post(JOBS, Json.job("x"));

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("KEY_BUSY");
        assertThat(answer.header("Retry-After")).isEqualTo("2");
    }

    @Test
    void theETagSparesTheBody() {
        String location = http.post(JOBS, Json.job("x")).header("Location");
        String etag = http.get(location).header("ETag");

        Http.Answer unchanged = http.with("If-None-Match", etag).get(location);
        assertThat(unchanged.status()).isEqualTo(304);
        assertThat(unchanged.raw().body()).isEmpty();
        assertThat(http.post(location + ":cancel", "").status()).isEqualTo(200);
        assertThat(http.with("If-None-Match", etag).get(location).status()).isEqualTo(200);
    }

    @Test
    void aCancelMayNameTheVersionItMeans() {
        String location = http.post(JOBS, Json.job("x")).header("Location");

        assertThat(http.with("If-Match", "\"9\"").post(location + ":cancel", "").code())
                .isEqualTo("STALE");
        assertThat(http.with("If-Match", "\"nonsense")
                        .post(location + ":cancel", "")
                        .fields())
                .containsExactly("If-Match");
        Http.Answer cancelled =
                http.with("If-Match", http.get(location).header("ETag")).post(location + ":cancel", "");
        assertThat(cancelled.json().path("state").asString()).isEqualTo("CANCELLED");
        assertThat(cancelled.json().path("changed").asBoolean()).isTrue();
        assertThat(cancelled.header("ETag")).isEqualTo("\"1\"");
        assertThat(http.post(location + ":cancel", "").json().path("changed").asBoolean())
                .isFalse();
        assertThat(http.post(JOBS + "/00000000-0000-0000-0000-000000000001:cancel", "")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aBatchHasAResultPerItemInOrder() {
        int before = jobs.size();
        Http.Answer answer = http.post(
                JOBS + ":batch",
                "{\"jobs\": [%s, %s, %s, %s]}"
                        .formatted(
                                Json.job("a"),
                                Json.podSet("\"count\": 0,"),
                                Json.job("b", "\"queue\": \"nowhere\","),
                                Json.job("c")));

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(jobs.size()).isEqualTo(before + 2);
        List<JsonNode> items = answer.json().path("items").valueStream().toList();
        assertThat(items).extracting(item -> item.path("status").asInt()).containsExactly(201, 400, 400, 201);
        assertThat(items.get(1).at("/violations/0/field").asString()).isEqualTo("podSets[0].count");
        assertThat(items.get(2).at("/violations/0/field").asString()).isEqualTo("queue");
        assertThat(http.get(JOBS + "/" + items.get(3).path("id").asString())
                        .json()
                        .path("name")
                        .asString())
                .isEqualTo("c");
    }

    @Test
    void aBatchOfBadJobsIsRefused() {
        Http.Answer answer =
                http.post(JOBS + ":batch", "{\"jobs\": [%s, 7]}".formatted(Json.job("b", "\"queue\": \"nowhere\",")));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.fields()).containsExactly("jobs[0].queue", "jobs[1]");
        assertThat(http.post(JOBS + ":batch", "{\"jobs\": []}").fields()).containsExactly("jobs");
        String many = "1,".repeat(1_000) + "1";
        assertThat(http.post(JOBS + ":batch", "{\"jobs\": [" + many + "]}").fields())
                .containsExactly("jobs");
    }

    @Test
    void aDryRunWritesNothing() {
        int before = jobs.size();
        Http.Answer one = http.post(JOBS + "?dryRun=true", Json.job("x"));
        Http.Answer two = http.post(
                JOBS + ":batch?dryRun=true",
                "{\"jobs\": [%s, %s]}".formatted(Json.podSet("\"count\": 0,"), Json.job("x")));

        assertThat(one.status()).as(one.text()).isEqualTo(200);
        assertThat(one.json().path("fitsNow").asBoolean()).isFalse();
        assertThat(one.json().at("/reason/wanted").asInt()).isEqualTo(16_000);
        assertThat(two.json().at("/items/0/violations/0/field").asString()).isEqualTo("podSets[0].count");
        assertThat(two.json().at("/items/1/reason/code").asString()).isEqualTo("WAITING_FOR_CAPACITY");
        assertThat(jobs.size()).isEqualTo(before);
    }

    @Test
    void pagesShowEachJobOnce() {
        for (int i = 0; i < 5; i++) {
            http.post(JOBS, Json.job("page", "\"labels\": {\"list\": \"pages\"},"));
        }
        List<String> seen = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page =
                    http.get(JOBS + "?limit=2&label=list%3Dpages" + cursor).json();
            page.path("items").forEach(job -> seen.add(job.path("id").asString()));
            cursor = page.has("next") ? "&cursor=" + page.path("next").asString() : null;
        } while (cursor != null);

        assertThat(seen).hasSize(5);
        assertThat(new HashSet<>(seen)).hasSize(5);
    }

    @Test
    void aListIsFiltered() {
        http.post(
                JOBS,
                Json.job(
                        "x",
                        "\"queue\": \"research/llm\", \"lane\": \"green\", \"labels\": {\"list\": \"filtered\"},"));

        assertThat(http.get(JOBS
                                + "?queue=research/llm&lane=green&state=QUEUED&state=RUNNING&since=2020-01-01T00:00:00Z"
                                + "&label=list%3Dfiltered")
                        .json()
                        .path("items")
                        .size())
                .isEqualTo(1);
        assertThat(http.get(JOBS + "?queue=research/llm&state=FAILED")
                        .json()
                        .path("items")
                        .size())
                .isZero();
    }

    @Test
    void anAllocationShowsNodesDomainsAndGpus() {
        String location = http.post(JOBS, Json.job("x")).header("Location");
        jobs.run(new JobId(UUID.fromString(location.substring(location.lastIndexOf('/') + 1))));

        JsonNode member = http.get(location + "/allocation").json().at("/items/1");
        assertThat(member.path("node").asString()).isEqualTo("n1");
        assertThat(member.at("/domains/rack").asString()).isEqualTo("r1");
        assertThat(member.at("/gpus/0/uuid").asString()).isEqualTo("GPU-1");
        assertThat(http.get(location + "/attempts").json().at("/items/0/number").asInt())
                .isEqualTo(1);
        assertThat(http.get(location + "/events")
                        .json()
                        .at("/items/0/data/name")
                        .asString())
                .isEqualTo("x");
        assertThat(http.get(JOBS + "/00000000-0000-0000-0000-000000000001/allocation")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void anExplanationSaysWhyAJobWaitsAndWhereItRuns() {
        String location = http.post(JOBS, Json.job("x")).header("Location");
        JsonNode waits = http.get(location + "/explanation").json();
        assertThat(waits.path("known").asBoolean()).isTrue();
        assertThat(waits.at("/reason/code").asString()).isEqualTo("WAITING_FOR_CAPACITY");
        assertThat(waits.path("summary").asString()).isEqualTo("too little is free");
        assertThat(waits.path("remedies").isEmpty())
                .as("nothing ever fits here")
                .isTrue();

        jobs.run(new JobId(UUID.fromString(location.substring(location.lastIndexOf('/') + 1))));
        JsonNode runs = http.get(location + "/explanation").json();
        assertThat(runs.at("/places/0/domains/rack").asString()).isEqualTo("r1");
        assertThat(runs.path("summary").asString()).startsWith("It holds the place of 2 pods on h100 since ");
        assertThat(http.get(JOBS + "/00000000-0000-0000-0000-000000000001/explanation")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aJobIsSubmittedSuspendedResumedAndSuspendedAgain() {
        Http.Answer created = http.post(JOBS, Json.job("sleeps", "\"suspended\": true,"));
        assertThat(created.json().path("state").asString()).isEqualTo("SUSPENDED");
        String at = created.header("Location");
        JsonNode job = http.get(at).json();
        assertThat(job.at("/reason/code").asString()).isEqualTo("SUSPENDED");
        assertThat(job.path("suspended").asBoolean()).isTrue();

        Http.Answer resumed = http.with("If-Match", "\"0\"").post(at + ":resume", "");
        assertThat(resumed.status()).as(resumed.text()).isEqualTo(200);
        assertThat(resumed.json().path("state").asString()).isEqualTo("QUEUED");
        assertThat(resumed.json().path("changed").asBoolean()).isTrue();
        assertThat(resumed.header("ETag")).isEqualTo("\"1\"");
        assertThat(http.post(at + ":resume", "").json().path("changed").asBoolean())
                .isFalse();
        assertThat(http.with("If-Match", "\"0\"").post(at + ":suspend", "").status())
                .isEqualTo(412);

        Http.Answer suspended = http.post(at + ":suspend", "");
        assertThat(suspended.json().path("state").asString()).isEqualTo("SUSPENDED");
        assertThat(http.get(at).json().path("suspended").asBoolean()).isTrue();
        assertThat(http.post(JOBS + "/nowhere:suspend", "").status()).isEqualTo(404);
    }

    @Test
    void anElasticJobIsScaledBetweenItsBoundsAndSaysWhatToDoOtherwise() {
        Http.Answer created =
                http.post(JOBS, Json.podSet("\"count\": 2, \"minCount\": 1, \"maxCount\": 4, \"gpusPerPod\": 1,"));
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        String at = created.header("Location");
        assertThat(http.get(at).json().at("/podSets/0/maxCount").asInt()).isEqualTo(4);

        Http.Answer scaled =
                http.with("If-Match", "\"0\"").post(at + ":scale", "{\"podSet\": \"worker\", \"count\": 4}");
        assertThat(scaled.status()).as(scaled.text()).isEqualTo(200);
        assertThat(scaled.header("ETag")).isEqualTo("\"1\"");
        assertThat(scaled.json().path("changed").asBoolean()).isTrue();
        assertThat(http.get(at).json().at("/podSets/0/count").asInt()).isEqualTo(4);
        assertThat(http.post(at + ":scale", "{\"count\": 4}")
                        .json()
                        .path("changed")
                        .asBoolean())
                .isFalse();
        assertThat(http.with("If-Match", "\"0\"")
                        .post(at + ":scale", "{\"count\": 1}")
                        .status())
                .isEqualTo(412);

        Http.Answer tooMany = http.post(at + ":scale", "{\"count\": 6}");
        assertThat(tooMany.status()).as("B52 step 4").isEqualTo(400);
        assertThat(tooMany.fields()).containsExactly("count");
        assertThat(tooMany.messages())
                .singleElement()
                .asString()
                .contains("is 6; give a whole number from 1 (minCount) to 4 (maxCount)")
                .contains("submit another job");
        assertThat(http.post(at + ":scale", "{\"count\": 0}").status()).isEqualTo(400);
        assertThat(http.post(at + ":scale", "{\"podSet\": \"x\", \"count\": 2}").fields())
                .containsExactly("podSet");
        assertThat(http.post(at + ":scale", "{}").fields()).containsExactly("count");
        assertThat(http.post(JOBS + "/nowhere:scale", "{\"count\": 2}").status())
                .isEqualTo(404);

        http.post(at + ":cancel", "");
        Http.Answer over = http.post(at + ":scale", "{\"count\": 2}");
        assertThat(over.status()).isEqualTo(409);
        assertThat(over.text()).contains("CANCELLED");
    }

    @Test
    void aMaxCountBelowCountIsRefused() {
        Http.Answer refused = http.post(JOBS, Json.podSet("\"count\": 4, \"maxCount\": 3,"));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.fields()).containsExactly("podSets[0].maxCount");
        assertThat(refused.messages()).containsExactly("is 3; give a whole number from count (4) to 20000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"suspend", "resume"})
    void aJobThatHasEndedIsNeitherSuspendedNorResumedAndSaysWhatToDo(String verb) {
        String at = http.post(JOBS, Json.job("over")).header("Location");
        http.post(at + ":cancel", "");

        Http.Answer refused = http.post(at + ":" + verb, "");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("CONFLICT");
        assertThat(refused.json().path("detail").asString())
                .contains("CANCELLED")
                .contains("CANCELLED_BY_USER")
                .contains("submit it anew");
    }

    @Test
    void limitsOfTimeComeBackAsTheyWereAskedFor() {
        Http.Answer created = http.post(JOBS, Json.job("timed", """
                "maxRuntimeSeconds": 604800, "maxQueueSeconds": 60, "readyTimeoutSeconds": 900, "deadline": "2096-12-24T18:00:00+01:00","""));

        JsonNode job = http.get(created.header("Location")).json();
        assertThat(job.path("maxRuntimeSeconds").asInt()).isEqualTo(604_800);
        assertThat(job.path("maxQueueSeconds").asInt()).isEqualTo(60);
        assertThat(job.path("readyTimeoutSeconds").asInt()).isEqualTo(900);
        assertThat(job.path("deadline").asString()).as("in UTC").isEqualTo("2096-12-24T17:00:00Z");
        JsonNode free =
                http.get(http.post(JOBS, Json.job("free")).header("Location")).json();
        assertThat(free.has("deadline")).isFalse();
        assertThat(free.has("maxRuntimeSeconds")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2096-12-24T18:00:00 | has no offset from UTC",
                "2096-03-29T02:30 | has no offset from UTC",
                "2096-02-30T12:00:00Z | a time that does not exist",
                "2096-02-01T25:00:00Z | a time that does not exist",
                "2096-02-01T12:61:00+01:00 | a time that does not exist",
                "soon | give a time such as",
                "2001-01-01T00:00:00Z | give a time that is to come"
            })
    void aDeadlineThatIsNoMomentToComeIsRefusedWithItsRemedy(String deadline, String remedy) {
        Http.Answer refused = http.post(JOBS, Json.job("x", "\"deadline\": \"" + deadline + "\","));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.fields()).containsExactly("deadline");
        assertThat(refused.text()).contains(remedy);
    }

    private Http.Answer batch(String... jobs) {
        return http.post(JOBS + ":batch", "{\"jobs\": [" + String.join(", ", jobs) + "]}");
    }

    @Test
    void jobsOfABatchDependOnEachOtherByTheirRefsInAnyOrder() {
        Http.Answer answer = batch(
                Json.job("eval", "\"dependsOn\": [\"#train\", \"#data\"],"),
                Json.job("train", "\"ref\": \"train\", \"dependsOn\": [\"#data\"],"),
                Json.job("data", "\"ref\": \"data\","));

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        List<String> ids = answer.json()
                .path("items")
                .valueStream()
                .map(item -> item.path("id").asString())
                .toList();
        assertThat(dependsOn(ids.get(0))).containsExactly(ids.get(1), ids.get(2));
        assertThat(dependsOn(ids.get(1))).containsExactly(ids.get(2));
        assertThat(dependsOn(ids.get(2))).isEmpty();
    }

    private List<String> dependsOn(String id) {
        return http.get(JOBS + "/" + id)
                .json()
                .path("dependsOn")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    @Test
    void aCycleIsRefusedByItsNamesAndStoresNothing() {
        int before = jobs.size();
        Http.Answer cycle = batch(
                Json.job("a", "\"ref\": \"a\", \"dependsOn\": [\"#b\"],"),
                Json.job("b", "\"ref\": \"b\", \"dependsOn\": [\"#a\"],"),
                Json.job("c", "\"dependsOn\": [\"#b\"],"));
        assertThat(cycle.status()).isEqualTo(400);
        assertThat(cycle.fields()).containsExactly("jobs[0].dependsOn", "jobs[1].dependsOn", "jobs[2].dependsOn");
        assertThat(cycle.text()).contains("#a after #b after #a").contains("is refused");
        Http.Answer self = batch(Json.job("a", "\"ref\": \"a\", \"dependsOn\": [\"#a\"],"));
        assertThat(self.status()).isEqualTo(400);
        assertThat(self.text()).contains("#a after #a");
        assertThat(jobs.size()).isEqualTo(before);
    }

    @Test
    void aJobThatDependsOnARefusedOneIsRefusedAndTheOthersAreStored() {
        JsonNode result = batch(
                        Json.job("", "\"ref\": \"bad\","),
                        Json.job("child", "\"ref\": \"child\", \"dependsOn\": [\"#bad\"],"),
                        Json.job("grandchild", "\"dependsOn\": [\"#child\"],"),
                        Json.job("other"))
                .json();

        assertThat(result.path("stored").asInt()).isEqualTo(1);
        assertThat(result.path("items")
                        .valueStream()
                        .map(item -> item.path("status").asInt()))
                .containsExactly(400, 400, 400, 201);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'dependsOn': ['#train'] | dependsOn[0]",
                "'dependsOn': ['train'] | dependsOn[0]",
                "'dependsOn': [7] | dependsOn[0]",
                "'dependsOn': '00000000-0000-0007-0000-000000000000' | dependsOn",
                "'dependsOn': ['00000000-0000-0009-0000-000000000000'] | dependsOn",
                "'dependsOn': ['00000000-0000-0009-0000-000000000000', '00000000-0000-0009-0000-000000000000']"
                        + " | dependsOn[1]",
            })
    void aParentThatIsNoneIsRefused(String fields, String field) {
        int before = jobs.size();
        Http.Answer refused = http.post(JOBS, Json.job("x", fields.replace('\'', '"') + ","));

        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.fields()).as(refused.text()).contains(field);
        assertThat(jobs.size()).isEqualTo(before);
        assertThat(batch(
                                Json.job("x", "\"ref\": \"a\","),
                                Json.job("y", "\"ref\": \"a\","),
                                Json.job("z", "\"dependsOn\": [\"#none\"],"),
                                Json.job("w", "\"ref\": \"A B\","))
                        .json()
                        .path("refused")
                        .asInt())
                .isEqualTo(3);
    }

    private Http.Answer patch(String path, String json, String... headers) {
        return http.with(headers)
                .call("PATCH", path, "application/merge-patch+json", json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aPatchChangesWhatItNamesAndNullTakesAway() {
        String at = http.post(JOBS, Json.job("patched", """
                "priority": 3, "maxRuntimeSeconds": 60, "labels": {"a": "1", "b": "2"},""")).header("Location");

        Http.Answer changed = patch(at, """
                {"priority": -4, "lane": "red", "deadline": "2096-01-01T00:00:00Z", "maxRuntimeSeconds": null,
                 "maxQueueSeconds": 30, "readyTimeoutSeconds": 60, "fallbackAfterSeconds": 0, "labels": {"a": null, "c": "3"}}""");

        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.header("ETag")).startsWith("\"1");
        JsonNode job = http.get(at).json();
        assertThat(job.path("priority").asInt()).isEqualTo(-4);
        assertThat(job.path("lane").asString()).isEqualTo("red");
        assertThat(job.path("deadline").asString()).isEqualTo("2096-01-01T00:00:00Z");
        assertThat(job.has("maxRuntimeSeconds")).isFalse();
        assertThat(job.path("maxQueueSeconds").asInt()).isEqualTo(30);
        assertThat(job.path("readyTimeoutSeconds").asInt()).isEqualTo(60);
        assertThat(job.path("fallbackAfterSeconds").asInt(-1)).isZero();
        assertThat(job.path("labels").size()).isEqualTo(2);
        assertThat(job.at("/labels/b").asString() + job.at("/labels/c").asString())
                .isEqualTo("23");

        Http.Answer same = patch(at, "{\"priority\": -4, \"labels\": {\"b\": \"2\"}}");
        assertThat(same.header("ETag")).as("nothing changed").isEqualTo(changed.header("ETag"));
        assertThat(patch(at, "{}").status()).isEqualTo(200);
        assertThat(patch(at, "{\"priority\": 1}", "If-Match", "\"0\"").status()).isEqualTo(412);
        assertThat(patch(at, "{\"priority\": null, \"labels\": null}", "If-Match", "\"1\"")
                        .json()
                        .path("priority")
                        .asInt(-1))
                .isZero();
        assertThat(http.get(at).json().path("labels").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'priority': 1000001 | priority",
                "'priority': '1' | priority",
                "'lane': 'blue' | lane",
                "'maxRuntimeSeconds': 0 | maxRuntimeSeconds",
                "'maxQueueSeconds': 1.5 | maxQueueSeconds",
                "'deadline': '2096-01-01T00:00:00' | deadline",
                "'deadline': '2001-01-01T00:00:00Z' | deadline",
                "'labels': {'a': 1} | labels.a",
                "'labels': {'a': '\u0007'} | labels.a",
                "'name': 'other' | name",
                "'podSets': [] | podSets",
                "'state': 'RUNNING' | state",
            },
            quoteCharacter = '`')
    void aPatchThatMakesNoSenseNamesItsFieldAndChangesNothing(String patch, String field) {
        String at = http.post(JOBS, Json.job("patched")).header("Location");

        Http.Answer refused = patch(at, "{" + patch.replace('\'', '"') + "}");

        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.fields()).as(refused.text()).containsExactly(field);
        assertThat(http.get(at).json().path("state").asString()).isEqualTo("QUEUED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "queue", "podSets", "state", "id"})
    void aFieldThatNeverChangesIsNotTakenForAnother(String field) {
        String at = http.post(JOBS, Json.job("fixed")).header("Location");

        Http.Answer refused = patch(at, "{\"" + field + "\": \"x\"}");

        assertThat(refused.messages()).singleElement().asString().startsWith("cannot be changed; leave it out");
    }

    @Test
    void aLiveJobKeepsItsLaneAndOneThatHasEndedKeepsAll() {
        Http.Answer created = http.post(JOBS, Json.job("live"));
        String at = created.header("Location");
        jobs.run(new JobId(UUID.fromString(created.json().path("id").asString())));

        assertThat(patch(at, "{\"priority\": 7, \"lane\": \"yellow\"}").status())
                .isEqualTo(200);
        Http.Answer lane = patch(at, "{\"lane\": \"green\"}");
        assertThat(lane.status()).isEqualTo(409);
        assertThat(lane.fields()).containsExactly("lane");
        assertThat(lane.text()).contains("suspend the job first");
        http.post(at + ":cancel", "");
        Http.Answer over = patch(at, "{\"priority\": 8}");
        assertThat(over.status()).isEqualTo(409);
        assertThat(over.text()).contains("CANCELLED");
        assertThat(patch(JOBS + "/nowhere", "{}").status()).isEqualTo(404);
    }
}
