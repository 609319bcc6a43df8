package dev.tutti.simulator.queues;

import java.util.List;

/**
 * What each queue claims of the queue above it, in whole GPUs, worked out anew from what the leaves hold: a leaf claims that, a
 * queue above claims the sum over those below, and of each at least what it does not lend. Told plainly, and without any code
 * of the scheduler.
 */
final class Claims {

    private final List<QueueNode> queues;
    private final long[] claims;
    private final long pool;

    /** @param held what the jobs of each leaf hold; of queues above it is ignored */
    Claims(List<QueueNode> queues, long[] held) {
        this.queues = queues;
        boolean[] isAbove = new boolean[queues.size()];
        queues.stream().filter(queue -> queue.parent() >= 0).forEach(queue -> isAbove[queue.parent()] = true);
        claims = new long[queues.size()];
        long all = 0;
        for (int q = queues.size() - 1; q >= 0; q--) {
            claims[q] += isAbove[q] ? 0 : held[q];
            long lent = Math.max(claims[q], queues.get(q).kept());
            int above = queues.get(q).parent();
            if (above < 0) {
                all += lent;
            } else {
                claims[above] += lent;
            }
        }
        pool = all;
    }

    long of(int queue) {
        return claims[queue];
    }

    /** Whether nobody claims more than allowed, and all together not more than there is. */
    boolean isAllowed() {
        long promised = 0;
        for (int q = 0; q < claims.length; q++) {
            if (claims[q] > queues.get(q).ceiling()) {
                return false;
            }
            promised += queues.get(q).parent() < 0 ? queues.get(q).gpus() : 0;
        }
        return pool <= promised;
    }

    /** Whether a claim of so much more stays promised, from a leaf up to the first queue that stands above another leaf too. */
    boolean isPromised(int leaf, int other, long more) {
        int top = belowBoth(leaf, other);
        for (int q = leaf; q != queues.get(top).parent(); q = queues.get(q).parent()) {
            if (claims[q] + more > queues.get(q).gpus()) {
                return false;
            }
        }
        return true;
    }

    /** Whether a leaf's side, below the first queue that stands above another leaf too, claims more than it was promised. */
    boolean isOverdrawn(int leaf, int other) {
        int top = belowBoth(leaf, other);
        return claims[top] > queues.get(top).gpus();
    }

    private int belowBoth(int leaf, int other) {
        int q = leaf;
        while (!isAbove(queues.get(q).parent(), other)) {
            q = queues.get(q).parent();
        }
        return q;
    }

    private boolean isAbove(int above, int queue) {
        int q = queue;
        while (q >= 0 && q != above) {
            q = queues.get(q).parent();
        }
        return q == above;
    }
}
