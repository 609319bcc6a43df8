package dev.tutti.allocator;

import dev.tutti.model.QueueId;
import dev.tutti.model.queue.PastShare;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Use;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
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

    /** Queues of which some limit is of each user alone: their own, or of a queue above. */
    Set<QueueId> withLimitsOfUsers() {
        if (queues.values().stream().noneMatch(Share::limitsUsers)) {
            return Set.of();
        }
        Set<QueueId> limited = new HashSet<>();
        for (QueueId id : queues.keySet()) {
            for (QueueId q = id;
                    q != null;
                    q = queues.containsKey(q) ? queues.get(q).parent() : null) {
                if (queues.containsKey(q) && queues.get(q).limitsUsers()) {
                    limited.add(id);
                }
            }
        }
        return limited;
    }

    /** With every lane free. */
    public QueueShares(Map<QueueId, Share> queues) {
        this(queues, LanesNow.FREE);
    }

    /**
     * One queue.
     *
     * @param path its path
     * @param parent index key of the queue above; null at the top
     * @param rules how its jobs get their turn
     * @param quotas its own quotas; of what is not named it has none
     * @param used what living members hold, this queue and all below it
     * @param past what they held lately
     */
    public record Share(
            String path,
            @Nullable QueueId parent,
            QueueRules rules,
            Map<QuotaKey, Quota> quotas,
            Map<QuotaKey, Use> used,
            PastShare past) {
        public Share {
            quotas = Map.copyOf(quotas);
            used = Map.copyOf(used);
        }

        boolean limitsUsers() {
            return rules.limits().ofUsers();
        }

        /** A queue of which nobody needs the path, without a past. */
        public Share(@Nullable QueueId parent, QueueRules rules, Map<QuotaKey, Quota> quotas, Map<QuotaKey, Use> used) {
            this("", parent, rules, quotas, used, PastShare.NONE);
        }
    }
}
