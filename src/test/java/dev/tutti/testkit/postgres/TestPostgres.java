package dev.tutti.testkit.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;

/**
 * Real PostgreSQL for tests: Testcontainers if a Docker engine answers, else an embedded server; one for each test
 * process, started at first use and gone with the process. {@code -Dtutti.test.postgres=embedded} leaves Docker alone.
 *
 * <p>{@link #freshDatabase()} gives a database of one's own with all migrations applied, copied from a template in
 * some tens of milliseconds. Nothing is shared between two of them but the server.
 */
public final class TestPostgres {

    private static final String TEMPLATE = "tutti_template";
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private TestPostgres() {}

    /** A new database with every migration applied. */
    public static TestDatabase freshDatabase() {
        PostgresServer server = Holder.SERVER;
        Template.ensure(server);
        return create(server, " TEMPLATE " + TEMPLATE);
    }

    /** A new database without any table, for tests of the migrations themselves. */
    public static TestDatabase emptyDatabase() {
        return create(Holder.SERVER, "");
    }

    /** Which server the tests of this process run on, in words. */
    public static String serverName() {
        return Holder.SERVER.name();
    }

    private static TestDatabase create(PostgresServer server, String options) {
        String name = "test_" + DATABASES.incrementAndGet();
        execute(server, "CREATE DATABASE " + name + options);
        return new TestDatabase(server.url(name), server.user(), server.password());
    }

    private static void execute(PostgresServer server, String sql) {
        try (Connection connection =
                        DriverManager.getConnection(server.url("postgres"), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + " on " + server.name() + ": " + e.getMessage(), e);
        }
    }

    @SuppressWarnings("SystemOut")
    static void say(String line) {
        System.out.println("=== tests: " + line);
    }

    private static final class Holder {
        static final PostgresServer SERVER = start();

        private static PostgresServer start() {
            boolean container = !"embedded".equals(System.getProperty("tutti.test.postgres"));
            PostgresServer server = (container
                            ? ContainerServer.tryStart()
                            : java.util.Optional.<PostgresServer>empty())
                    .orElseGet(EmbeddedServer::start);
            say("PostgreSQL is " + server.name() + " on port " + server.port());
            return server;
        }
    }

    private static final class Template {
        private static boolean ready;

        static synchronized void ensure(PostgresServer server) {
            if (ready) {
                return;
            }
            execute(server, "CREATE DATABASE " + TEMPLATE);
            Flyway.configure()
                    .dataSource(server.url(TEMPLATE), server.user(), server.password())
                    .locations("classpath:db/migration")
                    .load()
                    .migrate();
            ready = true;
        }
    }
}
