package dev.tutti.boot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command {@code experiment queues}, small. */
class QueuesExperimentTest {

    @TempDir
    Path folder;

    @Test
    void itPrintsEachContestantAndTheSameForTheSameSeeds() {
        Typed typed = Typed.command("experiment", "queues", "--seeds=3,5", "--jobs=60", "--gpus=40");

        assertThat(typed.exitCode()).as(typed.error()).isZero();
        assertThat(typed.text())
                .contains(
                        "60 jobs in 50 queues of three levels on 40 GPUs; 2 seeds, mean and standard deviation",
                        "Tutti, strict queues",
                        "Tutti, greedy victims",
                        "FIFO, strict",
                        "greedy, then spared who may stay");
        assertThat(typed.lastLine()).matches("[0-9.]+ [0-9.]+ [0-9,]+");
        assertThat(Typed.command("experiment", "queues", "--seeds=3,5", "--jobs=60", "--gpus=40")
                        .text())
                .isEqualTo(typed.text());
    }

    @Test
    void whatQueuesHeldLatelyCountsOnlyWhenItIsAskedFor() {
        Typed without = Typed.command("experiment", "queues", "--seed=3", "--jobs=60", "--gpus=40");
        Typed off =
                Typed.command("experiment", "queues", "--seed=3", "--jobs=60", "--gpus=40", "--half-life-seconds=0");
        Typed with = Typed.command(
                "experiment", "queues", "--seed=3", "--jobs=60", "--gpus=40", "--half-life-seconds=86400");

        assertThat(off.text()).isEqualTo(without.text()).contains("within each day");
        assertThat(with.exitCode()).as(with.error()).isZero();
        assertThat(with.text()).isNotEqualTo(without.text());
        assertThat(fifo(with)).isEqualTo(fifo(without)).isNotEmpty();
    }

    private static List<String> fifo(Typed typed) {
        return typed.text().lines().filter(line -> line.contains("FIFO")).toList();
    }

    @Test
    void thePictureShowsEachContestant() throws IOException {
        Path svg = folder.resolve("shares.svg");

        Typed typed = Typed.command("experiment", "queues", "--seed=3", "--jobs=30", "--gpus=16", "--svg=" + svg);

        assertThat(typed.text()).contains("drawn: " + svg);
        assertThat(Files.readString(svg)).contains("Tutti, mean ", "FIFO, who fits passes, mean ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--seeds=x | --seeds: \"x\" names no seeds",
                "--jobs=0 | --jobs: \"0\" is none; give a whole number from 1 to 100000",
                "--gpus=12 | --gpus: \"12\" are no whole nodes; give a multiple of 8",
                "--half-life-seconds=-1 | --half-life-seconds: \"-1\" is none; give a whole number from 0 to 2592000",
                "--svg=/no/such/folder/a.svg | --svg: /no/such/folder/a.svg cannot be written"
            })
    void anOptionThatMakesNoSenseIsNamed(String option, String refusal) {
        Typed typed = Typed.command("experiment", "queues", option);

        assertThat(typed.exitCode()).isEqualTo(2);
        assertThat(typed.error()).contains(refusal);
    }
}
