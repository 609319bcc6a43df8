package dev.tutti.model.job;

import dev.tutti.model.Check;
import dev.tutti.model.Limits;

/**
 * A pod set cut into equal parts in order of rank, each of them whole in one domain.
 *
 * @param pods pods of each segment, 1 to {@link Limits#PODS_PER_SET}
 * @param level level of the domain that holds a segment
 */
public record TopologySegment(int pods, String level) {

    public TopologySegment {
        new Check().range(pods, 1, Limits.PODS_PER_SET, "pods").orThrow();
    }
}
