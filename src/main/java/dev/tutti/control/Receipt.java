package dev.tutti.control;

import dev.tutti.model.JobId;
import java.util.Map;
import java.util.Set;

/**
 * What a commit made true.
 *
 * @param committed jobs whose placement now stands
 * @param stale jobs whose row had moved on, or whose node or devices had; they will be decided again
 * @param refused jobs a constraint of the database refused, with its words: an alarm, never normal
 */
public record Receipt(Set<JobId> committed, Set<JobId> stale, Map<JobId, String> refused) {
    public Receipt {
        committed = Set.copyOf(committed);
        stale = Set.copyOf(stale);
        refused = Map.copyOf(refused);
    }
}
