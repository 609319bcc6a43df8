package dev.tutti.boot.postgres;

import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs PostgreSQL's own programs, each with a time limit, and tells what they said when they failed. */
final class PostgresPrograms {

    private final Path home;
    private final Path output;

    /**
     * @param home the unpacked programs
     * @param output a file for what they print; overwritten by each run
     */
    PostgresPrograms(Path home, Path output) {
        this.home = home;
        this.output = output;
    }

    /** Where a running server of ours has its program. */
    Path folder() {
        return home.resolve("bin");
    }

    void run(String program, Duration limit, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        // PostgreSQL refuses to run as root. In a user namespace of its own root is nobody, and owns its files still.
        if (LinuxUtils.isUnshareAvailable()) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(folder().resolve(program).toString());
        command.addAll(arguments);
        // To a file, not a pipe: the server inherits it and lives on after the program has ended.
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new IOException(program + " took more than " + limit.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
            throw new IOException("interrupted while " + program + " ran", e);
        }
        if (process.exitValue() != 0) {
            throw new IOException(program + " said: " + Files.readString(output).strip());
        }
    }
}
