package dev.tutti.model.queue;

import dev.tutti.model.Check;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * When jobs of a lane may start, by the clock on the wall of some place. An hour that the clock shows twice counts twice, and one
 * that it skips does not count; so a window is open exactly while the clock shows a time inside it.
 *
 * @param zone whose clock
 * @param windows open while the clock is in any of them; 1 to {@link #MOST_WINDOWS}
 */
public record LaneHours(ZoneId zone, List<Window> windows) {

    public static final int MOST_WINDOWS = 21;
    public static final int MINUTES_A_DAY = 1_440;

    private static final int MINUTES_AN_HOUR = 60;
    /** Every window of a week begins and ends once in so many days, and one that began yesterday may still be open. */
    private static final int DAYS_AHEAD = 8;

    public LaneHours {
        windows = List.copyOf(windows);
        new Check().range(windows.size(), 1, MOST_WINDOWS, "hours").orThrow();
    }

    /**
     * A time of the day on some days of the week.
     *
     * @param days on which it begins
     * @param fromMinute minute of the day at which it begins, 0 to 1439
     * @param toMinute minute of the day at which it is over, 1 to 1440; on the next day when it is not after the beginning
     */
    public record Window(Set<DayOfWeek> days, int fromMinute, int toMinute) {
        public Window {
            days = Set.copyOf(days);
            new Check()
                    .that(!days.isEmpty(), "days", "is empty; give at least one day")
                    .range(fromMinute, 0, MINUTES_A_DAY - 1, "from")
                    .range(toMinute, 1, MINUTES_A_DAY, "to")
                    .that(fromMinute != toMinute, "to", "is when it begins; give another time")
                    .orThrow();
        }

        private boolean isOvernight() {
            return toMinute < fromMinute;
        }

        private boolean holds(LocalDateTime time) {
            int minute = time.getHour() * MINUTES_AN_HOUR + time.getMinute();
            DayOfWeek today = time.getDayOfWeek();
            if (!isOvernight()) {
                return days.contains(today) && minute >= fromMinute && minute < toMinute;
            }
            return days.contains(today) && minute >= fromMinute || days.contains(today.minus(1)) && minute < toMinute;
        }
    }

    /** Whether jobs may start at this time. */
    public boolean isOpen(Instant time) {
        LocalDateTime clock = LocalDateTime.ofInstant(time, zone);
        return windows.stream().anyMatch(window -> window.holds(clock));
    }

    /** The first time after {@code time} at which it is another answer; {@link Instant#MAX} when it never is. */
    public Instant nextChange(Instant time) {
        boolean now = isOpen(time);
        return turns(time).stream()
                .filter(turn -> isOpen(turn) != now)
                .findFirst()
                .orElse(Instant.MAX);
    }

    /** The times soon after this one at which the clock comes to the end of a window, or jumps, in order. */
    private TreeSet<Instant> turns(Instant time) {
        TreeSet<Instant> turns = new TreeSet<>();
        LocalDate today = LocalDate.ofInstant(time, zone);
        for (int day = 0; day <= DAYS_AHEAD; day++) {
            for (Window window : windows) {
                add(turns, today.plusDays(day), window.fromMinute);
                add(turns, today.plusDays(day), window.toMinute);
            }
        }
        ZoneOffsetTransition jump = zone.getRules().nextTransition(time);
        if (jump != null) {
            turns.add(jump.getInstant());
        }
        return new TreeSet<>(turns.tailSet(time, false));
    }

    /** Both times, where the clock shows it twice. */
    private void add(TreeSet<Instant> turns, LocalDate day, int minute) {
        LocalDateTime clock = day.atStartOfDay().plusMinutes(minute);
        zone.getRules().getValidOffsets(clock).forEach(offset -> turns.add(clock.toInstant(offset)));
    }
}
