package dev.tutti.boot.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.testkit.process.JavaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, really killed: nothing that was acknowledged is lost, and nobody else's process is touched. */
class EmbeddedDatabaseKillTest {

    private static final Duration START = Duration.ofSeconds(90);

    @TempDir
    static Path folder;

    @Test
    void aKilledServiceLosesNothingAndItsOrphanIsStopped() throws Exception {
        TreeSet<Integer> acknowledged;
        long orphan;
        try (JavaProcess first = start()) {
            acknowledged = writeUntilKilled("killed_service", ready(first), first::kill);
            orphan = postmaster();
            assertThat(isAlive(orphan))
                    .as("the server outlives its killed service")
                    .isTrue();
        }

        try (JavaProcess second = start()) {
            assertThat(rows("killed_service", ready(second))).containsAll(acknowledged);
            assertThat(isAlive(orphan)).as("the orphan").isFalse();
        }
    }

    @Test
    void whatWasAcknowledgedSurvivesTheKillOfServiceAndServerInTheMiddle() throws Exception {
        TreeSet<Integer> acknowledged;
        try (JavaProcess first = start()) {
            acknowledged = writeUntilKilled("killed_server", ready(first), () -> {
                first.kill();
                ProcessHandle.of(postmaster()).ifPresent(ProcessHandle::destroyForcibly);
            });
        }

        try (JavaProcess second = start()) {
            assertThat(rows("killed_server", ready(second))).containsAll(acknowledged);
        }
    }

    @Test
    void aSecondServiceOnTheSameFolderIsRefusedAndTheFirstGoesOn() throws Exception {
        try (JavaProcess first = start()) {
            Address database = ready(first);

            JavaProcess second = start();

            assertThat(second.awaitLine("REFUSED", START))
                    .contains("Another Tutti service (process " + first.pid() + ")")
                    .contains(folder.toRealPath() + ".");
            assertThat(second.awaitExit(START)).isEqualTo(1);
            try (Connection connection = database.open();
                    Statement statement = connection.createStatement()) {
                assertThat(statement.execute("SELECT 1")).isTrue();
            }
        }
    }

    @Test
    void aStoppedServiceLeavesNoServerBehind() throws Exception {
        long server;
        try (JavaProcess service = start()) {
            ready(service);
            server = postmaster();
            assertThat(isAlive(server)).isTrue();
        }

        await().atMost(Duration.ofSeconds(10)).until(() -> !isAlive(server));
        assertThat(folder.resolve("postgres/cluster/postmaster.pid")).doesNotExist();
    }

    /** Inserts single rows, each committed; kills after 300 and goes on until the connection breaks or 600 are in. */
    private static TreeSet<Integer> writeUntilKilled(String table, Address database, Runnable kill)
            throws SQLException {
        TreeSet<Integer> acknowledged = new TreeSet<>();
        try (Connection connection = database.open();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + table + " (id int PRIMARY KEY)");
            PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table + " VALUES (?)");
            Thread killer = new Thread(kill);
            for (int id = 0; id < 600; id++) {
                if (id == 300) {
                    killer.start();
                }
                insert.setInt(1, id);
                insert.executeUpdate();
                acknowledged.add(id);
            }
            killer.join();
        } catch (SQLException brokenByTheKill) {
            assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(300);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return acknowledged;
    }

    private static TreeSet<Integer> rows(String table, Address database) throws SQLException {
        TreeSet<Integer> rows = new TreeSet<>();
        try (Connection connection = database.open();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT id FROM " + table)) {
            while (result.next()) {
                rows.add(result.getInt(1));
            }
        }
        return rows;
    }

    private static JavaProcess start() {
        return JavaProcess.start(DatabaseProcess.class, Map.of(), folder.toString());
    }

    private static Address ready(JavaProcess process) {
        String[] words = process.awaitLine("READY ", START).split(" ");
        return new Address(words[1], words[2]);
    }

    private static long postmaster() {
        try {
            return Long.parseLong(Files.readAllLines(folder.resolve("postgres/cluster/postmaster.pid"))
                    .get(0)
                    .strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private record Address(String url, String password) {
        Connection open() throws SQLException {
            return DriverManager.getConnection(url, PostgresCluster.USER, password);
        }
    }
}
