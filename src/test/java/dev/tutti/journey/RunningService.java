package dev.tutti.journey;

import dev.tutti.Tutti;
import dev.tutti.testkit.postgres.TestDatabase;
import dev.tutti.testkit.postgres.TestPostgres;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole application in this JVM, on a database of its own and a port of its own. */
final class RunningService implements AutoCloseable {

    private final TestDatabase database;
    private final ConfigurableApplicationContext context;

    RunningService(Path data, String... settings) {
        database = TestPostgres.freshDatabase();
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--management.server.port=0",
                "--tutti.welcome=false",
                "--tutti.data-dir=" + data,
                "--spring.datasource.url=" + database.jdbcUrl(),
                "--spring.datasource.username=" + database.user(),
                "--spring.datasource.password=" + database.password()));
        arguments.addAll(List.of(settings));
        context = SpringApplication.run(Tutti.class, arguments.toArray(String[]::new));
    }

    String base() {
        return "http://localhost:" + context.getEnvironment().getRequiredProperty("local.server.port");
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    TestDatabase database() {
        return database;
    }

    @Override
    public void close() {
        context.close();
        database.close();
    }
}
