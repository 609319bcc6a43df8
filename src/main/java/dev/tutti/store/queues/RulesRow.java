package dev.tutti.store.queues;

import dev.tutti.model.queue.LaneRules;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A lane's rules as they are stored, and told in the journal. */
record RulesRow(
        @Nullable HoursRow hours,
        boolean preempts,
        @Nullable Integer startsPerMinute,
        @Nullable Integer fallbackAfterSeconds) {

    static RulesRow of(LaneRules rules) {
        return new RulesRow(
                rules.hours() == null ? null : HoursRow.of(rules.hours()),
                rules.preempts(),
                rules.startsPerMinute(),
                rules.fallbackAfterSeconds());
    }

    /** With the lane's version; what is not limited is not named. */
    Map<String, Object> facts(long version) {
        Map<String, Object> facts = new TreeMap<>(Map.of("version", version, "preempts", preempts));
        if (hours != null) {
            facts.put("hours", hours);
        }
        if (startsPerMinute != null) {
            facts.put("startsPerMinute", startsPerMinute);
        }
        if (fallbackAfterSeconds != null) {
            facts.put("fallbackAfterSeconds", fallbackAfterSeconds);
        }
        return facts;
    }
}
