package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Changes of a queue that are none: the field, what it was given, and what would be right. */
@SpringBootTest(classes = WebApp.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class BadQueueChangesTest {

    private static final String QUEUES = "/api/v1/queues";

    private final Http http;
    private final String queue;

    BadQueueChangesTest(@LocalServerPort int port) {
        http = new Http(port);
        Http.Answer made = http.post(QUEUES, "{\"path\": \"wrongly-changed\"}");
        queue = QUEUES + "/wrongly-changed";
        assertThat(made.status()).as(made.text()).isIn(201, 409);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'nominalMilli': {'h100': 1.5} | nominalMilli.h100 | is 1.5; give a whole number, or null for no limit",
                "'nominalMilli': 5 | nominalMilli | is 5; give an object with a number for each flavor",
                "'maxRunningJobs': '5' | maxRunningJobs | is \"5\"; give a whole number from 0 to 1000000, or null for no limit",
                "'maxRunningJobs': 2147483648 | maxRunningJobs"
                        + " | is 2147483648; give a whole number from 0 to 1000000, or null for no limit",
                "'maxWholeNodes': [4] | maxWholeNodes"
                        + " | is a list; give an object with a number of nodes by flavor, or null for no limit",
                "'perUser': 5 | perUser | is 5; give an object with one of maxWaitingJobs, maxRunningJobs, maxGpuMilli",
                "'perUser': {'maxGpuMilli': 0.5} | perUser.maxGpuMilli"
                        + " | is 0.5; give a whole number of thousandths of a GPU from 0 to 1000000000, or null for no limit",
                "'held': null | held | is null; give true or false",
                "'draining': 'yes' | draining | is \"yes\"; give true or false",
                "'fairShareWeight': null | fairShareWeight | is null; give a whole number from 1 to 1000",
            })
    void oneMistakeIsOneSentenceWithValueAndRemedy(String fields, String field, String message) {
        String etag = http.get(queue).header("ETag");

        Http.Answer answer = http.with("If-Match", etag)
                .call(
                        "PATCH",
                        queue,
                        "application/merge-patch+json",
                        ("{" + fields.replace('\'', '"') + "}").getBytes(StandardCharsets.UTF_8));

        assertThat(answer.fields()).as(answer.text()).containsExactly(field);
        assertThat(answer.messages()).containsExactly(message);
        assertThat(http.get(queue).header("ETag")).isEqualTo(etag);
    }

    @Test
    void whoLooksForAQueueThatThereIsNotIsToldWhereToLook() {
        assertThat(http.get(QUEUES + "/nowhere").text()).contains("GET /api/v1/queues");
        Http.Answer encoded = http.get(QUEUES + "/a%2Fb");
        assertThat(encoded.status()).isEqualTo(400);
        assertThat(encoded.text()).contains("%2F", "is found by the id");
    }
}
