package dev.tutti.bench;

import dev.tutti.Tutti;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * From a POST to the bound pod: one job at a time over HTTP, on the embedded PostgreSQL and the simulated cluster. Times
 * are the database's, from the job's row to the row that says "bound".
 */
public final class SubmitToBound {

    private static final int WARM_UP = 50;
    private static final int JOBS = 200;
    private static final String JOB = "{\"name\": \"one\", \"expectedRuntimeSeconds\": 1,"
            + " \"podSets\": [{\"count\": 1, \"gpusPerPod\": 1, \"template\": {\"image\": \"sleep\"}}]}";
    private static final String MILLIS = """
            SELECT extract(epoch FROM a.bound_at - j.submitted_at) * 1000 FROM allocations a
            JOIN jobs j ON j.id = a.job_id WHERE a.bound_at IS NOT NULL AND a.attempt = 1
            ORDER BY j.submitted_at OFFSET :warmUp""";

    private SubmitToBound() {}

    public static void main(String[] arguments) throws Exception {
        Path data = Files.createTempDirectory("tutti-bench-");
        try (ConfigurableApplicationContext service = SpringApplication.run(
                Tutti.class, "--server.port=0", "--tutti.data-dir=" + data, "--tutti.welcome=false")) {
            submitAll(service.getEnvironment().getRequiredProperty("local.server.port"));
            List<Double> millis =
                    service
                            .getBean(JdbcClient.class)
                            .sql(MILLIS)
                            .param("warmUp", WARM_UP)
                            .query(Double.class)
                            .list()
                            .stream()
                            .sorted()
                            .toList();
            System.out.printf(
                    "submit to bound, %d jobs one at a time: median %.0f ms, p99 %.0f ms, worst %.0f ms%n",
                    millis.size(),
                    millis.get(millis.size() / 2),
                    millis.get(millis.size() * 99 / 100),
                    millis.get(millis.size() - 1));
        }
    }

    private static void submitAll(String port) throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        for (int i = 0; i < WARM_UP + JOBS; i++) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/jobs"))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(JOB))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 201) {
                throw new IllegalStateException(answer.body());
            }
            Thread.sleep(50);
        }
        Thread.sleep(3_000);
    }
}
