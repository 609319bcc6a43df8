package dev.tutti.control;

import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.LaneHours;
import org.jspecify.annotations.Nullable;

/** The administrator's way to change lanes. Every change is one transaction with its audit row. */
public interface LaneBook {

    /**
     * Changes a lane at exactly this row version.
     *
     * @param hours when its jobs may start; null for always
     * @return whether the row had this version; if not, nothing is changed
     */
    boolean change(Lane lane, long version, @Nullable LaneHours hours, Actor.Caller caller);
}
