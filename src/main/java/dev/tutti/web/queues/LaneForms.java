package dev.tutti.web.queues;

import dev.tutti.model.Limits;
import dev.tutti.model.queue.LaneHours;
import dev.tutti.model.queue.LaneRules;
import dev.tutti.web.input.Fixed;
import dev.tutti.web.input.FormReader;
import dev.tutti.web.input.Texts;
import dev.tutti.web.input.Violations;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What is sent to change a lane, and its hours as they are written. */
final class LaneForms {

    /** Java knows these beside the names of the time zone database, and nobody else does. */
    private static final String OLD_NAMES = "SystemV/";

    private static final Pattern TIME = Pattern.compile("([01]\\d|2[0-3]):([0-5]\\d)|24:00");
    private static final int MINUTES_AN_HOUR = 60;
    private static final int LETTERS_OF_A_DAY = 3;
    private static final String DAYS =
            Arrays.stream(DayOfWeek.values()).map(LaneForms::word).collect(Collectors.joining(", "));

    private static final Numbers STARTS = new Numbers(
            1, LaneRules.MOST_STARTS, ", null for any number, or close the lane with hours, or hold queues");
    private static final Numbers FALLBACK = new Numbers(
            0, Limits.FALLBACK_SECONDS, " seconds, 0 for all flavors at once, or null for none but the first");

    private LaneForms() {}

    /** A JSON Merge Patch. */
    @Schema(name = "LanePatch", description = "JSON Merge Patch: what is named changes.")
    @Fixed(LaneResponse.class)
    record LanePatch(
            @Schema(description = "New hours as a whole; null for always.", implementation = Hours.class) @Nullable
            JsonNode hours,

            @Schema(
                    description =
                            "Whether its jobs make weaker ones leave. Without it they ask only back what their queue was"
                                    + " promised.",
                    implementation = Boolean.class)
            @Nullable
            JsonNode preempts,

            @Schema(
                    description = "How many of its jobs may start within any minute, 1 to 10000; null for any number.",
                    implementation = Integer.class)
            @Nullable
            JsonNode startsPerMinute,

            @Schema(
                    description =
                            "How long its jobs wait for the first flavor that they name before they may use the next too, 0 to"
                                    + " 2678400; 0 for all at once, null for none but the first. What a job says itself"
                                    + " goes before.",
                    implementation = Integer.class)
            @Nullable
            JsonNode fallbackAfterSeconds) {

        /** What the lane's rules are with it. */
        LaneRules read(LaneRules before, Violations violations) {
            LaneHours newHours = before.hours();
            if (hours != null) {
                Hours form = hours.isNull() ? null : FormReader.read(hours, Hours.class, "hours", violations);
                newHours =
                        form == null ? null : LaneForms.read(form, violations).orElse(null);
            }
            boolean newRight = before.preempts();
            if (preempts != null && preempts.isBoolean()) {
                newRight = preempts.booleanValue();
            } else if (preempts != null) {
                violations.add("preempts", "is " + Texts.clip(preempts.toString()) + "; give true or false");
            }
            return new LaneRules(
                    newHours,
                    newRight,
                    number("startsPerMinute", startsPerMinute, before.startsPerMinute(), STARTS, violations),
                    number(
                            "fallbackAfterSeconds",
                            fallbackAfterSeconds,
                            before.fallbackAfterSeconds(),
                            FALLBACK,
                            violations));
        }

        private static @Nullable Integer number(
                String field,
                @Nullable JsonNode given,
                @Nullable Integer before,
                Numbers allowed,
                Violations violations) {
            if (given == null) {
                return before;
            }
            if (given.isNull()) {
                return null;
            }
            if (given.isIntegralNumber()
                    && given.canConvertToInt()
                    && given.intValue() >= allowed.least
                    && given.intValue() <= allowed.most) {
                return given.intValue();
            }
            violations.add(
                    field,
                    "is " + Texts.clip(given.toString()) + "; give " + allowed.least + " to " + allowed.most
                            + allowed.otherwise);
            return before;
        }
    }

    /**
     * What a field may be.
     *
     * @param otherwise what else may be done
     */
    private record Numbers(int least, int most, String otherwise) {}

    /** A lane's hours. */
    @Schema(
            name = "LaneHours",
            description = "When jobs of a lane may start. What runs at the end of a window goes on.")
    record Hours(
            @Schema(description = "IANA name of the time zone whose clock counts.", example = "Europe/Zurich")
            String timeZone,

            @Schema(description = "The lane is open while the clock is in any of them; 1 to 21.")
            List<Window> windows) {

        static @Nullable Hours of(@Nullable LaneHours hours) {
            return hours == null
                    ? null
                    : new Hours(
                            hours.zone().getId(),
                            hours.windows().stream().map(Window::of).toList());
        }
    }

