package dev.tutti.boot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command {@code experiment philly} on a small made trace. */
class PhillyExperimentTest {

    @TempDir
    Path folder;

    private Path jobs;
    private Path nodes;

    @BeforeEach
    void write() throws IOException {
        jobs = Files.writeString(folder.resolve("jobs.csv"), """
                vc,arrival_s,gpus,duration_s
                a,0,8,1000
                a,10,8,500
                a,20,1,30
                b,0,4,100
                b,5,0,100
                b,6,9,100
                unknown,7,1,100
                """);
        nodes = Files.writeString(folder.resolve("nodes.csv"), """
                vc,node num
                a,2
                b,1
                empty,64
                """);
    }

    private Typed philly(String... more) {
        List<String> arguments = new ArrayList<>(List.of("experiment", "philly", "--jobs=" + jobs, "--nodes=" + nodes));
        arguments.addAll(List.of(more));
        return Typed.command(arguments.toArray(String[]::new));
    }

    @Test
    void theLastLineIsMeanCompletionAndQueueing() {
        Typed typed = philly();

        assertThat(typed.exitCode()).as(typed.error()).isZero();
        assertThat(typed.text())
                .contains("4 jobs in 2 virtual clusters with 16 GPUs (half of their nodes); left out: 3 jobs");
        // Completion and queueing: 1000 and 0; from 1000 on 1490 and 990; after that from 1500 on 1510 and 1480; 100
        // and 0.
        assertThat(typed.lastLine()).isEqualTo("1,025 618");
    }

    @Test
    void withBorrowingTheOtherNodeIsUsed() {
        // From 0: 8 of a and 4 of b; at 20 the single GPU; at 100 the 8 of a: queueing 0, 90, 0, 0.
        assertThat(philly("--borrowing=on").lastLine()).isEqualTo("430 23");
    }

    @Test
    void smallJobsPassWhenTheyComeWithPriority() {
        // The single GPU from 1000 on, 1010 and 980; then the 8 from 1030 on, 1520 and 1020.
        assertThat(philly("--order=small-first").lastLine()).isEqualTo("908 500");
    }

    @Test
    void allNodesAreAskedForByName() {
        assertThat(philly("--fraction=all").text()).contains("with 24 GPUs (all of their nodes)");
    }

    @Test
    void thePictureShowsEachVirtualCluster() throws IOException {
        Path svg = folder.resolve("queueing.svg");

        Typed typed = philly("--svg=" + svg);

        assertThat(typed.text()).contains("drawn: " + svg);
        assertThat(Files.readString(svg)).contains("Mean queueing of each virtual cluster", "Tutti, all 0.2 h");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--fraction=third | --fraction: there is no \"third\"; give one of all, half, quarter",
                "--borrowing=yes | --borrowing: there is no \"yes\"; give one of off, on",
                "--preemption=1 | --preemption: there is no \"1\"; give one of off, on",
                "--apart=maybe | --apart: there is no \"maybe\"; give one of off, on",
                "--order=size | --order: there is no \"size\"; give one of age, small-first",
                "--patience-hours=-1 | --patience-hours: \"-1\" is none; give a whole number from 0 to 10000",
                "--protected-hours=x | --protected-hours: \"x\" is none; give a whole number from 0 to 10000",
                "--svg=/no/such/folder/a.svg | --svg: /no/such/folder/a.svg cannot be written"
            })
    void anOptionThatMakesNoSenseIsNamed(String option, String refusal) {
        Typed typed = philly(option);

        assertThat(typed.exitCode()).isEqualTo(2);
        assertThat(typed.error()).contains(refusal);
    }

    @Test
    void aTraceThatFitsNowhereIsRefused() throws IOException {
        Files.writeString(nodes, "vc,node num\nz,1\n");

        assertThat(philly().error()).contains("--nodes: no job is of a virtual cluster that has the GPUs for it");
    }

    @Test
    void aWrongLineIsNamed() throws IOException {
        Files.writeString(jobs, "vc,arrival_s,gpus,duration_s\na,0,many,1\n");

        assertThat(philly().error()).contains("--jobs: " + jobs + ", line 2: gpus is \"many\"; give a whole number");
    }
}
