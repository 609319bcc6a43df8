package dev.tutti.journey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.Tutti;
import dev.tutti.testkit.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The replay command on a small trace, and on the real one where the environment names its folder. */
class ReplayTest {

    private static final Duration LIMIT = Duration.ofMinutes(6);

    @TempDir
    Path folder;

    @Test
    void threeTruthsAgreeWhileMoreArrivesThanFits() throws Exception {
        String output = replay(smallNodes(), smallPods(), "--batch=10", "--first=20", "--until=130");
        assertThat(output)
                .contains("after the first 20 pods", "agreed to the milli-GPU")
                .containsPattern("[1-9][0-9]* waiting")
                .containsPattern("[1-9][0-9]* cancels");
    }

    @Test
    void theRealTraceIsUnderstood() throws Exception {
        String traces = System.getenv("TUTTI_TRACE_DIR");
        if (traces == null) {
            System.getLogger(ReplayTest.class.getName())
                    .log(System.Logger.Level.INFO, "no TUTTI_TRACE_DIR: the replay ran on the small trace alone");
            return;
        }
        Path openb = Path.of(traces, "openb");
        String output = replay(
                openb.resolve("openb_node_list_gpu_node.csv"),
                openb.resolve("openb_pod_list_gpuspec33.csv"),
                "--first=200",
                "--until=4");
        assertThat(output).contains("after the first 200 pods", "of 6212", "agreed to the milli-GPU");
    }

    private static String replay(Path nodes, Path pods, String... more) {
        String[] arguments = new String[4 + more.length];
        arguments[0] = "replay";
        arguments[1] = "openb";
        arguments[2] = "--nodes=" + nodes;
        arguments[3] = "--pods=" + pods;
        System.arraycopy(more, 0, arguments, 4, more.length);
        try (JavaProcess replay = JavaProcess.start(Tutti.class, Map.of(), arguments)) {
            int exitCode = replay.awaitExit(LIMIT);
            assertThat(exitCode).as(replay.output()).isZero();
            return replay.output();
        }
    }

    private Path smallNodes() throws IOException {
        StringBuilder csv = new StringBuilder("sn,cpu_milli,memory_mib,gpu,model\n");
        for (int i = 0; i < 20; i++) {
            csv.append("node-").append(i).append(i % 2 == 0 ? ",96000,393216,8,V100M32\n" : ",64000,262144,4,T4\n");
        }
        return Files.writeString(folder.resolve("nodes.csv"), csv);
    }

    private Path smallPods() throws IOException {
        StringBuilder csv = new StringBuilder("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n");
        for (int i = 0; i < 60; i++) {
            csv.append("pod-")
                    .append(i)
                    .append(
                            switch (i % 5) {
                                case 0 -> ",4000,8192,1,460,\n";
                                case 1 -> ",8000,16384,1,1000,T4\n";
                                case 2 -> ",16000,65536,4,1000,V100M32|T4\n";
                                case 3 -> ",2000,4096,0,0,\n";
                                default -> ",32000,131072,8,1000,V100M32\n";
                            });
        }
        return Files.writeString(folder.resolve("pods.csv"), csv);
    }
}
