package dev.tutti.boot.postgres;

import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;

/**
 * Gives a service its own database unless one is named: a URL, or connection details that somebody else brings, win. The
 * data folder is opened, and so locked, only for those that need it.
 */
@AutoConfiguration(before = DataSourceAutoConfiguration.class)
public final class EmbeddedPostgresAutoConfiguration {

    /** Closed after everything in it, because those that lie in it ask for it. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    DataFolder dataFolder(@Value("${tutti.data-dir}") String path) {
        return DataFolder.open(Path.of(path));
    }

    @Bean
    @ConditionalOnMissingBean(JdbcConnectionDetails.class)
    @Conditional(NoUrlGiven.class)
    EmbeddedDatabase embeddedDatabase(DataFolder folder) {
        return EmbeddedDatabase.start(folder);
    }

    static final class NoUrlGiven extends NoneNestedConditions {

        NoUrlGiven() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("spring.datasource.url")
        static final class UrlGiven {}
    }
}
