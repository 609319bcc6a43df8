package dev.tutti.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.life.EndCause;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** How long a job is left alone, by the cause of its end and by how often. */
class BackoffTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "PREEMPTED, 0 0 0 0",
        "RECLAIMED, 0 30 60 120",
        "MOVED, 0 1 2 4",
        "NOT_READY_IN_TIME, 60 120 240 480",
        "EXIT_CODE, 1 2 4 8",
        "NODE_LOST, 1 2 4 8",
        "DEVICE_LOST, 1 2 4 8",
        "REJECTED_BY_NODE, 1 2 4 8"
    })
    void eachCauseHasItsOwnTimes(EndCause cause, String seconds) {
        List<String> delays = IntStream.range(0, 4)
                .mapToObj(earlier -> Long.toString(Backoff.ofJob(cause, earlier).toSeconds()))
                .toList();
        assertThat(String.join(" ", delays)).isEqualTo(seconds);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"PREEMPTED", "NOT_READY_IN_TIME"})
    void nobodyIsLeftAloneForLongerThanFiveMinutes(EndCause cause) {
        assertThat(Backoff.ofJob(cause, 1_000)).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void whoIsNotReadyInTimeAndWhoRefusesAreLeftAloneForAnHour() {
        assertThat(Backoff.ofJob(EndCause.NOT_READY_IN_TIME, 1_000)).isEqualTo(Duration.ofHours(1));
        assertThat(Backoff.ofNode(Duration.ofSeconds(30), 1_000)).isEqualTo(Duration.ofHours(1));
        assertThat(Backoff.ofRefusal(2)).isEqualTo(Duration.ofSeconds(4));
    }
}
