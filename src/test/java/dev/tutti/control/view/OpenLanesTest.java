package dev.tutti.control.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.LanesNow;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.LaneHours;
import dev.tutti.model.queue.LaneRules;
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
        assertThat(lanes.now().closed()).isEmpty();
        assertThat(lanes.nextMicros()).isEqualTo(micros("2026-12-02T06:00:00Z"));

        assertThat(follow("2026-12-02T06:00:00Z")).isTrue();
        assertThat(lanes.now().closed()).containsExactly(Map.entry(Lane.RED, micros("2026-12-02T20:00:00Z")));
        assertThat(follow("2026-12-02T12:00:00Z")).isFalse();

        assertThat(follow("2026-12-02T20:00:00Z")).isTrue();
        assertThat(lanes.now().closed()).isEmpty();
    }

    @Test
    void withoutHoursEveryLaneIsOpen() {
        follow("2026-12-02T12:00:00Z");

        assertThat(lanes.follow(Map.of(), micros("2026-12-02T12:00:01Z"))).isTrue();
        assertThat(lanes.now().closed()).isEmpty();
        assertThat(lanes.nextMicros()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aRateLeavesWhatDidNotStartInTheMinuteBefore() {
        LaneRules two = new LaneRules(null, true, 2);
        long noon = micros("2026-12-02T12:00:00Z");

        assertThat(lanes.follow(Map.of(Lane.RED, new LaneRow(two)), noon)).isTrue();
        assertThat(lanes.now().rates()).containsExactly(Map.entry(Lane.RED, new LanesNow.Rate(2, 2, 0)));
        assertThat(lanes.nextMicros()).isEqualTo(Long.MAX_VALUE);

        long next = noon + 60_000_000;
        assertThat(lanes.follow(Map.of(Lane.RED, new LaneRow(two, 1, noon)), noon + 1))
                .isTrue();
        assertThat(lanes.now().rates()).containsExactly(Map.entry(Lane.RED, new LanesNow.Rate(2, 1, next)));
        assertThat(lanes.nextMicros()).as("one may start at once").isEqualTo(Long.MAX_VALUE);

        assertThat(lanes.follow(Map.of(Lane.RED, new LaneRow(two, 2, noon)), noon + 2))
                .isTrue();
        assertThat(lanes.now().rates()).containsExactly(Map.entry(Lane.RED, new LanesNow.Rate(2, 0, next)));
        assertThat(lanes.nextMicros()).as("it wakes by itself").isEqualTo(next);
        assertThat(lanes.follow(Map.of(Lane.RED, new LaneRow(two, 2, noon)), noon + 3))
                .isFalse();
    }

    @Test
    void aLaneMayLoseItsRight() {
        assertThat(lanes.follow(Map.of(Lane.GREEN, new LaneRow(new LaneRules(null, false, null))), 1))
                .isTrue();
        assertThat(lanes.now().askNobody()).containsExactly(Lane.GREEN);
    }

    @Test
    void aLaneSaysWhenItsJobsMayUseOtherFlavors() {
        assertThat(lanes.follow(
                        Map.of(
                                Lane.GREEN, new LaneRow(new LaneRules(null, true, null, null)),
                                Lane.YELLOW, new LaneRow(new LaneRules(null, true, null, 600)),
                                Lane.RED, new LaneRow(new LaneRules(null, true, null, 0))),
                        1))
                .isTrue();
        assertThat(lanes.now().fallbackMicros())
                .isEqualTo(Map.of(Lane.GREEN, LanesNow.NEVER, Lane.YELLOW, 600_000_000L));
    }

    private boolean follow(String time) {
        return lanes.follow(Map.of(Lane.RED, new LaneRow(new LaneRules(NIGHTS, true, null))), micros(time));
    }

    private static long micros(String time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(time));
    }
}
