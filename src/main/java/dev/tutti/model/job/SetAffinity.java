package dev.tutti.model.job;

import dev.tutti.model.Check;
import dev.tutti.model.fleet.TopologyLevels;

/**
 * Where the pods of one set have to be, seen from those of another set of the same job.
 *
 * @param podSet name of the other set
 * @param level a topology level
 * @param kind whether they share a domain of that level
 */
public record SetAffinity(String podSet, String level, Kind kind) {

    /** Affinities of one pod set. */
    public static final int MOST = 16;

    /** Near or far. */
    public enum Kind {
        /** All pods of both sets are in one domain of the level. */
        TOGETHER,
        /** No domain of the level holds pods of both sets. */
        APART
    }

    public SetAffinity {
        new Check()
                .that(
                        kind == Kind.TOGETHER || !level.equals(TopologyLevels.CLUSTER_LEVEL),
                        "level",
                        "is cluster; give a narrower level, as all pods of a job are in one cluster")
                .orThrow();
    }
}
