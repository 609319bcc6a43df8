package dev.tutti.boot.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the server that a killed service left running. Only ever called while the data folder's lock is held, so no live
 * service owns it. A process is ours only if its program lies in our folder of programs; anything else that happens to
 * have the number in {@code postmaster.pid} is left alone, and the file is then a leftover.
 */
final class PostgresOrphans {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresOrphans.class);
    private static final Duration FAST = Duration.ofSeconds(20);
    private static final Duration AT_ONCE = Duration.ofMillis(1_500);
    private static final Duration FORCED = Duration.ofSeconds(10);

    private final Path programs;
    private final Path cluster;

    /**
     * @param programs the folder below which our servers' programs lie, whatever their version
     * @param cluster the folder with the data
     */
    PostgresOrphans(Path programs, Path cluster) {
        this.programs = programs;
        this.cluster = cluster;
    }

    void stop() throws IOException {
        Path pidFile = cluster.resolve("postmaster.pid");
        Optional<ProcessHandle> postmaster =
                readPid(pidFile).flatMap(ProcessHandle::of).filter(this::isOurs);
        if (postmaster.isPresent()) {
            ProcessHandle server = postmaster.get();
            LOG.info("Stopping the database (process {}) that a killed service left running", server.pid());
            // INT closes every session and writes everything; QUIT leaves the rest to the recovery at the next start.
            if (!end(server, "INT", FAST) && !end(server, "QUIT", FORCED)) {
                server.destroyForcibly();
            }
        }
        awaitNone();
        Files.deleteIfExists(pidFile);
    }

    /** Stops within about two seconds whatever program of ours runs, half made or whole. What was committed is safe. */
    void stopNow() {
        try {
            Optional<ProcessHandle> postmaster = readPid(cluster.resolve("postmaster.pid"))
                    .flatMap(ProcessHandle::of)
                    .filter(this::isOurs);
            if (postmaster.isPresent()) {
                end(postmaster.get(), "INT", AT_ONCE);
            }
        } catch (IOException unreadable) {
            LOG.debug("there is no server to be asked: {}", unreadable.getMessage());
        }
        ours().forEach(ProcessHandle::destroyForcibly);
    }

    /** Helpers of a server that was killed see it within moments; a new server must not start beside them. */
    private void awaitNone() throws IOException {
        if (!noneWithin(FORCED)) {
            ours().forEach(ProcessHandle::destroyForcibly);
            if (!noneWithin(FORCED)) {
                throw new IOException("processes of the old database do not end: "
                        + ours().map(ProcessHandle::pid).toList());
            }
        }
    }

    private boolean noneWithin(Duration limit) throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        while (ours().findAny().isPresent()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            pause();
        }
        return true;
    }

    private Stream<ProcessHandle> ours() {
        return ProcessHandle.allProcesses().filter(this::isOurs);
    }

    private boolean isOurs(ProcessHandle process) {
        return process.isAlive()
                && process.info()
                        .command()
                        .map(command -> Path.of(command).startsWith(programs))
                        .orElse(false);
    }

    private static boolean end(ProcessHandle process, String signal, Duration limit) throws IOException {
        try {
            // The shell's own kill: there is no way to send INT or QUIT from Java.
            new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
                    .start()
                    .waitFor(5, TimeUnit.SECONDS);
            process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the old database stopped", e);
        } catch (IOException | ExecutionException | TimeoutException noShellOrNoEnd) {
            return false;
        }
    }

    private static Optional<Long> readPid(Path pidFile) throws IOException {
        if (!Files.exists(pidFile)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(pidFile);
        try {
            return lines.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Long.parseLong(lines.get(0).strip()));
        } catch (NumberFormatException torn) {
            return Optional.empty();
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the old database stopped", e);
        }
    }
}
