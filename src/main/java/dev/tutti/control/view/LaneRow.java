package dev.tutti.control.view;

import dev.tutti.model.queue.LaneRules;

/**
 * One lane with what counts against its rate.
 *
 * @param rules what an operator set
 * @param starts how many of its jobs started within the last {@link LaneRules#RATE_SECONDS}, counted only up to its limit and only
 *     if it has one
 * @param oldestMicros when the first of these did, the latest being counted first, in microseconds since 1970; 0 for none
 */
public record LaneRow(LaneRules rules, int starts, long oldestMicros) {

    /** A lane of which nothing started lately. */
    public LaneRow(LaneRules rules) {
        this(rules, 0, 0);
    }
}
