package dev.tutti.boot.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command {@code experiment gangs} on small fleets. */
class GangsExperimentTest {

    @TempDir
    Path folder;

    @Test
    void everyGangOfOneSetGetsTheSmallestDomain() throws Exception {
        Path svg = folder.resolve("gangs.svg");
        Typed typed =
                Typed.command("experiment", "gangs", "--fleets=1k,10k", "--seeds=1-2", "--gangs=150", "--svg=" + svg);

        assertThat(typed.exitCode()).as(typed.error()).isZero();
        assertThat(typed.lastLine()).isEqualTo("100.00");
        assertThat(typed.text())
                .contains("2 runs of 150 gangs", "two sets", "across islands", "1k to 10k, 9.8 times as large");
        try (InputStream in = Files.newInputStream(svg)) {
            String text = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(in)
                    .getDocumentElement()
                    .getTextContent();
            assertThat(text).contains("median", "in proportion to the fleet", "GPUs of the fleet");
        }
        assertThat(Files.readString(svg)).doesNotContain("NaN", "Infinity");
    }

    @Test
    void aSingleFleetIsEnough() throws Exception {
        Path svg = folder.resolve("gangs.svg");
        Typed typed = Typed.command("experiment", "gangs", "--fleets=1k", "--seeds=1", "--gangs=20", "--svg=" + svg);

        assertThat(typed.exitCode()).as(typed.error()).isZero();
        assertThat(typed.lastLine()).isEqualTo("100.00");
        assertThat(Files.readString(svg)).doesNotContain("NaN", "Infinity");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--fleets=2k;give some of 1k,10k,100k",
                "--fleets=;give some of 1k,10k,100k",
                "--seeds=x;names no seeds",
                "--seeds=1,1;the seed 1 twice",
                "--fleets=1k,1k;the fleet 1k twice",
                "--svg=/proc/a.svg;a folder that exists",
                "--gangs=0;a whole number from 1 to 100000",
                "--svg=missing/a.svg;a folder that exists",
            })
    void whatMakesNoSenseIsNamedWithItsRemedy(String option, String remedy) {
        Typed typed = Typed.command("experiment", "gangs", option);

        assertThat(typed.exitCode()).isEqualTo(2);
        assertThat(typed.error()).contains(option.split("=")[0], remedy).doesNotContain("Exception");
        assertThat(typed.lines()).isEmpty();
    }
}
