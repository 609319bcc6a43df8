package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Headers and framing that callers get wrong: always 4xx with the header named, never 500. */
@SpringBootTest(classes = WebApp.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class BadHeadersTest {

    private static final String JOBS = "/api/v1/jobs";

    private final int port;
    private final Http http;

    BadHeadersTest(@LocalServerPort int port) {
        this.port = port;
        this.http = new Http(port);
    }

    @Test
    void aMediaTypeThatIsNotTakenIsNamedWithThoseThatAre() {
        Http.Answer answer = http.call("POST", JOBS, "text/plain", Json.job("x").getBytes(StandardCharsets.UTF_8));

        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.fields()).containsExactly("Content-Type");
        assertThat(answer.messages()).containsExactly("is text/plain; give application/json");
    }

    @Test
    void tooManyLanguagesAreNamed() {
        Http.Answer answer = http.with("Accept-Language", "x,".repeat(100)).get(JOBS);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.fields()).containsExactly("Accept-Language");
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
}
