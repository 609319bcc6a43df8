package dev.tutti.boot.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgres;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Which database a service gets, and what its connections are like. */
class DatabaseChoiceTest {

    @TempDir
    static Path data;

    private final ApplicationContextRunner service = new ApplicationContextRunner()
            .withInitializer(new ConfigDataApplicationContextInitializer())
            .withPropertyValues("tutti.data-dir=" + data)
            .withConfiguration(AutoConfigurations.of(
                    EmbeddedPostgresAutoConfiguration.class,
                    MigrationConnectionAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    FlywayAutoConfiguration.class));

    @Test
    void withoutAnyItStartsItsOwnAndMigratesIt() {
        service.run(context -> {
            assertThat(context).hasSingleBean(EmbeddedDatabase.class);
            assertThat(tables(context.getBean(DataSource.class))).isPositive();
        });
    }

    @Test
    void aUrlWinsAndTheDataFolderStaysUntouched() {
        try (TestDatabase database = TestPostgres.freshDatabase()) {
            service.withPropertyValues(
                            "spring.datasource.url=" + database.jdbcUrl(),
                            "spring.datasource.username=" + database.user(),
                            "spring.datasource.password=" + database.password(),
                            "tutti.data-dir=" + data.resolve("untouched"))
                    .run(context -> {
                        assertThat(context).doesNotHaveBean(EmbeddedDatabase.class);
                        assertThat(tables(context.getBean(DataSource.class))).isPositive();
                        assertThat(data.resolve("untouched")).doesNotExist();
                    });
        }
    }

    @Test
    void connectionDetailsOfSomebodyElseWin() {
        try (TestDatabase database = TestPostgres.freshDatabase()) {
            service.withBean(JdbcConnectionDetails.class, () -> details(database))
                    .run(context -> assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(JdbcConnectionDetails.class)
                            .doesNotHaveBean(EmbeddedDatabase.class));
        }
    }

    @Test
    void migrationsUseAConnectionOfTheirOwnAndLeaveThePoolsLimitsAlone() {
        try (TestDatabase database = TestPostgres.freshDatabase()) {
            service.withBean(JdbcConnectionDetails.class, () -> details(database))
                    .withPropertyValues("spring.datasource.hikari.maximum-pool-size=1")
                    .run(context -> {
                        DataSource pool = context.getBean(DataSource.class);
                        JdbcClient client = JdbcClient.create(pool);

                        assertThat(context.getBean(Flyway.class)
                                        .getConfiguration()
                                        .getDataSource())
                                .isNotSameAs(pool);
                        assertThat(client.sql("SHOW statement_timeout")
                                        .query(String.class)
                                        .single())
                                .isEqualTo("4s");
                        assertThat(client.sql("SHOW lock_timeout")
                                        .query(String.class)
                                        .single())
                                .isEqualTo("3s");
                    });
        }
    }

    private static JdbcConnectionDetails details(TestDatabase database) {
        return new JdbcConnectionDetails() {
            @Override
            public String getJdbcUrl() {
                return database.jdbcUrl();
            }

            @Override
            public String getUsername() {
                return database.user();
            }

            @Override
            public String getPassword() {
                return database.password();
            }
        };
    }

    private static int tables(DataSource dataSource) {
        return JdbcClient.create(dataSource)
                .sql("SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public'")
                .query(Integer.class)
                .single();
    }
}
