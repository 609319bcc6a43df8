package dev.tutti.control.read;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads queues and lanes. */
public interface QueueQueries {

    /** Queues, leaves first, then by path. */
    Page<QueueView> queues(PageRequest page);

    /** @param idOrPath a queue's id or its path */
    Optional<QueueView> queue(String idOrPath);

    List<LaneView> lanes();

    /**
     * One queue.
     *
     * @param version row version, the ETag
     * @param nominalMilli quota in milli-GPU by flavor; flavors not named are not limited here
     * @param usedMilli milli-GPU in use by flavor, with all queues below
     */
    record QueueView(
            long id,
            String path,
            @Nullable Long parent,
            boolean leaf,
            boolean held,
            long version,
            Map<String, Long> nominalMilli,
            Map<String, Long> usedMilli,
            long waiting,
            long running) {}

    /** @param rank order of consideration, 1 first */
    record LaneView(String name, int rank, String description, long waiting, long running) {}
}
