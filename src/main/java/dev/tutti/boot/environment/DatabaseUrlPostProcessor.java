package dev.tutti.boot.environment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.StringUtils;

/**
 * Turns {@code TUTTI_DATABASE_URL} (with {@code TUTTI_DATABASE_USER} and {@code TUTTI_DATABASE_PASSWORD} beside it, if
 * wished) into the settings of the data source. Settings of the data source that are given themselves win.
 */
public final class DatabaseUrlPostProcessor implements EnvironmentPostProcessor {

    private static final String URL = "TUTTI_DATABASE_URL";
    private static final String USER = "TUTTI_DATABASE_USER";
    private static final String PASSWORD = "TUTTI_DATABASE_PASSWORD";

    /** What it reads; each stands for a setting of the data source and is none of Tutti's. */
    static final List<String> VARIABLES = List.of(URL, USER, PASSWORD);

    private static final String SOURCE = "tuttiDatabaseUrl";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        String text = environment.getProperty(URL);
        if (!StringUtils.hasText(text) || StringUtils.hasText(environment.getProperty("spring.datasource.url"))) {
            return;
        }
        // The text may hold a password, so the message does not repeat it.
        DatabaseUrl url = DatabaseUrl.parse(text)
                .orElseThrow(
                        () -> new FailureAnalyzedException(
                                "TUTTI_DATABASE_URL is not the address of a PostgreSQL database.",
                                "Write postgresql://user:password@host:5432/database or jdbc:postgresql://host:5432/database."));
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("spring.datasource.url", url.jdbcUrl());
        put(settings, "spring.datasource.username", environment.getProperty(USER), url.user());
        put(settings, "spring.datasource.password", environment.getProperty(PASSWORD), url.password());
        environment.getPropertySources().addLast(new MapPropertySource(SOURCE, settings));
    }

    private static void put(
            Map<String, Object> settings, String name, @Nullable String given, @Nullable String fromUrl) {
        String value = given != null ? given : fromUrl;
        if (value != null) {
            settings.put(name, value);
        }
    }
}
