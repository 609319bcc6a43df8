package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** One caller cannot crowd out the others. */
@SpringBootTest(
        classes = WebApp.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"tutti.rate-limit.per-second=1", "tutti.rate-limit.burst=60"})
class RateLimitTest {

    private final int port;

    RateLimitTest(@LocalServerPort int port) {
        this.port = port;
    }

    @Test
    void aCallerThatIsTooFastIsToldWhenToComeBack() {
        Http http = new Http(port);
        Http.Answer answer = http.get("/api/v1/lanes");
        for (int i = 0; i < 200 && answer.status() == 200; i++) {
            assertThat(answer.header("RateLimit")).matches("\"caller\";r=\\d+;t=\\d+");
            answer = http.get("/api/v1/lanes");
        }

        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.code()).isEqualTo("TOO_MANY_REQUESTS");
        assertThat(answer.header("Retry-After")).isEqualTo("1");
        assertThat(answer.header("RateLimit-Policy")).isEqualTo("\"caller\";q=60;w=60");
    }
}
