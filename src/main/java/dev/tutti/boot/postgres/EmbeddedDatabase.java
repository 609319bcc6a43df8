package dev.tutti.boot.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/**
 * The running database of this service and how to reach it. Starting it stops an orphan of a killed predecessor first;
 * closing it stops the server. Whether a service should have one is decided by the auto-configuration.
 */
public final class EmbeddedDatabase implements JdbcConnectionDetails, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);
    private static final String DATABASE = "tutti";

    /** Homes of the databases that this process has started, or begun to start, and not yet stopped. */
    private static final Set<Path> HOMES = ConcurrentHashMap.newKeySet();

    private final Path home;
    private final PostgresCluster cluster;
    private final int port;
    private final String password;

    private EmbeddedDatabase(Path home, PostgresCluster cluster, int port, String password) {
        this.home = home;
        this.cluster = cluster;
        this.port = port;
        this.password = password;
    }

    /**
     * Starts the database in a locked data folder.
     *
     * @throws FailureAnalyzedException when it does not start, with the reason in one sentence
     */
    public static EmbeddedDatabase start(DataFolder folder) {
        long began = System.nanoTime();
        Path home = folder.folder("postgres");
        HOMES.add(home);
        try {
            Path programsFolder = Files.createDirectories(home.resolve("programs"));
            PostgresPrograms programs =
                    new PostgresPrograms(PostgresBinaries.unpack(programsFolder), home.resolve("output.log"));
            PostgresCluster cluster = new PostgresCluster(home, programs);
            new PostgresOrphans(programsFolder, cluster.data()).stop();
            if (cluster.isMissing()) {
                LOG.info("Making a PostgreSQL in {}, once; this takes some seconds", home);
            }
            cluster.createIfMissing();
            String password = cluster.password();
            EmbeddedDatabase database = new EmbeddedDatabase(home, cluster, cluster.start(), password);
            database.createDatabaseIfMissing();
            LOG.info(
                    "No database was given: PostgreSQL of the data folder {} runs on port {} (started in {} ms)",
                    folder.path(),
                    database.port,
                    (System.nanoTime() - began) / 1_000_000);
            return database;
        } catch (IOException | SQLException | RuntimeException e) {
            throw new FailureAnalyzedException(
                    "The database in " + home + " does not start: " + e.getMessage(),
                    "Free what is in its way, or give a PostgreSQL of your own by TUTTI_DATABASE_URL.",
                    e);
        }
    }

    /**
     * Stops within about two seconds all that this process has started, also in the middle of a start. For a process that
     * a signal ends.
     */
    public static void stopAllNow() {
        HOMES.forEach(home -> new PostgresOrphans(home.resolve("programs"), home.resolve("cluster")).stopNow());
    }

    @Override
    public String getJdbcUrl() {
        return url(DATABASE);
    }

    @Override
    public String getUsername() {
        return PostgresCluster.USER;
    }

    @Override
    public String getPassword() {
        return password;
    }

    @Override
    public void close() {
        try {
            cluster.stop();
            HOMES.remove(home);
        } catch (IOException e) {
            // What was committed is safe: the next start finds the server or its files and goes on from there.
            LOG.warn("The database did not stop in time: {}", e.getMessage());
        }
    }

    private void createDatabaseIfMissing() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url("postgres"), PostgresCluster.USER, password);
                Statement statement = connection.createStatement();
                ResultSet found =
                        statement.executeQuery("SELECT 1 FROM pg_database WHERE datname = '" + DATABASE + "'")) {
            if (!found.next()) {
                statement.execute("CREATE DATABASE " + DATABASE);
            }
        }
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }
}
