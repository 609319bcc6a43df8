package dev.tutti.boot.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class ListenPostProcessorTest {

    @Test
    void withoutAnApiKeyOnlyThisMachineIsHeard() {
        ConfigurableEnvironment environment = process(Map.of());

        assertThat(environment.getProperty("server.address")).isEqualTo("127.0.0.1");
        assertThat(environment.getProperty("management.server.address")).isEqualTo("127.0.0.1");
    }

    @Test
    void aBlankKeyIsNoKey() {
        assertThat(process(Map.of("TUTTI_API_KEY", "  ")).getProperty("server.address"))
                .isEqualTo("127.0.0.1");
    }

    @Test
    void withAKeyEveryAddressIsHeardUnlessOneIsNamed() {
        assertThat(process(Map.of("TUTTI_API_KEY", "k")).getProperty("server.address"))
                .isNull();
        assertThat(process(Map.of("TUTTI_API_KEY", "k", "server.address", "10.0.0.1"))
                        .getProperty("server.address"))
                .isEqualTo("10.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "10.0.0.1"})
    void withoutAKeyAnotherAddressIsRefused(String address) {
        assertThatThrownBy(() -> process(Map.of("server.address", address)))
                .isInstanceOf(FailureAnalyzedException.class)
                .hasMessageContaining("server.address is " + address)
                .hasMessageContaining("no API key");
        assertThatThrownBy(() -> process(Map.of("management.server.address", address)))
                .isInstanceOf(FailureAnalyzedException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "localhost"})
    void withoutAKeyAnotherNameOfThisMachineIsFine(String address) {
        assertThat(process(Map.of("server.address", address)).getProperty("server.address"))
                .isEqualTo(address);
    }

    @ParameterizedTest
    @CsvSource({"8080, 8081", "9000, 9001", "0, 0", "65535, 0"})
    void theManagementPortIsTheNextOne(int port, String management) {
        assertThat(process(Map.of("server.port", port)).getProperty("management.server.port"))
                .isEqualTo(management);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "99999", "-2", "80.5"})
    void whatIsNoPortIsRefusedBeforeAnythingStarts(String port) {
        assertThatThrownBy(() -> process(Map.of("server.port", port)))
                .isInstanceOf(FailureAnalyzedException.class)
                .hasMessage("\"" + port + "\" is not a port.");
    }

    @Test
    void aManagementPortThatIsGivenWins() {
        assertThat(process(Map.of("management.server.port", 7000)).getProperty("management.server.port"))
                .isEqualTo("7000");
    }

    private static ConfigurableEnvironment process(Map<String, Object> settings) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", settings));
        new ListenPostProcessor(destination -> LogFactory.getLog(ListenPostProcessorTest.class))
                .postProcessEnvironment(environment, new SpringApplication());
        return environment;
    }
}
