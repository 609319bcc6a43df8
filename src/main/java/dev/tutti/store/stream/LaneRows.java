package dev.tutti.store.stream;

import dev.tutti.control.view.LaneRow;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.LaneRules;
import dev.tutti.store.Json;
import dev.tutti.store.queues.HoursRow;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads rules of lanes, and what started lately of those that have a rate, as rows gathered into JSON. */
final class LaneRows {

    /** Starts are of the database's clock, so that every replica counts the same; the lane is the one an attempt started in. */
    static final String SELECT = """
            (SELECT json_agg(json_build_object('name', l.name, 'hours', l.hours, 'preempts', l.preempts,
                                               'startsPerMinute', l.starts_per_minute,
                                               'fallbackAfterSeconds', l.fallback_after_seconds,
                                               'starts', s.starts, 'oldestMicros', s.oldest))
             FROM lanes l CROSS JOIN LATERAL (
                 SELECT count(*) AS starts, COALESCE(min(x.at), 0) AS oldest
                 FROM (SELECT micros(t.allocated_at) AS at FROM attempts t
                       WHERE l.starts_per_minute IS NOT NULL AND t.allocated_at > now() - interval '{seconds} seconds'
                       AND (SELECT a.lane FROM allocations a WHERE a.job_id = t.job_id AND a.attempt = t.number
                            ORDER BY a.rank LIMIT 1) = l.name
                       ORDER BY t.allocated_at DESC LIMIT l.starts_per_minute) x) s)::text""".replace("{seconds}", Integer.toString(LaneRules.RATE_SECONDS));

    private LaneRows() {}

    static Map<Lane, LaneRow> read(@Nullable String json) {
        Map<Lane, LaneRow> lanes = new EnumMap<>(Lane.class);
        for (Row row : json == null ? new Row[0] : Json.read(json, Row[].class)) {
            LaneRules rules = new LaneRules(
                    row.hours == null ? null : row.hours.hours(),
                    row.preempts,
                    row.startsPerMinute,
                    row.fallbackAfterSeconds);
            if (!rules.equals(LaneRules.FREE)) {
                lanes.put(
                        Lane.valueOf(row.name.toUpperCase(Locale.ROOT)),
                        new LaneRow(rules, row.starts, row.oldestMicros));
            }
        }
        return lanes;
    }

    record Row(
            String name,
            @Nullable HoursRow hours,
            boolean preempts,
            @Nullable Integer startsPerMinute,
            @Nullable Integer fallbackAfterSeconds,
            int starts,
            long oldestMicros) {}
}
