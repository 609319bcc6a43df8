package dev.tutti.boot.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

class EmbeddedDatabaseTest {

    @TempDir
    static Path parent;

    @Test
    void itIsDurableAndOnLoopbackOnly() throws Exception {
        try (DataFolder folder = open();
                EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
            Map<String, String> wanted = Map.of(
                    "fsync", "on",
                    "synchronous_commit", "on",
                    "full_page_writes", "on",
                    "listen_addresses", "127.0.0.1",
                    "unix_socket_directories", "",
                    "server_encoding", "UTF8",
                    "data_checksums", "on");
            for (Map.Entry<String, String> setting : wanted.entrySet()) {
                assertThat(one(database, "SHOW " + setting.getKey()))
                        .as(setting.getKey())
                        .isEqualTo(setting.getValue());
            }
        }
    }

    @Test
    void onlyItsPasswordOpensItAndOnlyThisUserCanReadThat() throws Exception {
        try (DataFolder folder = open();
                EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
            assertThatThrownBy(() -> DriverManager.getConnection(database.getJdbcUrl(), PostgresCluster.USER, "guess"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password");
            assertThat(Files.getPosixFilePermissions(folder.path().resolve("postgres/password")))
                    .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
            assertThat(Files.getPosixFilePermissions(folder.path().resolve("postgres"))
                            .toString())
                    .doesNotContain("GROUP", "OTHERS");
        }
    }

    @Test
    void itStartsAsRootByItself() throws Exception {
        assumeTrue(new UnixSystem().getUid() == 0, "only root can show this");
        try (DataFolder folder = open();
                EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
            assertThat(one(database, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void leftoversOfAKilledFirstStartDoNotDisturb() throws Exception {
        Path fresh = parent.resolve("fresh");
        for (String leftover : List.of("postgres/creating/base", "postgres/programs/unpacking/bin")) {
            Path folder = Files.createDirectories(fresh.resolve(leftover));
            Files.writeString(folder.resolve("half"), "written");
        }
        Files.writeString(fresh.resolve("postgres/password"), "half");

        try (DataFolder folder = DataFolder.open(fresh);
                EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
            assertThat(one(database, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aForeignProcessWithTheNumberInThePidFileIsLeftAlone() throws Exception {
        Process foreign = new ProcessBuilder("sleep", "120").start();
        try {
            try (DataFolder folder = open();
                    EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
                assertThat(one(database, "SELECT 1")).isEqualTo("1");
            }
            Path pidFile = parent.resolve("data with blank/postgres/cluster/postmaster.pid");
            Files.writeString(pidFile, foreign.pid() + "\n" + pidFile.getParent() + "\n0\n5432\n");

            try (DataFolder folder = open();
                    EmbeddedDatabase database = EmbeddedDatabase.start(folder)) {
                assertThat(one(database, "SELECT 1")).isEqualTo("1");
                assertThat(foreign.isAlive()).isTrue();
            }
        } finally {
            foreign.destroyForcibly();
        }
    }

    @Test
    void aFolderThatIsAlreadyOpenIsRefused() {
        try (DataFolder ignored = open()) {
            assertThatThrownBy(EmbeddedDatabaseTest::open)
                    .isInstanceOf(FailureAnalyzedException.class)
                    .hasMessageContaining("Another Tutti service (process "
                            + ProcessHandle.current().pid() + ")");
        }
    }

    @Test
    void aFolderThatIsAFileOrCannotBeWrittenIsSaidInOneSentence() throws IOException {
        Path file = Files.writeString(parent.resolve("file"), "");

        assertThatThrownBy(() -> DataFolder.open(file))
                .isInstanceOf(FailureAnalyzedException.class)
                .hasMessageContaining("The data folder " + file + " is not a folder.");
        assertThatThrownBy(() -> DataFolder.open(file.resolve("below")))
                .isInstanceOf(FailureAnalyzedException.class)
                .hasMessageContaining("The data folder " + file.resolve("below") + " cannot be written: ");
    }

    @Test
    void damagedFilesAreSaidWithThePlaceToLook() throws Exception {
        Path damaged = parent.resolve("damaged");
        Files.createDirectories(damaged.resolve("postgres/cluster"));
        Files.writeString(damaged.resolve("postgres/password"), "any");
        try (DataFolder folder = DataFolder.open(damaged)) {
            assertThatThrownBy(() -> EmbeddedDatabase.start(folder))
                    .isInstanceOf(FailureAnalyzedException.class)
                    .hasMessageContaining("The database in " + folder.path().resolve("postgres") + " does not start")
                    .hasMessageContaining("is not a database cluster directory");
        }
    }

    private static DataFolder open() {
        return DataFolder.open(parent.resolve("data with blank"));
    }

    private static String one(EmbeddedDatabase database, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        database.getJdbcUrl(), database.getUsername(), database.getPassword());
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }
}
