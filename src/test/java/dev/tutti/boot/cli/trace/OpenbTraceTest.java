package dev.tutti.boot.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenbTraceTest {

    private static final String HEADER = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec";

    @TempDir
    Path folder;

    @Test
    void podsComeByNameWithTheFlavorsOfAFleetFile() throws IOException {
        OpenbTrace trace = read(HEADER, "b,1,2,1,460,V100M16|T4", "a,3,4,0,,", "", "c,5,6,8,1000,");

        assertThat(trace.byName())
                .containsExactly(
                        new TracePod("a", 3, 4, 0, 0, List.of()),
                        new TracePod("b", 1, 2, 1, 460, List.of("v100m16", "t4")),
                        new TracePod("c", 5, 6, 8, 1000, List.of()));
    }

    @Test
    void columnsAreFoundByTheirNames() throws IOException {
        OpenbTrace trace = read("\uFEFFqos,gpu_milli,num_gpu,memory_mib,cpu_milli,name", "LS,810,1,2,1,a");

        assertThat(trace.byName()).containsExactly(new TracePod("a", 1, 2, 1, 810, List.of()));
    }

    @Test
    void aReplayTakesThemInTheOrderOfTheFileAndThenDraws() throws IOException {
        OpenbTrace trace = read(HEADER, "b,1,2,1,500,", "a,1,2,1,500,");

        assertThat(trace.arrivals(2_000, 7))
                .hasSize(4)
                .startsWith(trace.byName().get(1), trace.byName().get(0));
        assertThat(trace.arrivals(2_000, 7)).isEqualTo(trace.arrivals(2_000, 7));
    }

    @Test
    void filesThatHoldNoPodsAreRefused() throws IOException {
        assertThatThrownBy(() -> read(HEADER)).hasMessageContaining("holds no pods");
        assertThatThrownBy(() -> read()).hasMessageContaining("line 1: the first line must name the columns");
        assertThatThrownBy(() -> read("name,cpu_milli", "a,1"))
                .hasMessageContaining("line 1: the first line must name");
        Path binary = folder.resolve("binary");
        Files.write(binary, (HEADER + "\n\u00e9").getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> OpenbTrace.read(binary)).hasMessageContaining("cannot be read as text");
    }

    private OpenbTrace read(String... lines) throws IOException {
        return OpenbTrace.read(Files.writeString(folder.resolve("pods.csv"), String.join("\n", lines)));
    }
}
