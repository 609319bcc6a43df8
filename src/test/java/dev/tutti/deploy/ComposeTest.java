package dev.tutti.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The compose file as far as it can be checked without a Docker engine. */
class ComposeTest {

    private static final Path COMPOSE = Path.of("docker-compose.yml");

    private final YAMLMapper yaml = new YAMLMapper();

    @Test
    void dockerComposeItselfReadsIt() throws Exception {
        assumeTrue(onPath("docker-compose"), "no docker-compose here");
        ProcessBuilder builder = new ProcessBuilder("docker-compose", "config", "-q").redirectErrorStream(true);
        builder.environment().put("TUTTI_API_KEY", "for the check");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }

    @Test
    void everyPortIsForThisMachineOnly() throws IOException {
        List<String> ports = services().values().stream()
                .flatMap(service -> service.path("ports").values().stream())
                .map(JsonNode::asString)
                .toList();

        assertThat(ports).hasSize(3).allMatch(port -> port.startsWith("127.0.0.1:"));
    }

    @Test
    void theServiceWaitsForItsDatabaseAndHasAKey() throws IOException {
        JsonNode tutti = services().path("tutti");

        assertThat(tutti.at("/depends_on/postgres/condition").asString()).isEqualTo("service_healthy");
        assertThat(tutti.at("/environment/TUTTI_API_KEY").asString()).startsWith("${TUTTI_API_KEY:?");
        assertThat(tutti.at("/environment/TUTTI_DATABASE_URL").asString())
                .isEqualTo("postgresql://postgres:5432/"
                        + services().at("/postgres/environment/POSTGRES_DB").asString());
        assertThat(tutti.at("/environment/TUTTI_DATABASE_PASSWORD"))
                .isEqualTo(services().at("/postgres/environment/POSTGRES_PASSWORD"));
    }

    @Test
    void everyNamedVolumeIsDeclaredAndEveryMountedFileExists() throws IOException {
        JsonNode compose = yaml.readTree(Files.readString(COMPOSE));
        List<String> sources = services().values().stream()
                .flatMap(service -> service.path("volumes").values().stream())
                .map(volume -> volume.asString().split(":")[0])
                .toList();

        assertThat(sources).isNotEmpty().allSatisfy(source -> {
            if (source.startsWith("./")) {
                assertThat(Path.of(source)).exists();
            } else {
                assertThat(compose.path("volumes").has(source)).as(source).isTrue();
            }
        });
    }

    @Test
    void prometheusAsksTheManagementPortAndGrafanaAsksPrometheus() throws IOException {
        JsonNode scrape = yaml.readTree(Files.readString(Path.of("deploy/prometheus/prometheus.yml")))
                .at("/scrape_configs/0");
        JsonNode source = yaml.readTree(
                        Files.readString(Path.of("deploy/grafana/provisioning/datasources/prometheus.yaml")))
                .at("/datasources/0");

        assertThat(scrape.path("metrics_path").asString()).isEqualTo("/actuator/prometheus");
        assertThat(scrape.at("/static_configs/0/targets/0").asString()).isEqualTo("tutti:8081");
        assertThat(source.path("url").asString()).isEqualTo("http://prometheus:9090");
    }

    private JsonNode services() throws IOException {
        return yaml.readTree(Files.readString(COMPOSE)).path("services");
    }

    private static boolean onPath(String program) {
        return Stream.of(System.getenv("PATH"))
                .flatMap(path -> Arrays.stream(path.split(File.pathSeparator)))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
