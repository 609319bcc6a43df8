package dev.tutti.testkit.envtest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One server program that cannot outlive this JVM, however the JVM ends. A small shell stands between the two and reads
 * a pipe that only the JVM holds open: when the pipe closes, by {@link #close} or by a kill -9 of the JVM, the shell
 * kills the program. Its output goes to a log file beside its data.
 */
final class ServerProcess implements AutoCloseable {

    private static final String GUARD = """
            exec 3<&0
            "$@" </dev/null 3<&- &
            server=$!
            ( read -r _ <&3; kill -KILL $server ) </dev/null >/dev/null 2>&1 &
            watcher=$!
            exec 3<&-
            wait $server
            code=$?
            kill $watcher 2>/dev/null
            wait $watcher 2>/dev/null
            exit $code
            """;

    private static final int STOP_SECONDS = 10;
    private static final int LOG_TAIL_LINES = 30;

    private final String name;
    private final Process process;
    private final Path log;

    private ServerProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /** Starts a program; {@code command} is its path and arguments. */
    static ServerProcess start(String name, Path folder, List<String> command) throws IOException {
        Path log = folder.resolve(name + ".log");
        List<String> guarded = new ArrayList<>(List.of("/bin/sh", "-c", GUARD, name));
        guarded.addAll(command);
        Process process = new ProcessBuilder(guarded)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new ServerProcess(name, process, log);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The shell and the program, for tests that ask whether they are gone. */
    List<ProcessHandle> handles() {
        List<ProcessHandle> handles = new ArrayList<>(process.descendants().toList());
        handles.add(process.toHandle());
        return handles;
    }

    /** The end of the log, with a line that says whether the program still runs. */
    String report() {
        String state = process.isAlive() ? "runs" : "ended with " + process.exitValue();
        return name + " " + state + ", last lines of its log:\n" + logTail();
    }

    private String logTail() {
        try {
            List<String> lines =
                    Files.readString(log, StandardCharsets.UTF_8).lines().toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    @Override
    public void close() {
        List<ProcessHandle> all = handles();
        try {
            process.getOutputStream().close();
            if (process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (IOException e) {
            // The pipe was closed already: the shell is on its way out, and what is left is killed below.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
    }
}
