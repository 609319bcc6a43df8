package dev.tutti.testkit.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A JVM of its own with this test's class path, whose output is kept and which can be killed without warning. */
public final class JavaProcess implements AutoCloseable {

    private final Process process;
    private final List<String> lines = new ArrayList<>();

    private JavaProcess(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "output of process " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts the main class with 512 MiB of heap; {@code TUTTI_*} variables of this process are not handed on. */
    public static JavaProcess start(Class<?> main, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("TUTTI_") || name.startsWith("SPRING_"));
        builder.environment().putAll(environment);
        try {
            return new JavaProcess(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first line that contains the text; fails with the whole output when none comes in time. */
    public String awaitLine(String text, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            boolean ended = !process.isAlive();
            Optional<String> found =
                    output().lines().filter(line -> line.contains(text)).findFirst();
            if (found.isPresent()) {
                return found.get();
            }
            if (ended || System.nanoTime() - end > 0) {
                throw new AssertionError("no line with '" + text + "' in:\n" + output());
            }
            pause(50);
        }
    }

    /** Waits for its end; fails when it does not come. */
    public int awaitExit(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("still running after " + limit + ":\n" + output());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        return process.exitValue();
    }

    public String output() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** As kill -9 does: no hook runs. */
    public void kill() {
        process.destroyForcibly();
        awaitExit(Duration.ofSeconds(20));
    }

    /** Asks it to end, by the signal TERM; does not wait. What it says after that is still read. */
    public void terminate() {
        process.toHandle().destroy();
    }

    /** Asks it to end and waits; kills it when it does not. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(40, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                }
            }
        } catch (IOException closed) {
            synchronized (lines) {
                lines.add("(output ended: " + closed.getMessage() + ")");
            }
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
