package dev.tutti.testkit.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/** Starts a PostgreSQL of this process: fast, not durable, gone when the process ends. */
final class EmbeddedServer {

    private EmbeddedServer() {}

    static PostgresServer start() {
        // Beside the unpacked binaries, where a later run finds and removes what a killed run left behind.
        Path data = Path.of(
                System.getProperty("java.io.tmpdir"),
                "embedded-pg",
                UUID.randomUUID().toString());
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setPGStartupWait(Duration.ofSeconds(60))
                    .setLocaleConfig("locale-provider", "builtin")
                    .setLocaleConfig("locale", "C")
                    .setLocaleConfig("builtin-locale", "C.UTF-8")
                    .setServerConfig("listen_addresses", "127.0.0.1")
                    .setServerConfig("unix_socket_directories", "")
                    .setServerConfig("full_page_writes", "off")
                    .setServerConfig("max_wal_size", "2GB")
                    .setServerConfig("checkpoint_timeout", "30min")
                    .start();
            return new PostgresServer("embedded PostgreSQL", "127.0.0.1", postgres.getPort(), "postgres", "postgres");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
