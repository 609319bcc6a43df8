package dev.tutti.boot.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhillyTraceTest {

    private static final String JOBS = "vc,arrival_s,gpus,duration_s";

    @TempDir
    Path folder;

    private Path file(String... lines) throws IOException {
        return Files.writeString(folder.resolve("some.csv"), String.join("\n", lines) + "\n");
    }

    @Test
    void jobsAndNodesAreRead() throws IOException {
        assertThat(PhillyTrace.jobs(file(JOBS, "b,5,8,100", "", "a,0,0,1")))
                .containsExactly(new PhillyTrace.Job("b", 5, 8, 100), new PhillyTrace.Job("a", 0, 0, 1));
        assertThat(PhillyTrace.nodes(file("\uFEFFnode num,vc", "3,b", " 2 , a ")))
                .isEqualTo(Map.of("a", 2, "b", 3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a,-1,1,1 | line 3: arrival_s is \"-1\"; give a whole number from 0 to 10000000000",
                "a,0,x,1 | line 3: gpus is \"x\"; give a whole number from 0 to 100000",
                "a,0,1,0 | line 3: duration_s is \"0\"; give a whole number from 1 to 10000000000",
                "a,0,1,9999999999999 | line 3: duration_s is \"9999999999999\"",
                ",0,1,1 | line 3: vc is empty; give a value",
                "a,0,1 | line 3: it has 3 values for 4 columns; give one for each"
            })
    void aWrongLineIsNamedWithFieldValueAndRemedy(String line, String refusal) throws IOException {
        refused(() -> PhillyTrace.jobs(file(JOBS, "a,0,1,1", line)), refusal);
    }

    @Test
    void filesOfAnotherKindAreRefused() throws IOException {
        refused(() -> PhillyTrace.jobs(file("vc,gpus")), "line 1: the first line must name the columns vc,arrival_s");
        refused(() -> PhillyTrace.jobs(file(JOBS)), "nothing follows the first line");
        refused(() -> PhillyTrace.jobs(folder.resolve("none.csv")), "none.csv cannot be read as text; name a file");
        refused(() -> PhillyTrace.nodes(file("vc,node num", "a,1", "a,2")), "line 3: vc \"a\" was named before");
        refused(() -> PhillyTrace.nodes(file("vc,node num", "a,0")), "node num is \"0\"; give a whole number from 1");
        Path latin = Files.write(folder.resolve("latin.csv"), "vc\u00e9".getBytes(StandardCharsets.ISO_8859_1));
        refused(() -> PhillyTrace.jobs(latin), "latin.csv cannot be read as text");
    }

    private static void refused(ThrowingCallable reading, String message) {
        assertThatThrownBy(reading).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    }
}
