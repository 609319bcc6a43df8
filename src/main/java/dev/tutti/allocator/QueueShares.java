package dev.tutti.allocator;

import dev.tutti.model.QueueId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Quota and use of every queue. A job counts against its leaf and against every queue above it.
 *
 * @param queues by id
 */
public record QueueShares(Map<QueueId, Share> queues) {

    public QueueShares {
        queues = Map.copyOf(queues);
    }

    /**
     * One queue.
     *
     * @param parent index key of the queue above; null at the top
     * @param held whether an operator holds it: nothing starts
     * @param nominalMilli quota in milli-GPU by flavor name; a flavor that is not named is not limited here
     * @param usedMilli milli-GPU in use by flavor name, this queue and all below it
     */
    public record Share(
            @Nullable QueueId parent, boolean held, Map<String, Long> nominalMilli, Map<String, Long> usedMilli) {
        public Share {
            nominalMilli = Map.copyOf(nominalMilli);
            usedMilli = Map.copyOf(usedMilli);
        }
    }
}
