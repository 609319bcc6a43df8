package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The resource map and the queues over HTTP. */
@SpringBootTest(classes = WebApp.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class FleetAndQueuesTest {

    private static final String QUEUES = "/api/v1/queues";

    private final Http http;

    FleetAndQueuesTest(@LocalServerPort int port) {
        this.http = new Http(port);
    }

    @ParameterizedTest
    @CsvSource({
        "clusters, /items/0/name, sim",
        "nodes, /items/1/name, n2",
        "nodes?state=ready&limit=1, /next, 1",
        "nodes/2, /domains/rack, r1",
        "nodes/2, /taints/0/key, dedicated",
        "nodes/2, /taints/0/value, training",
        "nodes/2, /taints/0/effect, NoSchedule",
        "gpus?free=true&node=1&limit=500, /items/15/uuid, GPU-15",
        "topology?cluster=sim, /items/0/level, rack",
        "flavors, /items/0/name, h100",
        "lanes, /items/0/name, green",
        "lanes/red, /rank, 3",
        "queues, /items/0/path, default",
        "queues/default, /leaf, true",
    })
    void showsWhatThereIs(String path, String pointer, String value) {
        Http.Answer answer = http.get("/api/v1/" + path);

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.json().at(pointer).asString()).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "nodes/9, 404, ''",
        "nodes/x, 404, ''",
        "nodes/99999999999999999999, 404, ''",
        "queues/nowhere, 404, ''",
        "lanes/blue, 404, ''",
        "nodes?state=odd, 400, state",
        "gpus?free=maybe, 400, free",
        "gpus?node=x, 400, node",
        "queues?limit=0, 400, limit",
        "clusters?limit=1, 400, limit",
    })
    void oddQuestionsAreNamed(String path, int status, String field) {
        Http.Answer answer = http.get("/api/v1/" + path);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(String.join(",", answer.fields())).isEqualTo(field);
    }

    @Test
    void aQueueLives() {
        Http.Answer created = http.post(QUEUES, "{\"path\": \"life\", \"nominalMilli\": {\"h100\": 8000}}");
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        String location = created.header("Location");
        assertThat(created.json().path("id").asString()).isEqualTo(location.substring(location.lastIndexOf('/') + 1));

        Http.Answer changed =
                patch(location, created.header("ETag"), "{\"nominalMilli\": {\"h100\": null}, \"held\": true}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.json().path("held").asBoolean()).isTrue();
        assertThat(changed.json().path("nominalMilli").isEmpty()).isTrue();
        assertThat(http.get(location).header("ETag")).isEqualTo(changed.header("ETag"));

        assertThat(patch(location, created.header("ETag"), "{\"held\": false}").status())
                .isEqualTo(412);
        assertThat(patch(location, null, "{\"held\": false}").code()).isEqualTo("PRECONDITION_REQUIRED");
        assertThat(http.call("DELETE", location, null, null).status()).isEqualTo(428);
        assertThat(http.with("If-Match", "\"9\"")
                        .call("DELETE", location, null, null)
                        .status())
                .isEqualTo(412);
        assertThat(http.with("If-Match", changed.header("ETag"))
                        .call("DELETE", location, null, null)
                        .status())
                .isEqualTo(204);
        assertThat(http.get(location).status()).isEqualTo(404);
    }

    @Test
    void aLaneHasHours() {
        String lane = "/api/v1/lanes/red";
        Http.Answer before = http.get(lane);
        assertThat(before.json().has("hours")).isFalse();

        Http.Answer changed = patch(
                lane,
                before.header("ETag"),
                "{\"hours\": {\"timeZone\": \"Europe/Zurich\", \"windows\": ["
                        + "{\"days\": [\"mon\", \"fri\"], \"from\": \"20:00\", \"to\": \"06:00\"},"
                        + "{\"days\": [\"sun\"], \"from\": \"00:00\", \"to\": \"24:00\"}]}}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(http.get(lane).json().path("hours").toString())
                .isEqualTo("{\"timeZone\":\"Europe/Zurich\",\"windows\":["
                        + "{\"days\":[\"mon\",\"fri\"],\"from\":\"20:00\",\"to\":\"06:00\"},"
                        + "{\"days\":[\"sun\"],\"from\":\"00:00\",\"to\":\"24:00\"}]}");

        assertThat(patch(lane, before.header("ETag"), "{\"hours\": null}").status())
                .isEqualTo(412);
        assertThat(patch(lane, null, "{\"hours\": null}").status()).isEqualTo(428);
        assertThat(patch(lane, changed.header("ETag"), "{}").header("ETag")).isEqualTo(changed.header("ETag"));
        Http.Answer always = patch(lane, changed.header("ETag"), "{\"hours\": null}");
        assertThat(always.json().has("hours")).isFalse();
        assertThat(http.get("/api/v1/lanes/blue").status()).isEqualTo(404);
    }

    @Test
    void aLaneHasRightsAndARate() {
        String lane = "/api/v1/lanes/yellow";
        Http.Answer before = http.get(lane);
        assertThat(before.json().path("preempts").asBoolean()).isTrue();
        assertThat(before.json().has("startsPerMinute")).isFalse();

        Http.Answer changed = patch(lane, before.header("ETag"), "{\"preempts\": false, \"startsPerMinute\": 30}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.json().path("preempts").asBoolean()).isFalse();
        Http.Answer only = patch(lane, changed.header("ETag"), "{\"preempts\": true}");
        assertThat(only.json().path("startsPerMinute").asInt())
                .as("what is not named stays")
                .isEqualTo(30);
        assertThat(patch(lane, only.header("ETag"), "{\"startsPerMinute\": 30}").header("ETag"))
                .isEqualTo(only.header("ETag"));
        Http.Answer free = patch(lane, only.header("ETag"), "{\"startsPerMinute\": null}");
        assertThat(free.json().has("startsPerMinute")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'startsPerMinute': 0} | startsPerMinute",
                "{'startsPerMinute': 10001} | startsPerMinute",
                "{'startsPerMinute': 1.5} | startsPerMinute",
                "{'startsPerMinute': '7', 'preempts': 1} | preempts,startsPerMinute",
                "{'fallbackAfterSeconds': -1} | fallbackAfterSeconds",
                "{'fallbackAfterSeconds': 2678401} | fallbackAfterSeconds",
                "{'fallbackAfterSeconds': '7'} | fallbackAfterSeconds",
                "{'preempts': null} | preempts",
                "{'rank': 1} | rank",
            })
    void oddRulesOfALaneAreNamed(String patch, String fields) {
        String lane = "/api/v1/lanes/green";
        Http.Answer refused = patch(lane, http.get(lane).header("ETag"), patch.replace('\'', '"'));

        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(String.join(",", refused.fields())).isEqualTo(fields);
        ProblemTest.assertRemedies(refused);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "7 | hours",
                "{} | hours.timeZone,hours.windows",
                "{'timeZone': 'Mars/Base', 'windows': []} | hours.timeZone,hours.windows",
                "{'timeZone': 'SystemV/AST4', 'windows': [{'days': ['mon'], 'from': '01:00', 'to': '02:00'}]}"
                        + " | hours.timeZone",
                "{'timeZone': '+02:00', 'windows': [{'days': ['mon'], 'from': '1:00', 'to': '25:00'}]}"
                        + " | hours.timeZone,hours.windows[0].from,hours.windows[0].to",
                "{'timeZone': 'UTC', 'windows': [{'days': [], 'from': '01:00', 'to': '01:00'}]}"
                        + " | hours.windows[0].days,hours.windows[0].to",
                "{'timeZone': 'UTC', 'windows': [{'days': ['mon', 'mon'], 'from': '24:00', 'to': '02:00'}]}"
                        + " | hours.windows[0].days,hours.windows[0].from",
                "{'timeZone': 'UTC', 'windows': [{'days': ['Monday'], 'from': '20:00', 'to': '00:00', 'at': 1}]}"
                        + " | hours.windows[0].at",
                "{'timeZone': 'UTC', 'windows': [{'days': ['mon'], 'from': '20:00', 'to': '00:00'}]}"
                        + " | hours.windows[0].to",
            })
    void oddHoursAreNamed(String hours, String fields) {
        String lane = "/api/v1/lanes/green";
        Http.Answer refused =
                patch(lane, http.get(lane).header("ETag"), "{\"hours\": " + hours.replace('\'', '"') + "}");

        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(String.join(",", refused.fields())).isEqualTo(fields);
    }

    @Test
    void theQueueOfThoseWhoNameNoneStaysALeaf() {
        Http.Answer refused = http.post(QUEUES, "{\"path\": \"default/mine\"}");

        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.fields()).containsExactly("path");
    }

    @Test
    void aQueueSaysHowFarItBorrowsAndLends() {
        Http.Answer created = http.post(
                QUEUES,
                "{\"path\": \"lender\", \"nominalMilli\": {\"h100\": 8000}, \"borrowingLimitMilli\": {\"h100\": 0}}");
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        assertThat(created.json().at("/borrowingLimitMilli").toString()).isEqualTo("{\"h100\":0}");
        assertThat(created.json().at("/lendingLimitMilli").toString()).isEqualTo("{}");
        assertThat(created.json().at("/borrowedMilli").toString()).isEqualTo("{\"h100\":0}");

        Http.Answer changed = patch(
                created.header("Location"),
                created.header("ETag"),
                "{\"borrowingLimitMilli\": {\"h100\": null}, \"lendingLimitMilli\": {\"h100\": 500}}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.json().at("/borrowingLimitMilli").toString()).isEqualTo("{}");
        assertThat(changed.json().at("/lendingLimitMilli").toString()).isEqualTo("{\"h100\":500}");
        assertThat(changed.json().at("/nominalMilli").toString()).isEqualTo("{\"h100\":8000}");

        Http.Answer gone =
                patch(created.header("Location"), changed.header("ETag"), "{\"nominalMilli\": {\"h100\": null}}");
        assertThat(gone.json().at("/lendingLimitMilli").toString())
                .as("a limit goes with its quota")
                .isEqualTo("{}");
    }

    @Test
    void aQueueHasQuotasOfCpuAndMemory() {
        Http.Answer created = http.post(
                QUEUES,
                "{\"path\": \"hosts\", \"cpu\": {\"nominalMilli\": {\"h100\": 64000}, \"lendingLimitMilli\": {\"h100\": 0}},"
                        + " \"memory\": {\"nominalMib\": {\"h100\": 1024}}}");
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        assertThat(created.json().at("/cpu/nominalMilli/h100").asLong()).isEqualTo(64_000);
        assertThat(created.json().at("/cpu/lendingLimitMilli/h100").asLong()).isZero();
        assertThat(created.json().at("/memory/nominalMib/h100").asLong()).isEqualTo(1_024);
        assertThat(created.json().at("/usedCpuMilli/h100").asLong(-1)).isZero();
        assertThat(created.json().path("nominalMilli").isEmpty()).isTrue();

        Http.Answer changed = patch(
                created.header("Location"),
                created.header("ETag"),
                "{\"cpu\": {\"nominalMilli\": {\"h100\": 1}}, \"memory\": null}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.json().at("/cpu/nominalMilli/h100").asLong()).isEqualTo(1);
        assertThat(changed.json().at("/cpu/lendingLimitMilli/h100").asLong(-1))
                .as("not named, not changed")
                .isZero();
        assertThat(changed.json().at("/memory/nominalMib").isEmpty()).isTrue();
    }

    @Test
    void aDryRunOfAChangeWritesNothingAndIsRefusedLikeTheChange() {
        Http.Answer created = http.post(QUEUES, "{\"path\": \"dry\", \"nominalMilli\": {\"h100\": 8000}}");
        String location = created.header("Location");
        String etag = created.header("ETag");
        String body = "{\"nominalMilli\": {\"h100\": 1000}, \"held\": true}";

        Http.Answer dry = patch(location + "?dryRun=true", etag, body);

        assertThat(dry.status()).as(dry.text()).isEqualTo(200);
        assertThat(dry.json().at("/evictions/total").asInt(-1)).isZero();
        assertThat(dry.json().at("/starts/items").isArray()).isTrue();
        assertThat(dry.json().at("/overUse").isArray()).isTrue();
        assertThat(dry.header("ETag")).as("nothing has a new version").isEmpty();
        assertThat(http.get(location).header("ETag")).isEqualTo(etag);
        assertThat(http.get(location).json().path("held").asBoolean()).isFalse();
        assertThat(patch(location + "?dryRun=true", null, body).status()).isEqualTo(428);
        assertThat(patch(location + "?dryRun=true", "\"9\"", body).status()).isEqualTo(412);
        assertThat(patch(location + "?dryRun=true", etag, "{\"nominalMilli\": {\"h10\": 1}}")
                        .status())
                .isEqualTo(400);
        assertThat(patch(location + "?dryRun=perhaps", etag, body).status()).isEqualTo(400);
        Http.Answer gone = http.with("If-Match", etag).call("DELETE", location + "?dryRun=true", null, null);
        assertThat(gone.status()).as(gone.text()).isEqualTo(200);
        assertThat(gone.json().at("/delays/total").asInt(-1)).isZero();
        assertThat(http.get(location).status()).isEqualTo(200);
    }

    @Test
    void aQueueSaysHowItsJobsGetTheirTurn() {
        Http.Answer plain = http.post(QUEUES, "{\"path\": \"plain\"}");
        assertThat(plain.json().path("strict").asBoolean()).isFalse();
        assertThat(plain.json().path("fairShareWeight").asInt()).isEqualTo(1);

        Http.Answer created =
                http.post(QUEUES, "{\"path\": \"strict\", \"strict\": true, \"fairShareWeight\": 3, \"held\": true}");
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        assertThat(created.json().path("strict").asBoolean()).isTrue();
        assertThat(created.json().path("fairShareWeight").asInt()).isEqualTo(3);
        assertThat(created.json().path("held").asBoolean()).isTrue();

        Http.Answer changed = patch(
                created.header("Location"), created.header("ETag"), "{\"strict\": false, \"fairShareWeight\": 7}");
        assertThat(changed.json().path("strict").asBoolean()).isFalse();
        assertThat(changed.json().path("fairShareWeight").asInt()).isEqualTo(7);
        assertThat(changed.json().path("held").asBoolean())
                .as("not named, not changed")
                .isTrue();
    }

    @Test
    void aQueueHasLimitsOfWaitingJobs() {
        Http.Answer created = http.post(
                QUEUES, "{\"path\": \"limits\", \"maxWaitingJobs\": 10, \"perUser\": {\"maxWaitingJobs\": 2}}");
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        assertThat(created.json().path("maxWaitingJobs").asInt()).isEqualTo(10);
        assertThat(created.json().at("/perUser/maxWaitingJobs").asInt()).isEqualTo(2);
        assertThat(created.json().path("draining").asBoolean(true)).isFalse();

        Http.Answer changed =
                patch(created.header("Location"), created.header("ETag"), "{\"perUser\": {\"maxWaitingJobs\": null}}");
        assertThat(changed.json().at("/perUser/maxWaitingJobs").isMissingNode()).isTrue();
        assertThat(changed.json().path("maxWaitingJobs").asInt())
                .as("not named")
                .isEqualTo(10);

        Http.Answer none = patch(
                created.header("Location"),
                changed.header("ETag"),
                "{\"maxWaitingJobs\": null, \"perUser\": null, \"draining\": true}");
        assertThat(none.json().path("maxWaitingJobs").isMissingNode()).isTrue();
        assertThat(none.json().path("draining").asBoolean()).isTrue();
    }

    @Test
    void aQueueThatDrainsTakesNoJobs() {
        Http.Answer created = http.post(QUEUES, "{\"path\": \"drains\"}");
        patch(created.header("Location"), created.header("ETag"), "{\"draining\": true}");
        String body = "{\"name\": \"late\", \"queue\": \"drains\", \"podSets\": [{\"name\": \"w\", \"count\": 1,"
                + " \"gpusPerPod\": 1, \"template\": {\"image\": \"busybox\"}}]}";

        for (String query : List.of("", "?dryRun=true")) {
            Http.Answer refused = http.post("/api/v1/jobs" + query, body);
            assertThat(refused.status()).as(refused.text()).isEqualTo(409);
            assertThat(refused.code()).isEqualTo("CONFLICT");
            assertThat(refused.fields()).containsExactly("queue");
            assertThat(refused.json().path("detail").asString()).contains("\"drains\"", "another queue");
        }

        String good = body.replace("drains", "default");
        Http.Answer batch = http.post("/api/v1/jobs:batch", "{\"jobs\": [" + body + "," + good + "]}");
        assertThat(batch.status()).as(batch.text()).isEqualTo(200);
        assertThat(batch.json().at("/items/0/status").asInt()).isEqualTo(409);
        assertThat(batch.json().at("/items/1/status").asInt()).isEqualTo(201);
        Http.Answer all = http.post("/api/v1/jobs:batch", "{\"jobs\": [" + body + "]}");
        assertThat(all.status()).as(all.text()).isEqualTo(409);
        assertThat(all.fields()).containsExactly("jobs[0].queue");
    }

    @Test
    void aQueueIsMadeOncePerKey() {
        Http keyed = http.with("Idempotency-Key", "make-me-once");
        Http.Answer first = keyed.post(QUEUES, "{\"path\": \"once\"}");
        Http.Answer again = keyed.post(QUEUES, "{ \"path\" : \"once\" }");

        assertThat(again.status()).isEqualTo(201);
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        Http.Answer other = keyed.post(QUEUES, "{\"path\": \"twice\"}");
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.code()).isEqualTo("KEY_REUSED");
        assertThat(http.with("Idempotency-Key", "a b")
                        .post(QUEUES, "{\"path\": \"odd\"}")
                        .fields())
                .containsExactly("Idempotency-Key");
    }

    @Test
    void aMergePatchLeavesWhatItDoesNotName() {
        Http.Answer created = http.post(QUEUES, "{\"path\": \"merge\", \"nominalMilli\": {\"h100\": 8000}}");
        Http.Answer same = patch(created.header("Location"), created.header("ETag"), "{}");
        assertThat(same.header("ETag")).isEqualTo(created.header("ETag"));
        Http.Answer held = patch(created.header("Location"), created.header("ETag"), "{\"held\": true}");
        assertThat(held.json().at("/nominalMilli/h100").asInt()).isEqualTo(8_000);
        Http.Answer none = patch(created.header("Location"), held.header("ETag"), "{\"nominalMilli\": null}");
        assertThat(none.json().path("nominalMilli").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../x",
                "",
                "/",
                "a/",
                "/a",
                "a//b",
                "A",
                "a_b",
                "训练",
                "a/b/c/d/e/f/g/h/i",
                "x\\u0000",
                "-a",
                "a-",
                "a b",
                "a;b",
                "a%2Fb"
            })
    void anOddPathIsNamed(String path) {
        Http.Answer answer = http.post(QUEUES, "{\"path\": \"" + path + "\"}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.fields()).containsExactly("path");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'path': 'q', 'nominalMilli': {'h100': -1}} | 400 | nominalMilli.h100",
                "{'path': 'q', 'nominalMilli': {'h100': 1.5}} | 400 | nominalMilli.h100",
                "{'path': 'q', 'borrowingLimitMilli': {'h100': 1}} | 400 | borrowingLimitMilli.h100",
                "{'path': 'q', 'fairShareWeight': 0} | 400 | fairShareWeight",
                "{'path': 'q', 'cpu': {'nominalMilli': {'h10': 1}}} | 400 | cpu.nominalMilli.h10",
                "{'path': 'q', 'memory': {'lendingLimitMib': {'h100': 1}}} | 400 | memory.lendingLimitMib.h100",
                "{'path': 'q', 'fairShareWeight': 1001} | 400 | fairShareWeight",
                "{'path': 'q', 'strict': 'yes'} | 400 | strict",
                "{'path': 'q', 'nominalMilli': {'h100': 1}, 'borrowingLimitMilli': {'h100': -1}} | 400 | borrowingLimitMilli.h100",
                "{'path': 'q', 'nominalMilli': {'h100': 1}, 'lendingLimitMilli': {'h10': 1}} | 400 | lendingLimitMilli.h10",
                "{'path': 'q', 'nominalMilli': {'h10': 1}} | 400 | nominalMilli.h10",
                "{'path': 'q', 'nominalMilli': {'h100': 1000000000001}} | 400 | nominalMilli.h100",
                "{'path': 'q', 'maxWaitingJobs': -1} | 400 | maxWaitingJobs",
                "{'path': 'q', 'perUser': {'maxWaitingJobs': 1000001}} | 400 | perUser.maxWaitingJobs",
                "{'path': 'q', 'maxRunningJobs': -1} | 400 | maxRunningJobs",
                "{'path': 'q', 'maxRunningJobs': 1000001} | 400 | maxRunningJobs",
                "{'path': 'q', 'perUser': {'maxRunningJobs': -1}} | 400 | perUser.maxRunningJobs",
                "{'path': 'q', 'perUser': {'maxGpuMilli': -1}} | 400 | perUser.maxGpuMilli",
                "{'path': 'q', 'perUser': {'maxGpuMilli': 1000000001}} | 400 | perUser.maxGpuMilli",
                "{'path': 'q', 'maxWholeNodes': {'h100': -1}} | 400 | maxWholeNodes.h100",
                "{'path': 'q', 'maxWholeNodes': {'h100': 1000001}} | 400 | maxWholeNodes.h100",
                "{'path': 'q', 'maxWholeNodes': {'h100': 1.5}} | 400 | maxWholeNodes.h100",
                "{'path': 'q', 'maxWholeNodes': {'h10': 1}} | 400 | maxWholeNodes.h10",
                "{'path': 'q', 'maxWholeNodes': {'': 1}} | 400 | maxWholeNodes.",
                "{'path': 'q', 'maxWholeNodes': 4} | 400 | maxWholeNodes",
                "{'path': 'q', 'quota': {}} | 400 | quota",
                "{'path': 'default'} | 409 | path",
                "{'path': 'no/parent'} | 409 | path",
            })
    void anOddQueueIsNamed(String body, int status, String field) {
        Http.Answer answer = http.post(QUEUES, body.replace('\'', '"'));

        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.fields()).containsExactly(field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'held': null} | held",
                "{'held': 'yes'} | held",
                "{'nominalMilli': 7} | nominalMilli",
                "{'lendingLimitMilli': []} | lendingLimitMilli",
                "{'strict': 1} | strict",
                "{'cpu': 1} | cpu",
                "{'cpu': {'nominal': {}}} | cpu.nominal",
                "{'memory': {'nominalMib': {'h100': 1.5}}} | memory.nominalMib.h100",
                "{'fairShareWeight': null} | fairShareWeight",
                "{'fairShareWeight': -1} | fairShareWeight",
                "{'borrowingLimitMilli': {'h100': 1}} | borrowingLimitMilli.h100",
                "{'nominalMilli': {'h100': '7'}} | nominalMilli.h100",
                "{'nominalMilli': {'h100': 9223372036854775808}} | nominalMilli.h100",
                "{'maxWaitingJobs': '7'} | maxWaitingJobs",
                "{'perUser': 7} | perUser",
                "{'perUser': {'jobs': 7}} | perUser.jobs",
                "{'perUser': {'maxWaitingJobs': 1.5}} | perUser.maxWaitingJobs",
                "{'maxRunningJobs': 2147483648} | maxRunningJobs",
                "{'perUser': {'maxRunningJobs': -1}} | perUser.maxRunningJobs",
                "{'perUser': {'maxGpuMilli': 9223372036854775808}} | perUser.maxGpuMilli",
                "{'perUser': {'maxGpuMilli': 0.5}} | perUser.maxGpuMilli",
                "{'perUser': {'maxGpus': 4}} | perUser.maxGpus",
                "{'maxWholeNodes': 4} | maxWholeNodes",
                "{'maxWholeNodes': ['h100']} | maxWholeNodes",
                "{'maxWholeNodes': {'h100': '4'}} | maxWholeNodes.h100",
                "{'maxWholeNodes': {'h100': -1}} | maxWholeNodes.h100",
                "{'maxWholeNodes': {'h10': 1}} | maxWholeNodes.h10",
                "{'draining': null} | draining",
                "{'path': 'other'} | path",
            })
    void anOddPatchIsNamed(String body, String field) {
        Http.Answer answer =
                patch(QUEUES + "/default", http.get(QUEUES + "/default").header("ETag"), body.replace('\'', '"'));

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.fields()).containsExactly(field);
    }

    private Http.Answer patch(String path, String ifMatch, String body) {
        Http caller = ifMatch == null ? http : http.with("If-Match", ifMatch);
        return caller.call("PATCH", path, "application/merge-patch+json", body.getBytes(StandardCharsets.UTF_8));
    }
}
