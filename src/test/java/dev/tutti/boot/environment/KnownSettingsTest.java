package dev.tutti.boot.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;

class KnownSettingsTest {

    private static final Pattern READ =
            Pattern.compile("\\$\\{(tutti\\.[a-z.-]+)|getProperty\\(\"(tutti\\.[a-z.-]+)\"");

    private final KnownSettings known = new KnownSettings();

    @Test
    void everyNameThatIsReadIsKnown() throws IOException {
        List<String> read;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            read = files.filter(file -> file.toString().endsWith(".java"))
                    .flatMap(file -> READ.matcher(text(file)).results())
                    .map(KnownSettingsTest::name)
                    .distinct()
                    .toList();
        }

        assertThat(read).contains("tutti.policy", "tutti.welcome", "tutti.rate-limit.burst");
        assertThat(read)
                .allSatisfy(name -> assertThat(known.refusal(name, false)).isEmpty());
    }

    private static String name(MatchResult found) {
        return found.group(1) == null ? found.group(2) : found.group(1);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tutti.cluster.name",
                "tutti.cluster.url",
                "tutti.cluster.ca-file",
                "tutti.cluster.caFile",
                "tutti.cluster.token_file",
                "tutti.cluster.namespace",
                "tutti.topology.levels[7].crossing",
                "tutti.topology.levels[0].labels[3]",
                "tutti.topology.levels[0].name",
                "spring.polciy",
                "TUTTI_API_KEY",
                "TUTTI_CLUSTER_CA_FILE",
                "TUTTI_CLUSTER_CAFILE",
                "TUTTI_RATE_LIMIT_PER_SECOND",
                "TUTTI_TOPOLOGY_LEVELS_0_LABELS_1",
                "TUTTI_DATABASE_PASSWORD",
                "TUTTI_PORT_8080_TCP_ADDR",
                "TUTTI_SERVICE_HOST",
                "TUTTI_TRACE_DIR",
                "TUTTI_SOMETHING_OF_ANOTHER_PROGRAM",
                "TUTTI_POSTGRES_SERVICE_PORT_SQL",
            })
    void itIsKnown(String name) {
        assertThat(known.refusal(name, true)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "tutti.polciy, Did you mean tutti.policy?",
        "tutti.simulator.flet, Did you mean tutti.simulator.fleet?",
        "tutti.data.dir, Did you mean tutti.data-dir?",
        "TUTTI_APIKEYS, Did you mean TUTTI_API_KEY?",
        "TUTTI_DATABASE_URI, Did you mean TUTTI_DATABASE_URL?",
        "tutti.something.else.altogether, Known are tutti.api-key",
    })
    void itIsUnknownAndTheNearestIsNamed(String name, String remedy) {
        FailureAnalyzedException refusal = known.refusal(name, true).orElseThrow();

        assertThat(refusal.analysis().getDescription()).isEqualTo("There is no setting \"" + name + "\".");
        assertThat(refusal.analysis().getAction()).startsWith(remedy);
    }

    @Test
    void anApplicationFileIsReadAsStrictly() {
        StandardEnvironment environment = new StandardEnvironment();
        MutablePropertySources sources = environment.getPropertySources();
        sources.remove(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        sources.addLast(new OriginTrackedMapPropertySource("file", Map.of("tutti.retention.jobdays2", "3")));
        ApplicationEnvironmentPreparedEvent event = new ApplicationEnvironmentPreparedEvent(
                new DefaultBootstrapContext(), new SpringApplication(), new String[0], environment);

        assertThatThrownBy(() -> known.onApplicationEvent(event)).hasMessageContaining("tutti.retention.jobdays2");
    }
}
