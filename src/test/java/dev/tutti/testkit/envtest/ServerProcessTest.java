package dev.tutti.testkit.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A started program ends with whoever started it, however that one ends. */
final class ServerProcessTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private Path folder;

    @Test
    void closingStopsTheProgram() throws IOException {
        ServerProcess process = ServerProcess.start("sleeper", folder, List.of("sleep", "600"));
        await().atMost(SOON).until(() -> isSleeping(process.handles()));
        List<ProcessHandle> handles = process.handles();

        process.close();

        assertThat(handles).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void reportsHowTheProgramEndedAndWhatItSaid() throws IOException {
        try (ServerProcess process =
                ServerProcess.start("speaker", folder, List.of("sh", "-c", "echo bad flag >&2; exit 3"))) {
            await().atMost(SOON).until(() -> !process.isAlive());

            assertThat(process.report()).contains("ended with 3").contains("bad flag");
        }
    }

    @Test
    void aKilledJvmLeavesNoProgramBehind() throws IOException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Starter.class.getName(),
                        folder.toString())
                .inheritIO()
                .start();
        await().atMost(SOON).until(() -> isSleeping(jvm.descendants().toList()));
        List<ProcessHandle> orphans = jvm.descendants().toList();

        jvm.destroyForcibly();

        await().atMost(SOON).untilAsserted(() -> assertThat(orphans).noneMatch(ProcessHandle::isAlive));
    }

    private static boolean isSleeping(List<ProcessHandle> handles) {
        return handles.stream()
                .anyMatch(handle -> handle.info().command().orElse("").endsWith("sleep"));
    }

    /** The JVM that is killed. */
    static final class Starter {
        public static void main(String[] arguments) throws IOException, InterruptedException {
            ServerProcess.start("sleeper", Path.of(arguments[0]), List.of("sleep", "600"));
            Thread.sleep(Duration.ofMinutes(10).toMillis());
        }
    }
}
