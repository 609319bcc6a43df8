package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Jobs that are documents but no jobs: refused with each wrong field named and what would be right; nothing stored. */
@SpringBootTest(classes = WebApp.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class BadFieldsTest {

    private static final String JOBS = "/api/v1/jobs";

    private final Http http;
    private final MemoryJobs jobs;

    BadFieldsTest(@LocalServerPort int port, @Autowired MemoryJobs jobs) {
        this.http = new Http(port);
        this.jobs = jobs;
    }

    @ParameterizedTest
    @MethodSource("dev.tutti.web.BadBodies#all")
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
}
