package dev.tutti.boot.loops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.boot.loops.TopologySettings.Level;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

class TopologySettingsTest {

    private static final List<String> LABELS = List.of("example.com/rack");

    static Stream<List<Level>> badLevels() {
        return Stream.of(
                null,
                List.of(new Level(null, LABELS)),
                List.of(new Level("", LABELS)),
                List.of(new Level("../x", LABELS)),
                List.of(new Level("hostname", LABELS)),
                List.of(new Level("cluster", LABELS)),
                List.of(new Level("rack", LABELS), new Level("rack", LABELS)),
                List.of(new Level("rack", null)),
                List.of(new Level("rack", List.of())),
                List.of(new Level("rack", Arrays.asList("", " "))));
    }

    @ParameterizedTest
    @MethodSource("badLevels")
    void badLevelsEndTheStartWithTheSettingsName(List<Level> levels) {
        assertThatThrownBy(() -> new TopologySettings(levels).toLevels())
                .isInstanceOfSatisfying(
                        FailureAnalyzedException.class,
                        failure ->
                                assertThat(failure.analysis().getDescription()).startsWith("tutti.topology.levels"));
    }

    @Test
    void goodLevelsKeepTheirOrder() {
        assertThat(new TopologySettings(List.of(new Level("zone", LABELS), new Level("rack", LABELS)))
                        .toLevels()
                        .names())
                .containsExactly("cluster", "zone", "rack", "hostname");
    }
}
