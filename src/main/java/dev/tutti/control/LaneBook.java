package dev.tutti.control;

import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.LaneRules;

/** The administrator's way to change lanes. Every change is one transaction with its audit row. */
public interface LaneBook {

    /**
     * Changes a lane at exactly this row version.
     *
     * @return whether the row had this version; if not, nothing is changed
     */
    boolean change(Lane lane, long version, LaneRules rules, Actor.Caller caller);
}
