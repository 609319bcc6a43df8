package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The jobs in the manual's page about topology can be submitted as they stand. */
@SpringBootTest(classes = WebApp.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class TopologyManualTest {

    private static final Pattern JOB = Pattern.compile("(?s)```json\\n(.*?)```");

    private final Http http;

    TopologyManualTest(@LocalServerPort int port) {
        this.http = new Http(port);
    }

    @Test
    void everyExampleIsTaken() throws IOException {
        List<String> jobs = JOB.matcher(Files.readString(Path.of("docs/topology.md")))
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(jobs).hasSizeGreaterThanOrEqualTo(3).allSatisfy(job -> {
            Http.Answer answer = http.post("/api/v1/jobs", job);
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        });
    }
}
