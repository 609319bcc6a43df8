package dev.tutti.allocator.quota;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.board.Layout;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Use;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Quota of every queue, flavor by flavor, counted up as jobs are placed; and which queues are held. */
public final class QuotaCheck {

    /** No quota binds. */
    public static final long UNLIMITED = QuotaTree.UNLIMITED;

    private final Layout layout;
    private final Map<QueueId, Integer> numbers = new HashMap<>();
    private QueueShares.Share[] queues = {};
    private int[] parent = {};
    private QuotaTree now = new QuotaTree(parent, 0);
    /** As if no job ran. */
    private QuotaTree idle = now;

    private FairShare shares = new FairShare(parent, parent, new long[0]);

    private QueueShares current;

    public QuotaCheck(QueueShares queues, Layout layout) {
        this.layout = layout;
        queues.queues().keySet().stream().sorted().forEach(id -> numbers.put(id, numbers.size()));
        current = queues;
        read(queues);
    }

    /** Whether this knows exactly these queues, so that {@link #follow} can take in what changed about them. */
    public boolean knows(QueueShares queues) {
        return queues == current || numbers.keySet().equals(queues.queues().keySet());
    }

    /** Quota and use are now as given; what was taken in between is forgotten. */
    public void follow(QueueShares queues) {
        current = queues;
        read(queues);
    }

    private void read(QueueShares given) {
        this.queues = new QueueShares.Share[numbers.size()];
        parent = new int[numbers.size()];
        given.queues().forEach((id, share) -> {
            int q = numberOf(id);
            this.queues[q] = share;
            parent[q] = share.parent() == null ? -1 : numberOf(share.parent());
        });
        now = tree(true);
        idle = tree(false);
        shares = fairShare();
    }

    private QuotaTree tree(boolean withUse) {
        QuotaTree tree = new QuotaTree(parent, layout.flavors());
        for (int q = 0; q < queues.length; q++) {
            int queue = q;
            queues[q].quotas().forEach((key, quota) -> limit(tree, queue, key, quota));
            if (withUse) {
                queues[q].used().forEach((key, use) -> use(tree, queue, key, use));
            }
        }
        tree.settle();
        return tree;
    }

    private FairShare fairShare() {
        int[] weight = Arrays.stream(queues)
                .mapToInt(queue -> queue.rules().fairShareWeight())
                .toArray();
        FairShare fair = new FairShare(parent, weight, layout.milliOf());
        for (int q = 0; q < queues.length; q++) {
            int queue = q;
            for (int f = 0; f < layout.flavors(); f++) {
                fair.limit(q, f, now.promised(q, f));
            }
            queues[q].used().forEach((key, use) -> {
                if (column(key) >= 0) {
                    fair.use(queue, column(key), use.counted(), use.red());
                }
            });
        }
        return fair;
    }

    private void limit(QuotaTree tree, int queue, QuotaKey key, Quota quota) {
        int flavor = column(key);
        if (flavor >= 0) {
            long borrowing = quota.borrowingLimit() == null ? UNLIMITED : quota.borrowingLimit();
            tree.limit(queue, flavor, quota.nominal(), borrowing, quota.kept());
        }
    }

    private void use(QuotaTree tree, int queue, QuotaKey key, Use use) {
        int flavor = column(key);
        if (flavor >= 0) {
            tree.use(queue, flavor, use.green(), use.counted());
        }
    }

    private int column(QuotaKey key) {
        return key.resource() == QuotaResource.GPU_MILLI ? layout.flavorOf(key.flavor()) : -1;
    }

    /** Number of the queue here; -1 when it is unknown. */
    public int numberOf(QueueId queue) {
        return numbers.getOrDefault(queue, -1);
    }

    /** Whether an operator holds the queue or one above it. */
    public boolean isHeld(int queue) {
        for (int q = queue; q >= 0; q = parent[q]) {
            if (queues[q].rules().held()) {
                return true;
            }
        }
        return false;
    }

    /** Milli-GPU of each flavor that a job of this queue and lane may still take; never below 0. */
    public long[] room(int queue, Lane lane) {
        return room(now, queue, lane);
    }

    /** Milli-GPU of each flavor that a job of this queue and lane could take if no other job ran. */
    public long[] limits(int queue, Lane lane) {
        return room(idle, queue, lane);
    }

    private long[] room(QuotaTree tree, int queue, Lane lane) {
        long[] room = new long[layout.flavors()];
        Arrays.setAll(room, flavor -> tree.room(queue, lane, flavor));
        return room;
    }

    /** Counts what was placed, on the queue and all above it. */
    public void take(int queue, Lane lane, int flavor, long milli) {
        now.take(queue, lane, flavor, milli);
        shares.take(queue, lane, flavor, milli);
    }

    /** The queue above; -1 at the top, and for a queue that is unknown. */
    public int parentOf(int queue) {
        return queue < 0 ? -1 : parent[queue];
    }

    /** Whether a job of the queue that cannot start keeps those behind it off the flavors it waits for. */
    public boolean isStrict(int queue) {
        return queue >= 0 && queues[queue].rules().strict();
    }

    /**
     * Below 0 when the first of two siblings is owed the next start of this lane, above 0 when the second is.
     *
     * @param flavorsOfOne flavors that its next job may run on
     */
    public int compareShares(int one, boolean[] flavorsOfOne, int other, boolean[] flavorsOfOther, Lane lane) {
        return one < 0 || other < 0 ? 0 : shares.compare(one, flavorsOfOne, other, flavorsOfOther, lane);
    }
}
