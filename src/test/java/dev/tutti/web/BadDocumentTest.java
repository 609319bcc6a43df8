package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Bodies that cannot be read: always 4xx with the place named, never 500, nothing stored. */
@SpringBootTest(classes = WebApp.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class BadDocumentTest {

    private static final String JOBS = "/api/v1/jobs";

    private final Http http;
    private final MemoryJobs jobs;

    BadDocumentTest(@LocalServerPort int port, @Autowired MemoryJobs jobs) {
        this.http = new Http(port);
        this.jobs = jobs;
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

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "nul", "x"})
    void aWordThatIsNoJsonIsShownWithWhatIs(String word) {
        assertThat(http.post(JOBS, "{\"name\": " + word + "}").messages())
                .singleElement()
                .asString()
                .contains("\"" + word + "\" is no JSON; give a number");
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
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-32"})
    void aBodyIsUtf8AndNothingElse(String charset) {
        byte[] body = Json.job("x").getBytes(Charset.forName(charset));

        assertThat(http.call("POST", JOBS, "application/json", body).code()).isEqualTo("MALFORMED");
        assertThat(http.call("POST", "/api/v1/manifests", "application/yaml", body)
                        .code())
                .isEqualTo("MALFORMED");
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
