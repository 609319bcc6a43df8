package dev.tutti.testkit.postgres;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** Starts PostgreSQL in a container where a Docker engine answers. */
final class ContainerServer {

    private static final String IMAGE = "postgres:18";

    private ContainerServer() {}

    /** Empty where no engine answers or the image cannot be had; the reason is printed. */
    static Optional<PostgresServer> tryStart() {
        boolean hint = System.getenv("DOCKER_HOST") != null || Files.exists(Path.of("/var/run/docker.sock"));
        if (!hint || !DockerClientFactory.instance().isDockerAvailable()) {
            return Optional.empty();
        }
        // Stopped by Testcontainers' own reaper when this process ends.
        @SuppressWarnings("resource")
        PostgreSQLContainer container = new PostgreSQLContainer(IMAGE)
                .withCommand(
                        "postgres",
                        "-c",
                        "fsync=off",
                        "-c",
                        "synchronous_commit=off",
                        "-c",
                        "full_page_writes=off",
                        "-c",
                        "max_connections=300");
        try {
            container.start();
        } catch (RuntimeException e) {
            TestPostgres.say("Docker answers, but " + IMAGE + " does not start: " + e.getMessage());
            return Optional.empty();
        }
        return Optional.of(new PostgresServer(
                "Testcontainers " + IMAGE,
                container.getHost(),
                container.getMappedPort(5432),
                container.getUsername(),
                container.getPassword()));
    }
}
