package dev.tutti.control.read;

import dev.tutti.model.JobId;
import java.util.List;
import java.util.Optional;

/** Reads jobs. */
public interface JobQueries {

    Optional<JobView> job(JobId id);

    /** Throws {@link BrokenCursor} for a cursor that is not of this list. */
    Page<JobView> jobs(JobFilter filter, PageRequest page);

    /** Members of the live or last attempt, in rank order. */
    Page<MemberView> members(JobId id, PageRequest page);

    /** Where the living members of the live attempt are, the most pods first, at most {@link PlaceView#SHOWN}. */
    List<PlaceView> places(JobId id);

    /** The attempts, newest first, at most {@link Page#MAX_LIMIT}. */
    List<AttemptView> attempts(JobId id);
}
