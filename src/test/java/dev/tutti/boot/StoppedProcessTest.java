package dev.tutti.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tutti.Tutti;
import dev.tutti.testkit.process.JavaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A signal in the middle of a start or a replay: a quick end with the signal's exit code, one line, nothing left over. */
class StoppedProcessTest {

    private static final Duration START = Duration.ofSeconds(120);
    private static final Duration QUICK = Duration.ofSeconds(6);
    private static final int TERMINATED = 128 + 15;

    @TempDir
    Path folder;

    @Test
    void aReplayThatIsStoppedWhileItsDatabaseIsUnpackedLeavesNothing() throws IOException {
        try (JavaProcess replay = replay()) {
            await().atMost(START).until(() -> exists("unpacking"));
            assertStopped(replay, "tutti: replay stopped by a signal");
        }
        assertThat(foldersOfReplays()).isEmpty();
    }

    @Test
    void aReplayThatIsStoppedWhileItPlaysLeavesNothing() throws IOException {
        try (JavaProcess replay = replay()) {
            replay.awaitLine("allocated", START);
            assertStopped(replay, "tutti: replay stopped by a signal");
        }
        assertThat(foldersOfReplays()).isEmpty();
    }

    @Test
    void aServiceThatIsStoppedWhileItStartsEndsItsDatabase() {
        Map<String, String> settings = Map.of("SERVER_PORT", "0", "TUTTI_DATA_DIR", folder.toString());
        try (JavaProcess service = JavaProcess.start(Tutti.class, settings)) {
            await().atMost(START).until(() -> exists("postmaster.pid"));
            assertStopped(service, "tutti: stopped by a signal while starting");
        }
        assertThat(ProcessHandle.allProcesses()
                        .filter(process -> process.info().command().orElse("").startsWith(folder.toString())))
                .isEmpty();
    }

    private static void assertStopped(JavaProcess process, String line) {
        process.terminate();
        assertThat(process.awaitExit(QUICK)).as(process.output()).isEqualTo(TERMINATED);
        assertThat(process.output()).contains(line).doesNotContain("\tat ");
    }

    private JavaProcess replay() throws IOException {
        String nodes = "sn,cpu_milli,memory_mib,gpu,model\n" + "n,96000,393216,8,T4\n";
        String pods = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n" + "p,100,100,1,10\n";
        return JavaProcess.start(
                Tutti.class,
                Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + folder),
                "replay",
                "openb",
                "--nodes=" + Files.writeString(folder.resolve("nodes.csv"), nodes),
                "--pods=" + Files.writeString(folder.resolve("pods.csv"), pods),
                "--batch=1");
    }

    private boolean exists(String name) throws IOException {
        try (Stream<Path> files = Files.find(folder, 6, (file, a) -> file.endsWith(name))) {
            return files.findAny().isPresent();
        } catch (UncheckedIOException movedMeanwhile) {
            return false;
        }
    }

    private List<Path> foldersOfReplays() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("tutti-replay-"))
                    .toList();
        }
    }
}
