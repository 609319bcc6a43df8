package dev.tutti.boot.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.springframework.util.FileSystemUtils;

/**
 * The files of one database and the server over them. Durable: what was committed is on the disk before the answer, and
 * a server that was killed recovers when it starts again. Reached on loopback with a password only this user can read.
 */
final class PostgresCluster {

    /** The superuser; the service is the only client. */
    static final String USER = "tutti";

    private static final Duration INIT = Duration.ofSeconds(120);
    // A recovery after a kill reads at most what was written since the last checkpoint.
    private static final Duration START = Duration.ofSeconds(300);
    private static final Duration STOP = Duration.ofSeconds(30);
    private static final int START_ATTEMPTS = 3;
    private static final long LOG_LIMIT_BYTES = 10_000_000;

    private static final Map<String, String> SETTINGS = Map.of(
            "listen_addresses", "127.0.0.1",
            "unix_socket_directories", "",
            "fsync", "on",
            "synchronous_commit", "on",
            "full_page_writes", "on",
            "max_connections", "100",
            "timezone", "UTC",
            "log_timezone", "UTC",
            // Errors of statements reach their caller; here only what concerns the server itself.
            "log_min_messages", "log",
            "log_checkpoints", "off");

    private final Path home;
    private final Path data;
    private final Path passwordFile;
    private final PostgresPrograms programs;

    PostgresCluster(Path home, PostgresPrograms programs) {
        this.home = home;
        this.data = home.resolve("cluster");
        this.passwordFile = home.resolve("password");
        this.programs = programs;
    }

    Path data() {
        return data;
    }

    String password() throws IOException {
        return Files.readString(passwordFile).strip();
    }

    /** Whether there are no files yet. */
    boolean isMissing() {
        return !Files.isDirectory(data);
    }

    /** Makes the files at the first start. A kill in between leaves only a folder that the next start throws away. */
    void createIfMissing() throws IOException {
        if (!isMissing()) {
            return;
        }
        Files.writeString(passwordFile, newPassword() + "\n");
        passwordFile.toFile().setReadable(false, false);
        passwordFile.toFile().setReadable(true, true);
        Path beside = home.resolve("creating");
        FileSystemUtils.deleteRecursively(beside);
        programs.run(
                "initdb",
                INIT,
                List.of(
                        "--pgdata=" + beside,
                        "--username=" + USER,
                        "--pwfile=" + passwordFile,
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        // By code point on every system, and letters of all scripts have their case.
                        "--locale=C",
                        "--locale-provider=builtin",
                        "--builtin-locale=C.UTF-8"));
        Files.move(beside, data, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Starts the server and waits until it answers; returns its port. */
    int start() throws IOException {
        Path log = home.resolve("server.log");
        if (Files.exists(log) && Files.size(log) > LOG_LIMIT_BYTES) {
            Files.move(log, home.resolve("server.log.old"), StandardCopyOption.REPLACE_EXISTING);
        }
        IOException last = new IOException("not tried");
        for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
            // Somebody else may take the port between looking and listening.
            int port = freePort();
            try {
                programs.run("pg_ctl", START, arguments(log, port));
                return port;
            } catch (IOException e) {
                last = e;
            }
        }
        throw new IOException(last.getMessage() + " See " + log + ".", last);
    }

    /** Ends all sessions, writes everything and stops. */
    void stop() throws IOException {
        String seconds = Long.toString(STOP.toSeconds());
        programs.run(
                "pg_ctl",
                STOP.plusSeconds(5),
                List.of("stop", "-D", data.toString(), "-m", "fast", "-w", "-t", seconds));
    }

    private List<String> arguments(Path log, int port) {
        StringBuilder options = new StringBuilder("-p ").append(port);
        SETTINGS.forEach(
                (name, value) -> options.append(" -c ").append(name).append('=').append(value));
        return new ArrayList<>(List.of(
                "start",
                "-D",
                data.toString(),
                "-l",
                log.toString(),
                "-o",
                options.toString(),
                "-w",
                "-s",
                "-t",
                Long.toString(START.toSeconds())));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    private static String newPassword() {
        byte[] bits = new byte[32];
        new SecureRandom().nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }
}
