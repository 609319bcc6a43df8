package dev.tutti.control.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.LaneHours;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lanes open and close with the database's time. */
class OpenLanesTest {

    private static final LaneHours NIGHTS = new LaneHours(
            ZoneOffset.UTC, List.of(new LaneHours.Window(EnumSet.allOf(DayOfWeek.class), 20 * 60, 6 * 60)));

    private final OpenLanes lanes = new OpenLanes();

    @Test
    void aLaneClosesAndOpensAgain() {
        assertThat(follow("2026-12-02T05:59:00Z")).as("open is as before").isFalse();
        assertThat(lanes.closed()).isEmpty();
        assertThat(lanes.nextMicros()).isEqualTo(micros("2026-12-02T06:00:00Z"));

        assertThat(follow("2026-12-02T06:00:00Z")).isTrue();
        assertThat(lanes.closed()).containsExactly(Map.entry(Lane.RED, micros("2026-12-02T20:00:00Z")));
        assertThat(follow("2026-12-02T12:00:00Z")).isFalse();

        assertThat(follow("2026-12-02T20:00:00Z")).isTrue();
        assertThat(lanes.closed()).isEmpty();
    }

    @Test
    void withoutHoursEveryLaneIsOpen() {
        follow("2026-12-02T12:00:00Z");

        assertThat(lanes.follow(Map.of(), micros("2026-12-02T12:00:01Z"))).isTrue();
        assertThat(lanes.closed()).isEmpty();
        assertThat(lanes.nextMicros()).isEqualTo(Long.MAX_VALUE);
    }

    private boolean follow(String time) {
        return lanes.follow(Map.of(Lane.RED, NIGHTS), micros(time));
    }

    private static long micros(String time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(time));
    }
}
