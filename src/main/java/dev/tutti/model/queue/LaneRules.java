package dev.tutti.model.queue;

import dev.tutti.model.Check;
import dev.tutti.model.Limits;
import org.jspecify.annotations.Nullable;

/**
 * What an operator sets of a lane. The order of lanes is not among it.
 *
 * @param hours when its jobs may start; null for always
 * @param preempts whether its jobs make weaker ones leave; without it they get back only what their queue was promised
 * @param startsPerMinute how many of its jobs may start within any {@link #RATE_SECONDS}, 1 to {@link #MOST_STARTS}; null for any
 *     number
 * @param fallbackAfterSeconds how long a job waits before it may use one more of the flavors that it names, up to
 *     {@link Limits#FALLBACK_SECONDS}; 0 for all at once, null for none but the first. What a job says itself goes before
 */
public record LaneRules(
        @Nullable LaneHours hours,
        boolean preempts,
        @Nullable Integer startsPerMinute,
        @Nullable Integer fallbackAfterSeconds) {

    public static final int MOST_STARTS = 10_000;
    public static final int RATE_SECONDS = 60;

    /** Always open, with every right and without limit. */
    public static final LaneRules FREE = new LaneRules(null, true, null, 0);

    public LaneRules {
        Check check = new Check();
        if (startsPerMinute != null) {
            check.range(startsPerMinute, 1, MOST_STARTS, "startsPerMinute");
        }
        if (fallbackAfterSeconds != null) {
            check.range(fallbackAfterSeconds, 0, Limits.FALLBACK_SECONDS, "fallbackAfterSeconds");
        }
        check.orThrow();
    }

    /** A lane whose jobs may use all flavors that they name at once. */
    public LaneRules(@Nullable LaneHours hours, boolean preempts, @Nullable Integer startsPerMinute) {
        this(hours, preempts, startsPerMinute, 0);
    }
}
