package dev.tutti.boot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class TuttiCommandTest {

    private static final List<List<String>> SERVED = new CopyOnWriteArrayList<>();

    @Configuration
    static class Service {
        @Bean
        ApplicationRunner remember() {
            return (ApplicationArguments arguments) -> SERVED.add(List.of(arguments.getSourceArgs()));
        }
    }

    @Configuration
    static class BrokenService {
        @Bean
        ApplicationRunner fail() {
            return arguments -> {
                throw new IllegalStateException("on purpose");
            };
        }
    }

    private static final String NO_WEB = "--spring.main.web-application-type=none";

    @BeforeEach
    void forget() {
        SERVED.clear();
    }

    @Test
    void withoutACommandItServesWithTheSettingsGiven() {
        assertThat(TuttiCommand.execute(Service.class, NO_WEB)).isZero();
        assertThat(SERVED).containsExactly(List.of(NO_WEB));
    }

    @Test
    void serveIsTheSame() {
        assertThat(TuttiCommand.execute(Service.class, "serve", NO_WEB)).isZero();
        assertThat(SERVED).containsExactly(List.of(NO_WEB));
    }

    @Test
    void aServiceThatCannotStartEndsWithOne() {
        assertThat(TuttiCommand.execute(BrokenService.class, NO_WEB)).isEqualTo(1);
    }

    @Test
    void anUnknownCommandEndsWithTwoAndServesNothing() {
        assertThat(TuttiCommand.execute(Service.class, "srve", NO_WEB)).isEqualTo(2);
        assertThat(SERVED).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "replay", "replay openb", "experiment", "experiment openb", "experiment gangs"})
    void everyCommandHasHelp(String command) {
        String[] words = (command + " --help").split(" ");
        assertThat(TuttiCommand.execute(Service.class, words)).isZero();
        assertThat(SERVED).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--nodes gone.csv --pods pom.xml",
                "--nodes nodes=1,gpus=1 --pods gone.csv",
                "--nodes nodes=1,gpus=1 --pods pom.xml --until -1",
                "--nodes nodes=1,gpus=1 --pods pom.xml --first 0",
                "--nodes nodes=1,gpus=1 --pods pom.xml --batch x"
            })
    void aReplayOfNothingEndsWithTwoAndServesNothing(String options) {
        String[] words = ("replay openb " + options).split(" ");
        assertThat(TuttiCommand.execute(Service.class, words)).isEqualTo(2);
        assertThat(SERVED).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "serve ", "replay ", "replay openb ", "experiment ", "experiment openb "})
    void everyCommandSaysItsVersionAndServesNothing(String command) {
        Typed typed = Typed.command((command + "--version").split(" "));
        assertThat(typed.exitCode()).isZero();
        assertThat(typed.text()).matches("tutti \\S.*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--tutti.polciy=best-fit", "--tutti.cluster.uri=x", "--tutti.api-key.x=y", "--tutti.no"})
    void aSettingThatDoesNotExistEndsTheStart(String setting) {
        assertThat(TuttiCommand.execute(Service.class, NO_WEB, setting)).isEqualTo(1);
        assertThat(SERVED).isEmpty();
    }

    @Test
    void helpServesNothing() {
        assertThat(TuttiCommand.execute(Service.class, "--help")).isZero();
        assertThat(SERVED).isEmpty();
    }
}
