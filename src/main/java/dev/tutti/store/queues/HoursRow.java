package dev.tutti.store.queues;

import dev.tutti.model.queue.LaneHours;
import dev.tutti.store.Json;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A lane's hours as they are stored, and told in the journal. */
public record HoursRow(String timeZone, List<WindowRow> windows) {

    /** One window; minutes of the day. */
    record WindowRow(Set<DayOfWeek> days, int fromMinute, int toMinute) {}

    static HoursRow of(LaneHours hours) {
        return new HoursRow(
                hours.zone().getId(),
                hours.windows().stream()
                        .map(window ->
                                new WindowRow(new TreeSet<>(window.days()), window.fromMinute(), window.toMinute()))
                        .toList());
    }

    /** @param json null for always */
    public static @Nullable LaneHours read(@Nullable String json) {
        return json == null ? null : Json.read(json, HoursRow.class).hours();
    }

    public LaneHours hours() {
        return new LaneHours(
                ZoneId.of(timeZone),
                windows.stream()
                        .map(row -> new LaneHours.Window(row.days, row.fromMinute, row.toMinute))
                        .toList());
    }
}
