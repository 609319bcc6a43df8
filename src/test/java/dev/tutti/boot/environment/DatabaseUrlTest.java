package dev.tutti.boot.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class DatabaseUrlTest {

    @ParameterizedTest
    @CsvSource({
        "postgresql://u:p@h/db, jdbc:postgresql://h/db, u, p",
        "postgres://u:p@h:6543/db?sslmode=require, jdbc:postgresql://h:6543/db?sslmode=require, u, p",
        "postgresql://u%40x:p%3A%2F+1@h/db, jdbc:postgresql://h/db, u@x, p:/+1",
        "postgresql://u:p@ss@h/db, jdbc:postgresql://h/db, u, p@ss",
        "postgresql://u@h/db, jdbc:postgresql://h/db, u,",
        "postgresql://h/db, jdbc:postgresql://h/db, ,",
        "'  postgresql://h/db ', jdbc:postgresql://h/db, ,",
        "'postgresql://u:p@[::1]:5432/db', 'jdbc:postgresql://[::1]:5432/db', u, p",
        "'postgresql://u:p@h1:1,h2:2/db', 'jdbc:postgresql://h1:1,h2:2/db', u, p",
        "jdbc:postgresql://h/db?user=u, jdbc:postgresql://h/db?user=u, ,",
    })
    void bothFormsAreRead(String text, String jdbcUrl, String user, String password) {
        assertThat(DatabaseUrl.parse(text)).contains(new DatabaseUrl(jdbcUrl, user, password));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "h/db",
                "mysql://h/db",
                "postgresql://h",
                "postgresql://h/",
                "postgresql:///db",
                "postgresql://u:%zz@h/db"
            })
    void anythingElseIsNoAddress(String text) {
        assertThat(DatabaseUrl.parse(text)).isEmpty();
    }

    @Test
    void userAndPasswordBesideTheUrlWinOverThoseInIt() {
        StandardEnvironment environment = environment(Map.of(
                "TUTTI_DATABASE_URL", "postgresql://u:p@h/db",
                "TUTTI_DATABASE_USER", "other",
                "TUTTI_DATABASE_PASSWORD", "secret"));

        assertThat(environment.getProperty("spring.datasource.url")).isEqualTo("jdbc:postgresql://h/db");
        assertThat(environment.getProperty("spring.datasource.username")).isEqualTo("other");
        assertThat(environment.getProperty("spring.datasource.password")).isEqualTo("secret");
    }

    @Test
    void aDataSourceThatIsGivenItselfWins() {
        StandardEnvironment environment = environment(Map.of(
                "TUTTI_DATABASE_URL", "postgresql://u:p@h/db",
                "spring.datasource.url", "jdbc:postgresql://own/db"));

        assertThat(environment.getProperty("spring.datasource.url")).isEqualTo("jdbc:postgresql://own/db");
        assertThat(environment.getProperty("spring.datasource.username")).isNull();
    }

    @Test
    void aWrongAddressIsRefusedWithoutShowingItsPassword() {
        assertThatThrownBy(() -> environment(Map.of("TUTTI_DATABASE_URL", "mysql://u:secret@h/db")))
                .isInstanceOf(FailureAnalyzedException.class)
                .hasMessageContaining("TUTTI_DATABASE_URL is not the address")
                .hasMessageNotContaining("secret");
    }

    private static StandardEnvironment environment(Map<String, Object> settings) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", settings));
        new DatabaseUrlPostProcessor().postProcessEnvironment(environment, new SpringApplication());
        return environment;
    }
}
