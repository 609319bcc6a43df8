package dev.tutti.control;

import dev.tutti.model.JobId;
import java.util.List;

/**
 * Jobs that wait for others to succeed. What is due is asked of the rows alone, so that nothing is lost by whoever asks; each
 * call is one generation of jobs and bounded.
 */
public interface Dependencies {

    /** Waiting jobs of which a parent ended and did not succeed. */
    List<JobId> broken();

    /** Lets those be considered whose parents have all succeeded; returns how many parents were done with. */
    int release(Actor.Leader leader);
}
