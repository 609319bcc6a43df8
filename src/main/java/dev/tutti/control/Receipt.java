package dev.tutti.control;

import dev.tutti.model.JobId;
import java.util.Map;
import java.util.Set;

/**
 * What a commit made true.
 *
 * @param committed jobs whose placement now stands
 * @param evicted victims that are now stopping
 * @param stale jobs whose row had moved on, or whose node or devices had; they will be decided again. Victims and those they
 *     were to make way for too
 * @param refused jobs a constraint of the database refused, with its words: an alarm, never normal
 */
public record Receipt(Set<JobId> committed, Set<JobId> evicted, Set<JobId> stale, Map<JobId, String> refused) {
    public Receipt {
        committed = Set.copyOf(committed);
        evicted = Set.copyOf(evicted);
        stale = Set.copyOf(stale);
        refused = Map.copyOf(refused);
    }
}
