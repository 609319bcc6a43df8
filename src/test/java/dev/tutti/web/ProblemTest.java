package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.OutcomeUnknown;
import dev.tutti.control.Unavailable;
import dev.tutti.web.problem.ProblemKind;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.transaction.CannotCreateTransactionException;

/** Whatever goes wrong, the answer has the one form. */
@SpringBootTest(classes = WebApp.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class ProblemTest {

    private final Http http;
    private final int port;
    private final MemoryJobs jobs;

    ProblemTest(@LocalServerPort int port, @Autowired MemoryJobs jobs) {
        this.http = new Http(port);
        this.port = port;
        this.jobs = jobs;
    }

    @AfterEach
    void heal() {
        jobs.failure = null;
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /nowhere, , 404, NOT_FOUND",
        "GET, /api/v1/nowhere, , 404, NOT_FOUND",
        "GET, /api/v1/jobs/abc, , 404, NOT_FOUND",
        "GET, /api/v1/jobs/1-1-1-1-1, , 404, NOT_FOUND",
        "GET, /api/v1/jobs/%00, , 400, MALFORMED",
        "GET, /api/v1/jobs/a%2Fb, , 400, MALFORMED",
        "GET, /api/v1//jobs, , 400, MALFORMED",
        "PUT, /api/v1/jobs, application/json, 405, METHOD_NOT_ALLOWED",
        "DELETE, /api/v1/jobs/00000000-0000-0007-0000-000000000000, , 405, METHOD_NOT_ALLOWED",
        "POST, /api/v1/jobs, text/plain, 415, UNSUPPORTED_MEDIA_TYPE",
        "POST, /api/v1/jobs, application/x-www-form-urlencoded, 415, UNSUPPORTED_MEDIA_TYPE",
        "POST, /api/v1/jobs, multipart/form-data;boundary=x, 415, UNSUPPORTED_MEDIA_TYPE",
        "POST, /api/v1/jobs, nonsense, 415, UNSUPPORTED_MEDIA_TYPE",
        "POST, /api/v1/jobs, application/json, 400, MALFORMED",
        "GET, /api/v1/jobs?cursor=broken, , 400, VALIDATION",
        "GET, /error, , 404, NOT_FOUND",
    })
    void everyRefusalHasTheForm(String method, String path, String type, int status, String code) {
        Http.Answer answer = http.call(method, path, type, type == null ? null : "{".getBytes(StandardCharsets.UTF_8));

        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertForm(answer);
        assertThat(answer.code()).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /api/v1/jobs/1/suspend, nearest is POST /api/v1/jobs/{id}:suspend",
        "POST, /api/v1/jobs/1/supend, nearest is POST /api/v1/jobs/{id}:suspend",
        "GET, /jobs, nearest is GET /api/v1/jobs",
        "GET, /api/v1/jbos, nearest is GET /api/v1/jobs",
        "GET, /api/v1/queues/, nearest is GET /api/v1/queues",
        "GET, /, /swagger-ui.html",
        "GET, /api/v1, below /api/v1",
        "GET, /wholly/elsewhere, /swagger-ui.html",
    })
    void aPathThatIsNotThereNamesTheNearest(String method, String path, String told) {
        Http.Answer answer = http.call(method, path, null, null);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().path("detail").asString())
                .startsWith("there is no such path; ")
                .contains(told);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST | /api/v1/jobs/1:supend | action \"supend\" of /api/v1/jobs/{id}; known are cancel, resume, scale, suspend",
                "POST | /api/v1/jobs/1: | known are cancel, resume, scale, suspend",
                "POST | /api/v1/jobs/1%3Asupend | known are cancel, resume, scale, suspend",
                "PUT | /api/v1/jobs/1:supend | known are cancel, resume, scale, suspend",
                "POST | /api/v1/queues/1:hold | action \"hold\" of /api/v1/queues/{id}; it has none, and takes DELETE, GET, PATCH",
            })
    void anActionThatIsNotThereNamesThoseThatAre(String method, String path, String told) {
        Http.Answer answer = http.call(method, path, null, null);

        assertThat(answer.status()).as(answer.text()).isEqualTo(404);
        assertForm(answer);
        assertThat(answer.json().path("detail").asString()).contains(told);
        assertThat(http.call("PUT", "/api/v1/jobs/1:suspend", null, null).status())
                .as("an action that is there, with another method")
                .isEqualTo(405);
    }

    @ParameterizedTest
    @CsvSource({"BLAH, BLAH", "queued, queued", "'QUEUED,BLAH', BLAH"})
    void aStateThatIsNoneNamesThemAll(String given, String wrong) {
        Http.Answer answer = http.get("/api/v1/jobs?state=" + given);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.fields()).containsExactly("state");
        assertThat(answer.messages().get(0))
                .startsWith("is \"" + wrong + "\"; give one of QUEUED or SUSPENDED")
                .endsWith("FAILED");
    }

    @Test
    void anAcceptHeaderDoesNotChangeTheFormOfAProblem() {
        Http.Answer html = http.with("Accept", "text/html").get("/api/v1/jobs");
        Http.Answer image = http.with("Accept", "image/png").get("/api/v1/jobs/abc");

        assertThat(html.status()).isEqualTo(406);
        assertThat(html.code()).isEqualTo("NOT_ACCEPTABLE");
        assertForm(html);
        assertThat(image.status()).isIn(404, 406);
        assertForm(image);
    }

    @Test
    void aMethodThatIsNotKnownIsAnsweredWithTheOnesThatAre() {
        assertThat(http.call("PUT", "/api/v1/jobs", "application/json", new byte[0])
                        .header("Allow"))
                .contains("GET", "POST");
    }

    @Test
    void theCallersTraceComesBack() {
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        Http.Answer answer =
                http.with("traceparent", "00-" + trace + "-00f067aa0ba902b7-01").get("/nowhere");

        assertThat(answer.json().path("traceId").asString()).isEqualTo(trace);
        assertThat(answer.header("traceparent")).startsWith("00-" + trace + "-");
        assertThat(http.with("traceparent", "00-" + "0".repeat(32) + "-00f067aa0ba902b7-01")
                        .get("/nowhere")
                        .json()
                        .path("traceId")
                        .asString())
                .matches("[0-9a-f]{32}")
                .isNotEqualTo("0".repeat(32));
    }

    @ParameterizedTest
    @EnumSource(ProblemKind.class)
    void everyKindHasItsPage(ProblemKind kind) {
        Http.Answer page = http.get(kind.type());

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.text()).contains(kind.title(), kind.name());
        assertThat(http.get("/problems").text()).contains(kind.type());
    }

    @Test
    void anAbsentDatabaseIsNotNowAndNotAMistake() {
        for (Supplier<RuntimeException> away : List.<Supplier<RuntimeException>>of(
                () -> new DataAccessResourceFailureException("password=hunter2"),
                () -> new QueryTimeoutException("late"),
                () -> new Unavailable("jobs", new IOException("reset")),
                () -> new CannotCreateTransactionException("pool is empty"))) {
            jobs.failure = away;
            Http.Answer answer = http.get("/api/v1/jobs");

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.code()).isEqualTo("UNAVAILABLE");
            assertThat(answer.header("Retry-After")).isEqualTo("2");
            assertThat(answer.text()).doesNotContain("hunter2");
            assertForm(answer);
        }
    }

    @Test
    void aLostReplyIsCalledUnknown() {
        jobs.failure = () -> new OutcomeUnknown("submit", new IOException("reset"));
        Http.Answer answer = http.post("/api/v1/jobs", Json.job("x"));

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("OUTCOME_UNKNOWN");
    }

    @Test
    void ourOwnMistakeShowsNothingOfItsInside() {
        jobs.failure = () -> new IllegalStateException("secret at dev.tutti.store.Some.method");
        Http.Answer answer = http.get("/api/v1/jobs");

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.code()).isEqualTo("INTERNAL");
        assertThat(answer.text()).doesNotContain("secret", "dev.tutti", "Exception");
        assertForm(answer);
    }

    @ParameterizedTest
    @CsvSource({"GET /{ HTTP/1.1", "GET /a^b HTTP/1.1", "FOO|BAR / HTTP/1.1", "GET / HTTP/9.9"})
    void alsoTheContainerAnswersInTheForm(String line) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream()
                    .write((line + "\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(answer).matches("(?s)HTTP/1.1 (400|505).*").doesNotContain("<html", "Tomcat");
            assertThat(answer).contains("application/problem+json", "\"code\"");
        }
    }

    /** Every violation says what to do instead. */
    static void assertRemedies(Http.Answer answer) {
        assertThat(answer.messages())
                .isNotEmpty()
                .allSatisfy(message -> assertThat(message)
                        .containsPattern(
                                "\\b(give|leave|did you mean|ask for|name each|known are|take|make|send|encode)\\b"));
    }

    static void assertForm(Http.Answer answer) {
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.json().propertyNames())
                .containsExactlyInAnyOrder(
                        "type", "title", "status", "detail", "instance", "code", "violations", "traceId");
        assertThat(answer.json().path("status").asInt()).isEqualTo(answer.status());
        assertThat(answer.json().path("traceId").asString()).matches("[0-9a-f]{32}");
    }
}
