package dev.tutti.testkit.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

@TestPostgresDatabase
@SpringJUnitConfig(
        classes = TestPostgresDatabaseTest.Database.class,
        initializers = ConfigDataApplicationContextInitializer.class)
class TestPostgresDatabaseTest {

    @ImportAutoConfiguration({DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
    static class Database {}

    @Autowired
    DataSource dataSource;

    @Autowired
    TestDatabase database;

    @Autowired
    Environment environment;

    @Test
    void theContextsDatabaseIsTheFreshOne() {
        JdbcClient.create(dataSource).sql("CREATE TABLE seen_by_both (id int)").update();

        assertThat(database.jdbcClient()
                        .sql("SELECT count(*)::int FROM seen_by_both")
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    @Test
    void theDataFolderIsNotTheUsers() {
        assertThat(environment.getProperty("tutti.data-dir"))
                .isNotBlank()
                .doesNotStartWith(System.getProperty("user.home"));
    }
}
