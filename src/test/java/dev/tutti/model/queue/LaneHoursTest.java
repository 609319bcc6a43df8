package dev.tutti.model.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.model.InvalidInput;
import dev.tutti.model.queue.LaneHours.Window;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lane is open while the clock on the wall shows a time inside a window. */
class LaneHoursTest {

    private static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");
    private static final Set<DayOfWeek> ALL = EnumSet.allOf(DayOfWeek.class);
    private static final int MINUTES_OF_EIGHT_DAYS = 8 * 1_440;

    @ParameterizedTest
    @CsvSource({
        "2026-12-04T18:59:59Z, false",
        "2026-12-04T19:00:00Z, true",
        "2026-12-05T04:59:59Z, true",
        "2026-12-05T05:00:00Z, false",
        "2026-12-05T20:00:00Z, false",
    })
    void aWindowOverMidnightBelongsToTheDayItBeginsOn(Instant time, boolean open) {
        LaneHours fridays = hours(new Window(Set.of(DayOfWeek.FRIDAY), 20 * 60, 6 * 60));

        assertThat(fridays.isOpen(time)).isEqualTo(open);
    }

    @Test
    @DisplayName("B42 an hour that does not exist is skipped, and one that comes twice is open twice")
    void theClockJumps() {
        LaneHours early = hours(new Window(ALL, 2 * 60, 3 * 60));

        assertThat(early.isOpen(Instant.parse("2026-03-29T00:59:59Z"))).isFalse();
        assertThat(early.isOpen(Instant.parse("2026-03-29T01:00:00Z"))).isFalse();
        assertThat(early.nextChange(Instant.parse("2026-03-28T12:00:00Z")))
                .isEqualTo(Instant.parse("2026-03-30T00:00:00Z"));
        assertThat(early.isOpen(Instant.parse("2026-10-25T00:30:00Z"))).isTrue();
        assertThat(early.isOpen(Instant.parse("2026-10-25T01:30:00Z"))).isTrue();
        assertThat(early.nextChange(Instant.parse("2026-10-25T00:00:00Z")))
                .isEqualTo(Instant.parse("2026-10-25T02:00:00Z"));
    }

    @Test
    void theNextChangeIsTheOneThatAMinuteHandFinds() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<ZoneId> zones =
                List.of(ZURICH, ZoneId.of("America/St_Johns"), ZoneId.of("Australia/Lord_Howe"), ZoneId.of("UTC"));
        for (int i = 0; i < 200; i++) {
            LaneHours hours = new LaneHours(zones.get(random.nextInt(zones.size())), windows(random));
            Instant from = Instant.parse("2026-01-01T00:00:00Z").plus(random.nextInt(366 * 1_440), ChronoUnit.MINUTES);

            assertThat(hours.nextChange(from))
                    .as("seed %d: %s from %s", seed, hours, from)
                    .isEqualTo(byMinutes(hours, from));
        }
    }

    @Test
    void hoursThatNeverChangeSaySo() {
        assertThat(hours(new Window(ALL, 0, LaneHours.MINUTES_A_DAY)).nextChange(Instant.EPOCH))
                .isEqualTo(Instant.MAX);
        assertThatThrownBy(() -> new LaneHours(ZURICH, List.of())).isInstanceOf(InvalidInput.class);
        assertThatThrownBy(() -> new Window(ALL, 60, 60)).isInstanceOf(InvalidInput.class);
    }

    private static List<Window> windows(Random random) {
        List<Window> windows = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            int from = random.nextInt(LaneHours.MINUTES_A_DAY);
            int to = 1 + random.nextInt(LaneHours.MINUTES_A_DAY);
            if (from != to) {
                Set<DayOfWeek> days =
                        EnumSet.of(DayOfWeek.of(1 + random.nextInt(7)), DayOfWeek.of(1 + random.nextInt(7)));
                windows.add(new Window(random.nextBoolean() ? ALL : days, from, to));
            }
        }
        return windows.isEmpty() ? List.of(new Window(ALL, 60, 120)) : windows;
    }

    private static Instant byMinutes(LaneHours hours, Instant from) {
        boolean now = hours.isOpen(from);
        for (int minute = 1; minute <= MINUTES_OF_EIGHT_DAYS; minute++) {
            Instant time = from.plus(minute, ChronoUnit.MINUTES);
            if (hours.isOpen(time) != now) {
                return time;
            }
        }
        return Instant.MAX;
    }

    private static LaneHours hours(Window... windows) {
        return new LaneHours(ZURICH, List.of(windows));
    }
}
