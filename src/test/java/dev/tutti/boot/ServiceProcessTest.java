package dev.tutti.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.Tutti;
import dev.tutti.testkit.process.JavaProcess;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole service as a process of its own: starts on an empty folder, again after a kill, and refuses in words. */
class ServiceProcessTest {

    private static final Duration START = Duration.ofSeconds(180);

    @TempDir
    static Path data;

    @Test
    void itStartsOnAnEmptyFolderAndAgainAfterAKill() {
        try (JavaProcess first = serve(Map.of())) {
            first.awaitLine("Started Tutti", START);
            assertThat(first.output()).contains("listening on 127.0.0.1 only");
            first.kill();
        }
        String relative = Path.of("").toAbsolutePath().relativize(data).toString();
        assertThat(relative).startsWith("..");
        try (JavaProcess second = serve(Map.of("TUTTI_DATA_DIR", relative))) {
            second.awaitLine("Started Tutti", START);
        }
    }

    @Test
    void aPortThatIsTakenIsSaidInOneSentence() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                JavaProcess service = serve(Map.of("SERVER_PORT", Integer.toString(taken.getLocalPort())))) {
            assertRefused(service, "Port " + taken.getLocalPort() + " of 127.0.0.1 cannot be had");
            assertThat(service.output()).contains("SERVER_PORT").doesNotContain("PostgreSQL", "HikariPool");
        }
    }

    @Test
    void aDataFolderThatCannotBeWrittenIsSaidInOneSentence() {
        try (JavaProcess service = serve(Map.of("SERVER_PORT", "0", "TUTTI_DATA_DIR", "/dev/null/data"))) {
            assertRefused(service, "The data folder /dev/null/data cannot be written");
        }
    }

    @Test
    void aPolicyThatDoesNotExistIsSaidInOneSentence() {
        try (JavaProcess service = serve(Map.of("TUTTI_POLICY", "worst-fit"))) {
            assertRefused(service, "tutti.policy is \"worst-fit\"");
            assertThat(service.output())
                    .contains("Give one of shadow-price, best-fit, fragmentation, spread.")
                    .doesNotContain("PostgreSQL", "HikariPool");
        }
    }

    @Test
    void aSettingThatDoesNotExistIsSaidInOneSentence() {
        try (JavaProcess service = serve(Map.of("TUTTI_POLCIY", "best-fit"))) {
            assertRefused(service, "There is no setting \"TUTTI_POLCIY\"");
            assertThat(service.output())
                    .contains("Did you mean TUTTI_POLICY?")
                    .doesNotContain("PostgreSQL", "HikariPool");
        }
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsSaidInOneSentence() {
        Map<String, String> nowhere = Map.of("TUTTI_DATABASE_URL", "postgresql://u:secret@127.0.0.1:1/db");
        try (JavaProcess service = serve(nowhere)) {
            assertRefused(service, "The database cannot be reached");
            assertThat(service.output()).doesNotContain("secret");
        }
    }

    private static void assertRefused(JavaProcess service, String sentence) {
        assertThat(service.awaitExit(START)).isEqualTo(1);
        assertThat(service.output()).contains(sentence).doesNotContain("\tat ");
    }

    private static JavaProcess serve(Map<String, String> settings) {
        Map<String, String> environment = new HashMap<>(Map.of("SERVER_PORT", "0", "TUTTI_DATA_DIR", data.toString()));
        environment.putAll(settings);
        return JavaProcess.start(Tutti.class, environment);
    }
}
