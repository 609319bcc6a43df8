package dev.tutti.allocator;

import dev.tutti.model.QueueId;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Use;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Quota and use of every queue, and what lanes may do. A job counts against its leaf and against every queue above it.
 *
 * @param queues by id
 * @param lanes what the rules of the lanes allow now
 */
public record QueueShares(Map<QueueId, Share> queues, LanesNow lanes) {

    public QueueShares {
        queues = Map.copyOf(queues);
    }

    /** With every lane free. */
    public QueueShares(Map<QueueId, Share> queues) {
        this(queues, LanesNow.FREE);
    }

    /**
     * One queue.
     *
     * @param parent index key of the queue above; null at the top
     * @param rules how its jobs get their turn
     * @param quotas its own quotas; of what is not named it has none
     * @param used what living members hold, this queue and all below it
     */
    public record Share(
            @Nullable QueueId parent, QueueRules rules, Map<QuotaKey, Quota> quotas, Map<QuotaKey, Use> used) {
        public Share {
            quotas = Map.copyOf(quotas);
            used = Map.copyOf(used);
        }
    }
}
