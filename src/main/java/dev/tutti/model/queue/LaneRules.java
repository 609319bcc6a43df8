package dev.tutti.model.queue;

import dev.tutti.model.Check;
import org.jspecify.annotations.Nullable;

/**
 * What an operator sets of a lane. The order of lanes is not among it.
 *
 * @param hours when its jobs may start; null for always
 * @param preempts whether its jobs make weaker ones leave; without it they get back only what their queue was promised
 * @param startsPerMinute how many of its jobs may start within any {@link #RATE_SECONDS}, 1 to {@link #MOST_STARTS}; null for any
 *     number
 */
public record LaneRules(
        @Nullable LaneHours hours,
        boolean preempts,
        @Nullable Integer startsPerMinute) {

    public static final int MOST_STARTS = 10_000;
    public static final int RATE_SECONDS = 60;

    /** Always open, with every right and without limit. */
    public static final LaneRules FREE = new LaneRules(null, true, null);

    public LaneRules {
        if (startsPerMinute != null) {
            new Check()
                    .range(startsPerMinute, 1, MOST_STARTS, "startsPerMinute")
                    .orThrow();
        }
    }
}
