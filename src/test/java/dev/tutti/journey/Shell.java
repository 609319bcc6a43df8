package dev.tutti.journey;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One shell in which lines are typed one after the other, as a person does; variables live from line to line. */
final class Shell implements AutoCloseable {

    private static final long SECONDS = 60;

    private final Path state;
    private final Map<String, String> environment;

    /** @param environment variables that the person has set */
    Shell(Map<String, String> environment) throws IOException {
        this.state = Files.createTempFile("tutti-shell-", ".sh");
        this.environment = environment;
    }

    /** Runs the line and returns what it printed; fails when the line does. */
    String type(String line) throws IOException, InterruptedException {
        String script = ". '" + state + "'; " + line + "\ncode=$?; set | grep '^JOB=' > '" + state + "'; exit $code";
        ProcessBuilder builder = new ProcessBuilder(List.of("bash", "-c", script)).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new AssertionError("'" + line + "' ended with " + process.exitValue() + ": " + output);
        }
        return output;
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(state);
    }
}
