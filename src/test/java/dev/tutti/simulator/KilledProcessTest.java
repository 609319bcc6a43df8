package dev.tutti.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.model.ClusterId;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.fleet.PodSighting.Phase;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL at any moment loses nothing that was acknowledged or told to a watch. */
class KilledProcessTest {

    private static final int KILLS = Integer.getInteger("tutti.kills", 20);

    @TempDir
    Path folder;

    @Test
    void nothingAcknowledgedIsLostByKills() throws IOException, InterruptedException {
        Random random = new Random(7);
        int checked = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            List<String> lines = runAndKill(1 + kill * 1_000_000, 20 + random.nextInt(200));
            assertThat(lines).isNotEmpty();
            checked += check(lines);
        }
        System.out.println("=== simulator: " + KILLS + " kills, " + checked + " acknowledged facts, 0 lost");
        assertThat(checked).isGreaterThan(KILLS * 10);
    }

    private List<String> runAndKill(int first, int afterLines) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        classPath(),
                        DoomedProcess.class.getName(),
                        folder.toString(),
                        Integer.toString(first))
                .redirectErrorStream(true)
                .start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = out.readLine();
            while (line != null) {
                lines.add(line);
                if (lines.size() == afterLines) {
                    // Not through the process itself: that would close its output, too.
                    process.toHandle().destroyForcibly();
                }
                line = out.readLine();
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        // The last line may have been cut by the kill itself.
        return lines.subList(0, Math.max(0, lines.size() - 1));
    }

    private static String classPath() {
        return Stream.of(SimulatedCluster.class, DoomedProcess.class, NullMarked.class)
                .map(type -> Path.of(URI.create(type.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toString()))
                        .toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private int check(List<String> lines) {
        int checked = 0;
        try (SimulatedCluster cluster =
                SimulatedCluster.open(folder, List.of(FakeClusterUnderTest.node("node-a")), Clock.systemUTC())) {
            ClusterGateway gateway = cluster.gateway(new ClusterId(1));
            for (String line : lines) {
                String[] words = line.split(" ");
                assertThat(words).as(line).hasSize(4);
                check(line, words[0], gateway.read(words[1]), words[2], words[3]);
                checked++;
            }
        }
        return checked;
    }

    private static void check(String line, String what, Outcome now, String uid, String phase) {
        if (what.equals("removed")) {
            assertThat(now).as(line).isInstanceOf(Outcome.Absent.class);
            return;
        }
        assertThat(now).as(line).isInstanceOf(Outcome.Done.class);
        PodSighting pod = ((Outcome.Done) now).pod();
        assertThat(pod.uid()).as(line).isEqualTo(uid);
        assertThat(pod.node()).as(line).isEqualTo("node-a");
        if (what.equals("saw")) {
            assertThat(pod.phase()).as(line).isGreaterThanOrEqualTo(Phase.valueOf(phase));
        }
    }
}
