package dev.tutti.journey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.boot.FirstSteps;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's lines work as printed, against the simulated cluster. */
class FirstStepsTest {

    @TempDir
    Path data;

    @Test
    void theFourLinesSubmitShowAndCancelAGangOfSixteenGpus() throws Exception {
        try (RunningService service = new RunningService(data)) {
            new FirstStepsWalk(service.base(), "")
                    .walk(seen -> assertThat(seen.members())
                            .allSatisfy(member -> member.path("gpus")
                                    .forEach(gpu -> assertThat(gpu.path("uuid").asString())
                                            .startsWith("GPU-"))));
        }
    }

    @Test
    void theyWorkWithAnApiKeyToo() throws Exception {
        String key = "tutti_a-long-text-that-nobody-would-guess-1234567890";
        try (RunningService service = new RunningService(data, "--tutti.api-key=" + key)) {
            new FirstStepsWalk(service.base(), key).walk(seen -> {});
        }
    }

    @Test
    void theReadmeShowsExactlyTheseLines() throws Exception {
        String readme = Files.readString(Path.of("README.md"));
        assertThat(readme).contains(String.join("\n", FirstSteps.lines("http://localhost:8080", "")));
    }
}
