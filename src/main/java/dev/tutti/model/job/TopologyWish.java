package dev.tutti.model.job;

import org.jspecify.annotations.Nullable;

/**
 * How near to each other the pods of a job want to be.
 *
 * @param required all pods in one domain of this level, or the job waits; null means anywhere
 * @param preferred one domain of this level if there is one, else the next wider level; null means no wish
 */
public record TopologyWish(
        @Nullable String required, @Nullable String preferred) {

    public static final TopologyWish NONE = new TopologyWish(null, null);
}