    /** One window. */
    @Schema(name = "LaneWindow", description = "A time of the day on some days of the week.")
    record Window(
            @Schema(description = "Days on which it begins.", example = "[\"mon\", \"tue\", \"wed\", \"thu\", \"fri\"]")
            List<String> days,

            @Schema(description = "When it begins, by the clock.", example = "20:00")
            String from,

            @Schema(
                    description =
                            "When it is over: on the next day when it is not after the beginning. 24:00 is the end of the"
                                    + " day.",
                    example = "06:00")
            String to) {

        static Window of(LaneHours.Window window) {
            return new Window(
                    new TreeSet<>(window.days()).stream().map(LaneForms::word).toList(),
                    time(window.fromMinute()),
                    time(window.toMinute()));
        }
    }

    private static Optional<LaneHours> read(Hours form, Violations violations) {
        Violations here = new Violations();
        ZoneId zone = zone(form.timeZone, here);
        List<LaneHours.Window> windows = new ArrayList<>();
        if (form.windows.isEmpty() || form.windows.size() > LaneHours.MOST_WINDOWS) {
            here.add(
                    "hours.windows",
                    "has " + form.windows.size() + " windows; give 1 to " + LaneHours.MOST_WINDOWS
                            + ", or null for hours, for always");
        } else {
            for (int i = 0; i < form.windows.size(); i++) {
                window(form.windows.get(i), "hours.windows[" + i + "]", here).ifPresent(windows::add);
            }
        }
        here.list().forEach(each -> violations.add(each.field(), each.message()));
        return here.isEmpty() ? Optional.of(new LaneHours(zone, windows)) : Optional.empty();
    }

    private static ZoneId zone(String name, Violations violations) {
        if (ZoneId.getAvailableZoneIds().contains(name) && !name.startsWith(OLD_NAMES)) {
            return ZoneId.of(name);
        }
        violations.add(
                "hours.timeZone", "is \"" + Texts.clip(name) + "\"; give an IANA name such as Europe/Zurich or UTC");
        return ZoneOffset.UTC;
    }

    private static Optional<LaneHours.Window> window(Window form, String field, Violations violations) {
        Set<DayOfWeek> days = days(form.days, field + ".days", violations);
        int from = minute(form.from, field + ".from", violations);
        int to = minute(form.to, field + ".to", violations);
        if (from == LaneHours.MINUTES_A_DAY) {
            violations.add(field + ".from", "is \"24:00\"; give 00:00 on the next day");
        } else if (from >= 0 && to == from) {
            violations.add(field + ".to", "is when it begins; give another time, or 00:00 to 24:00 for the whole day");
        } else if (to == 0) {
            violations.add(field + ".to", "is \"00:00\"; give 24:00 for the end of the day");
        } else if (from >= 0 && to > 0 && !days.isEmpty()) {
            return Optional.of(new LaneHours.Window(days, from, to));
        }
        return Optional.empty();
    }

    private static Set<DayOfWeek> days(List<String> names, String field, Violations violations) {
        Set<DayOfWeek> days = new TreeSet<>();
        boolean known = !names.isEmpty();
        for (String name : names) {
            Optional<DayOfWeek> day = Arrays.stream(DayOfWeek.values())
                    .filter(each -> word(each).equals(name))
                    .findFirst();
            known &= day.isPresent() && days.add(day.get());
        }
        if (!known) {
            violations.add(
                    field,
                    "is " + Texts.clip(names.toString()) + "; give each of these days once that it is for: " + DAYS);
            days.clear();
        }
        return days;
    }

    /** Minute of the day; -1 with a violation added. */
    private static int minute(String time, String field, Violations violations) {
        Matcher matcher = TIME.matcher(time);
        if (!matcher.matches()) {
            violations.add(field, "is \"" + Texts.clip(time) + "\"; give a time of the day such as 20:00");
            return -1;
        }
        return matcher.group(1) == null
                ? LaneHours.MINUTES_A_DAY
                : Integer.parseInt(matcher.group(1)) * MINUTES_AN_HOUR + Integer.parseInt(matcher.group(2));
    }

    private static String time(int minute) {
        return String.format(Locale.ROOT, "%02d:%02d", minute / MINUTES_AN_HOUR, minute % MINUTES_AN_HOUR);
    }

    private static String word(DayOfWeek day) {
        return day.name().substring(0, LETTERS_OF_A_DAY).toLowerCase(Locale.ROOT);
    }
}
