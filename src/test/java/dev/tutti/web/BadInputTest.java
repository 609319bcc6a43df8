package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** What callers get wrong: always 4xx with the field named, never 500, nothing stored. */
@SpringBootTest(classes = WebApp.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class BadInputTest {

    private static final String JOBS = "/api/v1/jobs";

    private final int port;
    private final Http http;
    private final MemoryJobs jobs;

    BadInputTest(@LocalServerPort int port, @Autowired MemoryJobs jobs) {
        this.port = port;
        this.http = new Http(port);
        this.jobs = jobs;
    }

    static Stream<Arguments> badBodies() {
        return Stream.of(
                bad("\"gpusPerPod\": -1, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": 1.5, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": 1.0, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": 1e2, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": 129e6, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": 0.0000001, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": 9223372036854775808, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": 65, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": \"0.5\", \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": \"\", \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": \"1Gi\", \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": \" 1\", \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": true, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpuMilli\": -1, \"count\": 1,", "podSets[0].gpuMilli"),
                bad("\"gpuMilli\": 1001, \"count\": 1,", "podSets[0].gpuMilli"),
                bad("\"gpuMilli\": 200, \"gpusPerPod\": 1, \"count\": 1,", "podSets[0].gpuMilli"),
                bad("\"mig\": \"1g.11gb\", \"count\": 1,", "podSets[0].mig"),
                bad("\"mig\": \"1g.10gb+me\", \"count\": 1,", "podSets[0].mig"),
                bad("\"mig\": \"\", \"count\": 1,", "podSets[0].mig"),
                bad("\"mig\": 1, \"count\": 1,", "podSets[0].mig"),
                bad("\"mig\": [\"1g.10gb\"], \"count\": 1,", "podSets[0].mig"),
                bad("\"mig\": \"1g.10gb\", \"gpusPerPod\": 1, \"count\": 1,", "podSets[0].mig"),
                bad("\"mig\": \"1g.10gb\", \"gpuMilli\": 100, \"count\": 1,", "podSets[0].mig"),
                bad("\"rdma\": -1, \"count\": 1,", "podSets[0].rdma"),
                bad("\"rdma\": 17, \"count\": 1,", "podSets[0].rdma"),
                bad("\"rdma\": 1.5, \"count\": 1,", "podSets[0].rdma"),
                bad("\"rdma\": \"two\", \"count\": 1,", "podSets[0].rdma"),
                bad("\"rdma\": true, \"count\": 1,", "podSets[0].rdma"),
                bad("\"rdmaResource\": \"rdma/hca\", \"count\": 1,", "podSets[0].rdmaResource"),
                bad("\"rdma\": 1, \"rdmaResource\": \"hca\", \"count\": 1,", "podSets[0].rdmaResource"),
                bad("\"rdma\": 1, \"rdmaResource\": \"rdma/\", \"count\": 1,", "podSets[0].rdmaResource"),
                bad("\"rdma\": 1, \"rdmaResource\": \"cpu\", \"count\": 1,", "podSets[0].rdmaResource"),
                bad("\"rdma\": 1, \"rdmaResource\": 7, \"count\": 1,", "podSets[0].rdmaResource"),
                bad("\"count\": 0,", "podSets[0].count"),
                bad("\"count\": -1,", "podSets[0].count"),
                bad("\"count\": 20001,", "podSets[0].count"),
                bad("", "podSets[0].count"),
                bad("\"count\": null,", "podSets[0].count"),
                bad("\"count\": 2, \"minCount\": 3,", "podSets[0].minCount"),
                bad("\"count\": 2, \"minCount\": 0,", "podSets[0].minCount"),
                bad("\"count\": 1, \"cpuMilli\": -1,", "podSets[0].cpuMilli"),
                bad("\"count\": 1, \"memoryMib\": 18446744073709551616,", "podSets[0].memoryMib"),
                bad("\"count\": 1, \"flavors\": [\"no-such-flavor\"],", "podSets[0].flavors[0]"),
                bad("\"count\": 1, \"flavors\": [\"h100\", \"h100\"],", "podSets[0].flavors"),
                bad("\"count\": 1, \"flavors\": \"h100\",", "podSets[0].flavors"),
                nodes("'nodeSelector': {'" + "k".repeat(300) + "': 'a'}", "podSets[0].nodeSelector"),
                nodes("'nodeSelector': {'" + "a.".repeat(127) + "com/pool': 'a'}", "podSets[0].nodeSelector"),
                nodes("'nodeSelector': {'-pool': 'a'}", "podSets[0].nodeSelector"),
                nodes("'nodeSelector': {'a/b/c': 'a'}", "podSets[0].nodeSelector"),
                nodes("'nodeSelector': {'': 'a'}", "podSets[0].nodeSelector"),
                nodes("'nodeSelector': {'pool': 'a b'}", "podSets[0].nodeSelector.pool"),
                nodes("'nodeSelector': {'pool': '" + "v".repeat(64) + "'}", "podSets[0].nodeSelector.pool"),
                nodes("'nodeSelector': {'pool': 1}", "podSets[0].nodeSelector.pool"),
                nodes("'nodeSelector': {" + times(17, i -> "'k" + i + "': ''") + "}", "podSets[0].nodeSelector"),
                nodes("'nodeSelector': []", "podSets[0].nodeSelector"),
                nodes("'tolerations': [" + times(17, i -> "{'key': 'k" + i + "'}") + "]", "podSets[0].tolerations"),
                nodes("'tolerations': [{'key': 'a', 'operator': 'Gt'}]", "podSets[0].tolerations[0].operator"),
                nodes("'tolerations': [{'key': 'a', 'operator': 'exists'}]", "podSets[0].tolerations[0].operator"),
                nodes("'tolerations': [{'key': 'a', 'operator': 1}]", "podSets[0].tolerations[0].operator"),
                nodes(
                        "'tolerations': [{'key': 'a'}, {'key': 'a', 'operator': 'Exists', 'value': 'b'}]",
                        "podSets[0].tolerations[1].value"),
                nodes("'tolerations': [{'key': 'a', 'value': 'b c'}]", "podSets[0].tolerations[0].value"),
                nodes("'tolerations': [{'operator': 'Equal', 'value': 'b'}]", "podSets[0].tolerations[0].key"),
                nodes("'tolerations': [{}]", "podSets[0].tolerations[0].key"),
                nodes("'tolerations': [{'key': '" + "k".repeat(300) + "'}]", "podSets[0].tolerations[0].key"),
                nodes(
                        "'tolerations': [{'key': 'node.kubernetes.io/not-ready', 'operator': 'Exists'}]",
                        "podSets[0].tolerations[0].key"),
                nodes("'tolerations': [{'key': 'a', 'effect': 'Never'}]", "podSets[0].tolerations[0].effect"),
                nodes(
                        "'tolerations': [{'key': 'a', 'effect': 'NoExecute', 'tolerationSeconds': 60}]",
                        "podSets[0].tolerations[0].tolerationSeconds"),
                nodes(
                        "'affinity': [{'podSet': 'ps', 'level': 'rack', 'kind': 'TOGETHER'}]",
                        "podSets[0].affinity[0].podSet"),
                nodes(
                        "'affinity': [{'podSet': 'worker', 'level': 'rack', 'kind': 'APART'}]",
                        "podSets[0].affinity[0].podSet"),
                nodes("'affinity': [{'podSet': 'ps', 'level': 'rack', 'kind': 'NEAR'}]", "podSets[0].affinity[0].kind"),
                nodes("'affinity': [{'podSet': 'ps', 'level': 'rack'}]", "podSets[0].affinity[0].kind"),
                nodes(
                        "'affinity': [{'podSet': 'ps', 'level': 'cluster', 'kind': 'APART'}]",
                        "podSets[0].affinity[0].level"),
                nodes(
                        "'affinity': [" + times(17, i -> "{'podSet': 'ps', 'level': 'rack', 'kind': 'APART'}") + "]",
                        "podSets[0].affinity"),
                two(
                        "'topology': {'required': 'rack'},",
                        "'level': 'zone', 'kind': 'APART'",
                        "podSets[1].affinity[0].level"),
                two("", "'level': 'planet', 'kind': 'TOGETHER'", "podSets[1].affinity[0].level"),
                two(
                        "",
                        "'level': 'hostname', 'kind': 'TOGETHER'}, {'podSet': 'a', 'level': 'rack', 'kind': 'APART'",
                        "podSets[1].affinity[1].level"),
                bad("\"count\": 1, \"name\": \"UPPER\",", "podSets[0].name"),
                bad("\"count\": 1, \"name\": \"trailing-\",", "podSets[0].name"),
                bad("\"count\": 1, \"cuont\": 1,", "podSets[0].cuont"),
                ofSet("{\"required\": \"planet\"}", "podSets[0].topology.required"),
                ofSet("{\"preferred\": \"planet\"}", "podSets[0].topology.preferred"),
                ofSet("{\"required\": 1}", "podSets[0].topology.required"),
                ofSet("{\"requierd\": \"rack\"}", "podSets[0].topology.requierd"),
                ofSet("{\"segment\": {\"pods\": 3, \"level\": \"planet\"}}", "podSets[0].topology.segment.level"),
                ofSet("{\"segment\": {\"pods\": 3}}", "podSets[0].topology.segment.level"),
                ofSet("{\"segment\": {\"level\": \"rack\"}}", "podSets[0].topology.segment.pods"),
                ofSet("{\"segment\": {\"pods\": 0, \"level\": \"rack\"}}", "podSets[0].topology.segment.pods"),
                ofSet("{\"segment\": {\"pods\": -2, \"level\": \"rack\"}}", "podSets[0].topology.segment.pods"),
                ofSet("{\"segment\": {\"pods\": 20001, \"level\": \"rack\"}}", "podSets[0].topology.segment.pods"),
                ofSet("{\"segment\": {\"pods\": 4, \"level\": \"rack\"}}", "podSets[0].topology.segment.pods"),
                bad(
                        "\"count\": 6, \"minCount\": 2, \"topology\": {\"segment\": {\"pods\": 3, \"level\": \"rack\"}},",
                        "podSets[0].topology.segment.pods"),
                ofSet(
                        "{\"required\": \"rack\", \"segment\": {\"pods\": 3, \"level\": \"zone\"}}",
                        "podSets[0].topology.segment.level"),
                Arguments.of(
                        Json.podSet("\"count\": 6, \"topology\": {\"required\": \"zone\"},")
                                .replaceFirst("\"podSets\"", "\"topology\": {\"required\": \"rack\"}, \"podSets\""),
                        "podSets[0].topology.required"),
                Arguments.of(Json.job("x", "\"queue\": \"../x\","), "queue"),
                Arguments.of(Json.job("x", "\"queue\": \"research\","), "queue"),
                Arguments.of(Json.job("x", "\"queue\": \"a\\u0000b\","), "queue"),
                Arguments.of(Json.job("x", "\"lane\": \"purple\","), "lane"),
                Arguments.of(Json.job("x", "\"lane\": \"GREEN\","), "lane"),
                Arguments.of(Json.job("x", "\"priority\": 1000001,"), "priority"),
                Arguments.of(Json.job("x", "\"topology\": {\"required\": \"planet\"},"), "topology.required"),
                Arguments.of(Json.job("x", "\"topology\": {\"prefered\": \"rack\"},"), "topology.prefered"),
                Arguments.of(Json.job("x", "\"expectedRuntimeSeconds\": 0,"), "expectedRuntimeSeconds"),
                Arguments.of(Json.job("x", "\"preemption\": {\"graceSeconds\": 3601},"), "preemption.graceSeconds"),
                Arguments.of(Json.job("x", "\"retry\": {\"maxFailures\": -1},"), "retry.maxFailures"),
                Arguments.of(Json.job("x", "\"labels\": {\"a\": 1},"), "labels.a"),
                Arguments.of(Json.job("x", "\"labels\": {\"a\": \"\\ud800\"},"), "labels.a"),
                Arguments.of(Json.job("x", "\"podsets\": [],"), "podsets"),
                Arguments.of(Json.job("x", "\"maxRuntime\": 5,"), "maxRuntime"),
                Arguments.of(Json.job("x", "\"maxRuntimeSeconds\": 0,"), "maxRuntimeSeconds"),
                Arguments.of(Json.job("x", "\"maxRuntimeSeconds\": 315360001,"), "maxRuntimeSeconds"),
                Arguments.of(Json.job("x", "\"maxRuntimeSeconds\": 1.5,"), "maxRuntimeSeconds"),
                Arguments.of(Json.job("x", "\"maxQueueSeconds\": -1,"), "maxQueueSeconds"),
                Arguments.of(Json.job("x", "\"suspended\": \"yes\","), "suspended"),
                Arguments.of(Json.job("x", "\"deadline\": 1790000000,"), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"tomorrow\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"2096-12-24T18:00:00\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"2096-02-30T18:00:00Z\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"2096-02-01T25:00:00Z\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"2096-02-01T12:00:00+19:00\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"9999-12-31T23:59:59-18:00x\","), "deadline"),
                Arguments.of(Json.job("x", "\"deadline\": \"2001-01-01T00:00:00Z\","), "deadline"),
                Arguments.of(Json.job("a\\u0000b"), "name"),
                Arguments.of(Json.job("a\\u0007b"), "name"),
                Arguments.of(Json.job("n".repeat(300)), "name"),
                Arguments.of(Json.job(""), "name"),
                Arguments.of("{\"name\": \"x\"}", "podSets"),
                Arguments.of("{\"name\": \"x\", \"podSets\": []}", "podSets"),
                Arguments.of("{\"name\": \"x\", \"podSets\": [{\"count\": 1}]}", "podSets[0].template"),
                Arguments.of("{\"name\": \"x\", \"podSets\": [1]}", "podSets[0]"),
                Arguments.of("[]", ""),
                Arguments.of("null", ""),
                Arguments.of("7", ""));
    }

    private static Arguments ofSet(String topology, String field) {
        return bad("\"count\": 6, \"topology\": " + topology + ",", field);
    }

    /** With single quotes for double ones. */
    private static Arguments nodes(String rules, String field) {
        return bad("\"count\": 1, " + rules.replace('\'', '"') + ",", field);
    }

    /** A job of two sets, the second with this affinity to the first. */
    private static Arguments two(String job, String affinity, String field) {
        String set = "{'name': '%s', 'count': 1, 'template': {'image': 'x'}%s}";
        String second = set.formatted("b", ", 'affinity': [{'podSet': 'a', " + affinity + "}]");
        String body = "{'name': 'x', " + job + " 'podSets': [" + set.formatted("a", "") + ", " + second + "]}";
        return Arguments.of(body.replace('\'', '"'), field);
    }

    private static String times(int times, IntFunction<String> text) {
        return IntStream.range(0, times).mapToObj(text).collect(Collectors.joining(", "));
    }

    private static Arguments bad(String podSet, String field) {
        return Arguments.of(Json.podSet(podSet), field);
    }

    @ParameterizedTest
    @MethodSource("badBodies")
    void namesTheFieldAndStoresNothing(String body, String field) {
        int before = jobs.size();

        Http.Answer answer = http.post(JOBS, body);

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("VALIDATION");
        assertThat(answer.fields()).as(answer.text()).contains(field).doesNotHaveDuplicates();
        ProblemTest.assertRemedies(answer);
        assertThat(http.post(JOBS + "?dryRun=true", body).status()).isEqualTo(400);
        assertThat(jobs.size()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'name': NaN}| name",
                "{'name': Infinity}| name",
                "{'podSets': [{'count': 1, 'gpusPerPod': NaN}]}| podSets[0].gpusPerPod",
                "{'podSets': [{'count': -Infinity}]}| podSets[0].count",
                "{'podSets': [{'count': 01}]}| podSets[0].count",
                "{'name': 'x', 'name': 'y'}| name",
                "{'podSets': [{'count': 1, 'count': 2}]}| podSets[0].count",
                "{'name': 'x'| name",
                "{'name': 'x'} {}| ''",
                "{'name': 'x',}| name",
                "| ''",
                "{'name': \"\u0001\"}| name",
            })
    void aBrokenDocumentIsRefusedWithThePlace(String body, String field) {
        int before = jobs.size();

        Http.Answer answer = http.post(JOBS, body == null ? "" : body.replace('\'', '"'));

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("MALFORMED");
        assertThat(answer.fields()).as(answer.text()).containsExactly(field);
        assertThat(answer.text())
                .doesNotContain("tools.jackson", "StreamRead", "JsonReadFeature", "Non-standard", "ALLOW_", "Source:");
        assertThat(jobs.size()).isEqualTo(before);
    }

    @Test
    void malformedJsonSaysLineAndColumn() {
        assertThat(http.post(JOBS, "{\n  \"name\": x\n}").text()).contains("line 2, column");
    }

    @Test
    void brokenUtf8IsMalformed() {
        byte[] body = Json.job("x#").getBytes(StandardCharsets.ISO_8859_1);
        for (int i = 0; i < body.length; i++) {
            body[i] = body[i] == '#' ? (byte) 0xff : body[i];
        }
        assertThat(http.call("POST", JOBS, "application/json", body).status()).isEqualTo(400);
    }

    @Test
    void allMistakesAreToldAtOnce() {
        Http.Answer answer = http.post(JOBS, """
                {"name": "", "lane": "blue", "podSets": [
                  {"name": "A", "count": 0, "gpusPerPod": -1, "template": {"image": ""}},
                  {"name": "b", "count": 1, "minCount": 2, "template": {"image": "i", "env": {"NVIDIA_X": "1"}}}]}""");

        assertThat(answer.fields())
                .containsExactlyInAnyOrder(
                        "name",
                        "lane",
                        "podSets[0].name",
                        "podSets[0].count",
                        "podSets[0].gpusPerPod",
                        "podSets[0].template.image",
                        "podSets[1].minCount",
                        "podSets[1].template.env.NVIDIA_X");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'count': 0, | podSets[0].count | is 0; give a whole number from 1 to 20000",
                "'count': 1, 'gpusPerPod': 9223372036854775808, | podSets[0].gpusPerPod"
                        + " | is 9223372036854775808; give a whole number from 0 to 64",
                "'count': 1, 'gpusPerPod': 1, 'gpuMilli': 200, | podSets[0].gpuMilli"
                        + " | is 200, but gpusPerPod is 1; give one of them",
                "'count': 1, 'flavors': ['h900'], | podSets[0].flavors[0]"
                        + " | there is no flavor \"h900\"; give one of h100",
                "'count': 4, 'topology': {'segment': {'pods': 3, 'level': 'rack'}}, | podSets[0].topology.segment.pods"
                        + " | is 3, and count (4) is not a multiple of it; give a number that divides 4",
                "'count': 1, 'rdmaResource': 'rdma/a', | podSets[0].rdmaResource"
                        + " | is \"rdma/a\", but rdma asks for no NIC of it; give rdma too, or leave this out",
            })
    void oneMistakeIsOneSentenceWithValueAndRemedy(String fields, String field, String message) {
        Http.Answer answer = http.post(JOBS, Json.podSet(fields == null ? "" : fields.replace('\'', '"')));

        assertThat(answer.fields()).as(answer.text()).containsExactly(field);
        assertThat(answer.messages()).containsExactly(message);
    }

    @Test
    void anUnknownQueueIsAnsweredWithThoseThatAreThere() {
        assertThat(http.post(JOBS + "?dryRun=true", Json.job("x", "\"queue\": \"nope\","))
                        .messages())
                .singleElement()
                .asString()
                .contains("there is no queue \"nope\"", "give one of", "default");
        assertThat(http.get(JOBS + "?queue=nope").messages())
                .singleElement()
                .asString()
                .contains("default");
    }

    @Test
    void aMediaTypeThatIsNotTakenIsNamedWithThoseThatAre() {
        Http.Answer answer = http.call("POST", JOBS, "text/plain", Json.job("x").getBytes(StandardCharsets.UTF_8));

        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.fields()).containsExactly("Content-Type");
        assertThat(answer.messages()).containsExactly("is text/plain; give application/json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "nul", "x"})
    void aWordThatIsNoJsonIsShownWithWhatIs(String word) {
        assertThat(http.post(JOBS, "{\"name\": " + word + "}").messages())
                .singleElement()
                .asString()
                .contains("\"" + word + "\" is no JSON; give a number");
    }

    @Test
    void anUnknownFieldNamesTheNearestKnownOne() {
        assertThat(http.post(JOBS, Json.podSet("\"count\": 1, \"gpuPerPod\": 1,"))
                        .text())
                .contains("did you mean \\\"gpusPerPod\\\"?");
    }

    @Test
    void tooManyViolationsAreCut() {
        String fields =
                IntStream.range(0, 5_000).mapToObj(i -> "\"f" + i + "\": 1").collect(Collectors.joining(","));

        assertThat(http.post(JOBS, "{" + fields + "}").fields()).hasSize(100);
    }

    @Test
    void aLargeBodyIsRefusedWhileItIsRead() {
        byte[] large = Json.job("x", "\"labels\": {\"a\": \"" + "b".repeat(2 << 20) + "\"},")
                .getBytes(StandardCharsets.UTF_8);

        Http.Answer answer = http.call("POST", JOBS, "application/json", large);

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.code()).isEqualTo("TOO_LARGE");
        ProblemTest.assertForm(answer);
    }

    @Test
    void aDeepBodyIsRefused() {
        String deep = "{\"labels\": " + "[".repeat(100_000) + "]".repeat(100_000) + "}";

        Http.Answer answer = http.post(JOBS, deep);
        assertThat(answer.code()).isEqualTo("MALFORMED");
        assertThat(answer.text()).contains("depth").doesNotContain("StreamReadConstraints");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit=0",
                "limit=-1",
                "limit=501",
                "limit=1000000000",
                "limit=1.5",
                "limit=x",
                "limit=99999999999999999999",
                "cursor=",
                "limit=",
                "limit=0x10",
                "limit=%EF%BC%91",
                "limit=1&limit=2",
                "sort=submittedAt&sort=submittedAt",
                "state=",
                "cursor=%00",
                "state=GONE",
                "lane=blue",
                "label=x",
                "label=%3Dx",
                "since=yesterday",
                "since=%2B999999999-01-01T00:00:00Z",
                "sort=name",
                "queue=%00",
                "queue=nope",
                "limit=9999999999",
                "stat=QUEUED",
                "offset=1000000000000"
            })
    void anOddParameterIsNamed(String query) {
        Http.Answer answer = http.get(JOBS + "?" + query);

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.fields()).containsExactly(query.substring(0, query.indexOf('=')));
        ProblemTest.assertRemedies(answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "yes", "on", "TRUE", "true&dryRun=false"})
    void aDryRunThatIsNotClearlyOneStoresNothing(String value) {
        int before = jobs.size();

        assertThat(http.post(JOBS + "?dryRun=" + value, Json.job("x")).fields()).containsExactly("dryRun");

        assertThat(jobs.size()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cursor=%ff", "%00=1", "%ff=1"})
    void aQueryThatIsNoTextIsMalformed(String query) {
        Http.Answer answer = http.get(JOBS + "?" + query);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("MALFORMED");
    }

    @Test
    void tooManyLanguagesAreNamed() {
        Http.Answer answer = http.with("Accept-Language", "x,".repeat(100)).get(JOBS);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.fields()).containsExactly("Accept-Language");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-32"})
    void aBodyIsUtf8AndNothingElse(String charset) {
        byte[] body = Json.job("x").getBytes(Charset.forName(charset));

        assertThat(http.call("POST", JOBS, "application/json", body).code()).isEqualTo("MALFORMED");
        assertThat(http.call("POST", "/api/v1/manifests", "application/yaml", body)
                        .code())
                .isEqualTo("MALFORMED");
    }

    @Test
    void aPackedBodyIsRefused() {
        assertThat(http.with("Content-Encoding", "gzip")
                        .post(JOBS, Json.job("x"))
                        .status())
                .isEqualTo(415);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
                "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                "CONNECT /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Length: 100\r\n\r\n{"
            })
    void whatNobodySpeaksOrNeverComesIsTheCallersMistake(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));

            String status = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();

            assertThat(status).startsWith("HTTP/1.1 400");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b"})
    void anOddIdempotencyKeyIsNamed(String key) {
        assertThat(http.with("Idempotency-Key", key).post(JOBS, Json.job("x")).fields())
                .containsExactly("Idempotency-Key");
    }

    @Test
    void aLongIdempotencyKeyIsNamed() {
        assertThat(http.with("Idempotency-Key", "k".repeat(129))
                        .post(JOBS, Json.job("x"))
                        .fields())
                .containsExactly("Idempotency-Key");
    }

    @Test
    void mutatedBodiesNeverBreakTheService() {
        for (int seed = 0; seed < 300; seed++) {
            byte[] body = FuzzTest.mutated(seed);
            for (String path : List.of("/api/v1/jobs", "/api/v1/jobs:batch", "/api/v1/queues", "/api/v1/manifests")) {
                Http.Answer answer = http.call("POST", path, "application/json", body);
                assertThat(answer.status())
                        .as("seed %s to %s: %s", seed, path, answer.text())
                        .isLessThan(500);
            }
        }
    }
}
