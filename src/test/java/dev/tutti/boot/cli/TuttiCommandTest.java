package dev.tutti.boot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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

    @Test
    void helpServesNothing() {
        assertThat(TuttiCommand.execute(Service.class, "--help")).isZero();
        assertThat(SERVED).isEmpty();
    }
}
