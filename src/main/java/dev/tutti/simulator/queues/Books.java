package dev.tutti.simulator.queues;

import dev.tutti.allocator.QueueShares;
import dev.tutti.model.Limits;
import dev.tutti.model.QueueId;
import dev.tutti.model.queue.PastShare;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Use;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each queue holds and wants, for the scheduler and for those who watch. It refuses more than a quota allows. */
final class Books {

    private static final String FLAVOR = "gpu";

    private final List<QueueNode> queues;
    private final RunRules rules;
    private final long[] heldGpus;
    private final long[] waitingGpus;
    private Map<QueueId, PastShare> pasts = Map.of();

    Books(List<QueueNode> queues, RunRules rules) {
        this.queues = queues;
        this.rules = rules;
        heldGpus = new long[queues.size()];
        waitingGpus = new long[queues.size()];
    }

    /** The name of the flavor that jobs of a queue run on. */
    String flavor(int queue) {
        return rules.apart() ? FLAVOR + "-" + queue : FLAVOR;
    }

    /** The queue as the scheduler knows it. */
    QueueId idOf(int queue) {
        return new QueueId(rules.oneQueue() ? 1 : queue + 1);
    }

    /** Counts what jobs of a leaf hold, more or less. */
    void hold(int leaf, long gpus) {
        for (int q = leaf; q >= 0; q = queues.get(q).parent()) {
            heldGpus[q] += gpus;
            boolean isOver = !rules.borrowing()
                    && !rules.oneQueue()
                    && heldGpus[q] > queues.get(q).gpus();
            if (isOver || heldGpus[q] < 0) {
                throw new IllegalStateException("queue " + queues.get(q) + " holds " + heldGpus[q] + " GPUs");
            }
        }
        if (gpus > 0 && !rules.oneQueue() && !new Claims(queues, heldGpus).isAllowed()) {
            throw new IllegalStateException(
                    "with " + gpus + " GPUs more for " + queues.get(leaf) + " somebody claims more than it may");
        }
    }

    /** Counts what jobs of a leaf wait for, more or less. */
    void queue(int leaf, long gpus) {
        for (int q = leaf; q >= 0; q = queues.get(q).parent()) {
            waitingGpus[q] += gpus;
        }
    }

    long held(int queue) {
        return heldGpus[queue];
    }

    private static @Nullable Long milli(@Nullable Integer gpus) {
        return gpus == null ? null : Long.valueOf((long) gpus * Limits.DEVICE_MILLI);
    }

    List<QueueNode> queues() {
        return queues;
    }

    /** What each queue holds, by number. */
    long[] held() {
        return heldGpus.clone();
    }

    /** What is held and waited for. */
    long wanted(int queue) {
        return heldGpus[queue] + waitingGpus[queue];
    }

    /** What each queue held lately, as of now. */
    void remember(Map<QueueId, PastShare> lately) {
        pasts = Map.copyOf(lately);
    }

    QueueShares shares() {
        Map<QueueId, QueueShares.Share> shares = new HashMap<>();
        if (rules.oneQueue()) {
            QueueRules plain = new QueueRules(false, rules.strict(), 1);
            shares.put(new QueueId(1), new QueueShares.Share(null, plain, Map.of(), Map.of()));
            return new QueueShares(shares);
        }
        for (int q = 0; q < queues.size(); q++) {
            shares.put(idOf(q), share(q));
        }
        return new QueueShares(shares);
    }

    private QueueShares.Share share(int queue) {
        QueueNode node = queues.get(queue);
        QuotaKey key = QuotaKey.gpus(flavor(queue));
        Quota quota = new Quota(
                (long) node.gpus() * Limits.DEVICE_MILLI,
                rules.borrowing() ? milli(node.borrowingLimit()) : Long.valueOf(0),
                milli(node.lendingLimit()));
        Use use = new Use(0, heldGpus[queue] * Limits.DEVICE_MILLI, 0);
        @Nullable QueueId parent = node.parent() < 0 ? null : idOf(node.parent());
        return new QueueShares.Share(
                "",
                parent,
                new QueueRules(false, rules.strict(), node.weight()),
                Map.of(key, quota),
                Map.of(key, use),
                pasts.getOrDefault(idOf(queue), PastShare.NONE));
    }
}
