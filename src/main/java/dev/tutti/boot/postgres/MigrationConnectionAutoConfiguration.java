package dev.tutti.boot.postgres;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Migrations get a connection of their own to the same database. On the pool's connections a long migration would end
 * at the pool's time limits, and what it sets (its lock limit) would stay behind in the pool.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class, before = FlywayAutoConfiguration.class)
public final class MigrationConnectionAutoConfiguration {

    @Bean
    @ConditionalOnBean(JdbcConnectionDetails.class)
    @ConditionalOnMissingBean(FlywayConnectionDetails.class)
    @Conditional(NoUrlGiven.class)
    FlywayConnectionDetails migrationConnection(JdbcConnectionDetails database) {
        return new SameDatabase(database);
    }

    static final class NoUrlGiven extends NoneNestedConditions {

        NoUrlGiven() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("spring.flyway.url")
        static final class UrlGiven {}
    }

    private record SameDatabase(JdbcConnectionDetails database) implements FlywayConnectionDetails {

        @Override
        public String getJdbcUrl() {
            return database.getJdbcUrl();
        }

        @Override
        public @Nullable String getUsername() {
            return database.getUsername();
        }

        @Override
        public @Nullable String getPassword() {
            return database.getPassword();
        }
    }
}
