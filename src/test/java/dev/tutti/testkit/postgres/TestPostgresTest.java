package dev.tutti.testkit.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;

class TestPostgresTest {

    @Test
    void twoFreshDatabasesShareNothing() {
        try (TestDatabase one = TestPostgres.freshDatabase();
                TestDatabase other = TestPostgres.freshDatabase()) {
            one.jdbcClient().sql("CREATE TABLE only_here (id int)").update();

            assertThat(tables(one, "only_here")).isEqualTo(1);
            assertThat(tables(other, "only_here")).isZero();
        }
    }

    @Test
    void aFreshDatabaseIsMigratedAndAnEmptyOneIsNot() {
        try (TestDatabase fresh = TestPostgres.freshDatabase();
                TestDatabase empty = TestPostgres.emptyDatabase()) {
            assertThat(tables(fresh, "flyway_schema_history")).isEqualTo(1);
            assertThat(tables(empty, "flyway_schema_history")).isZero();
        }
    }

    @Test
    void itsConnectionsHaveTheTimeLimitsOfTheService() {
        try (TestDatabase database = TestPostgres.freshDatabase()) {
            for (String limit : List.of("transaction_timeout", "idle_in_transaction_session_timeout")) {
                assertThat(database.jdbcClient()
                                .sql("SHOW " + limit)
                                .query(String.class)
                                .single())
                        .as(limit)
                        .isEqualTo("5s");
            }
            assertThatThrownBy(() -> database.jdbcClient()
                            .sql("SELECT pg_sleep(30)")
                            .query()
                            .singleRow())
                    .isInstanceOf(DataAccessException.class)
                    .hasMessageContaining("statement timeout");
        }
    }

    @Test
    void itIsAnEighteenWithUtf8() {
        try (TestDatabase database = TestPostgres.freshDatabase()) {
            assertThat(database.jdbcClient()
                            .sql("SHOW server_version_num")
                            .query(Integer.class)
                            .single())
                    .isBetween(180_000, 189_999);
            assertThat(database.jdbcClient()
                            .sql("SHOW server_encoding")
                            .query(String.class)
                            .single())
                    .isEqualTo("UTF8");
        }
    }

    private static int tables(TestDatabase database, String name) {
        return database.jdbcClient()
                .sql("SELECT count(*)::int FROM pg_tables WHERE schemaname = 'public' AND tablename = ?")
                .param(name)
                .query(Integer.class)
                .single();
    }
}
