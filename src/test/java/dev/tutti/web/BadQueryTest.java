package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Query parameters that callers get wrong: always 400 with the parameter named, nothing stored. */
@SpringBootTest(classes = WebApp.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class BadQueryTest {

    private static final String JOBS = "/api/v1/jobs";

    private final Http http;
    private final MemoryJobs jobs;

    BadQueryTest(@LocalServerPort int port, @Autowired MemoryJobs jobs) {
        this.http = new Http(port);
        this.jobs = jobs;
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
}
