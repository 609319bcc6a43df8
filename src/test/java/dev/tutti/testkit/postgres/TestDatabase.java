package dev.tutti.testkit.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.Properties;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * One database of a test, reached with the connection settings of the service itself (time limits, batched inserts),
 * so a test meets the limits that production meets.
 */
public final class TestDatabase implements AutoCloseable {

    private static final String PREFIX = "spring.datasource.hikari.data-source-properties.";

    private final String jdbcUrl;
    private final String user;
    private final String password;
    private HikariDataSource pool;

    TestDatabase(String jdbcUrl, String user, String password) {
        this.jdbcUrl = jdbcUrl;
        this.user = user;
        this.password = password;
    }

    public String jdbcUrl() {
        return jdbcUrl;
    }

    public String user() {
        return user;
    }

    public String password() {
        return password;
    }

    /** The pool of this database, opened at first use: at most 16 connections, 10 s to wait for one. */
    public synchronized DataSource dataSource() {
        if (pool == null) {
            pool = newPool(16);
        }
        return pool;
    }

    /** One more pool of its own, as a second replica of the service would have; the caller closes it. */
    public HikariDataSource newPool(int maximumConnections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(maximumConnections);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(10_000);
        config.setDataSourceProperties(serviceSettings());
        return new HikariDataSource(config);
    }

    public JdbcClient jdbcClient() {
        return JdbcClient.create(dataSource());
    }

    @Override
    public synchronized void close() {
        if (pool != null) {
            pool.close();
            pool = null;
        }
    }

    private static Properties serviceSettings() {
        YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
        yaml.setResources(new ClassPathResource("application.yaml"));
        Properties settings = new Properties();
        yaml.getObject().forEach((key, value) -> {
            if (key.toString().startsWith(PREFIX)) {
                settings.setProperty(key.toString().substring(PREFIX.length()), value.toString());
            }
        });
        return settings;
    }
}
