package dev.tutti.allocator.quota;

import dev.tutti.model.job.Lane;
import java.util.Arrays;

/**
 * What each queue may take of each resource, and what it claims of the queue above it. The same rules stand in the
 * database, which refuses what breaks them; see the decision on borrowing.
 *
 * <ul>
 *   <li>A queue's quota is its nominal quota, or, without one, the sum of those below it. The pool above all queues has
 *       the sum of the queues at the top. A queue with no quota on its whole way up is not bound, and stands outside.
 *   <li>A leaf claims what its green and yellow jobs hold. A queue above claims the sum over the queues below of what
 *       each claims, and at least what each does not lend.
 *   <li>No queue claims more than its nominal quota and what it may borrow, and all together not more than the pool.
 *   <li>Green jobs hold no more than what was promised: the leaf's quota, or, without one, what the next queue above with
 *       a quota has not promised to others. A queue outside was promised nothing.
 *   <li>Red jobs claim nothing.
 * </ul>
 *
 * <p>Queues and resources are numbers here. Not safe for use by two threads.
 */
final class QuotaTree {

    /** No limit. */
    static final long UNLIMITED = Long.MAX_VALUE;

    private static final long NONE = -1;

    private final int pool;
    private final int columns;
    /** The queue above; the pool for those at the top, -1 for the pool. */
    private final int[] parent;
    /** Queues from the leaves up, the pool last. */
    private final int[] upwards;

    private final boolean[] isLeaf;
    private final boolean[][] hasOwn;
    private final boolean[][] bound;
    private final long[][] quota;
    private final long[][] ceiling;
    private final long[][] kept;
    private final long[][] claim;
    private final long[][] green;

    /**
     * @param parent for each queue the number of the one above it; -1 at the top
     * @param columns how many resources there are
     */
    QuotaTree(int[] parent, int columns) {
        this.pool = parent.length;
        this.columns = columns;
        this.parent = Arrays.copyOf(parent, pool + 1);
        this.isLeaf = new boolean[pool + 1];
        Arrays.fill(isLeaf, true);
        for (int q = 0; q < pool; q++) {
            this.parent[q] = parent[q] < 0 ? pool : parent[q];
            isLeaf[this.parent[q]] = false;
        }
        this.parent[pool] = -1;
        this.upwards = upwards();
        hasOwn = new boolean[pool + 1][columns];
        bound = new boolean[pool + 1][columns];
        quota = filled(NONE);
        ceiling = filled(UNLIMITED);
        kept = filled(0);
        claim = filled(0);
        green = filled(0);
    }

    private long[][] filled(long value) {
        long[][] table = new long[pool + 1][columns];
        for (long[] row : table) {
            Arrays.fill(row, value);
        }
        return table;
    }

    private int[] upwards() {
        int[] depth = new int[pool + 1];
        int[] count = new int[pool + 2];
        for (int q = 0; q <= pool; q++) {
            for (int up = parent[q]; up >= 0; up = parent[up]) {
                depth[q]++;
            }
            count[depth[q]]++;
        }
        int[] next = new int[pool + 2];
        for (int d = pool; d >= 0; d--) {
            next[d] = next[d + 1] + count[d + 1];
        }
        int[] order = new int[pool + 1];
        for (int q = 0; q <= pool; q++) {
            order[next[depth[q]]++] = q;
        }
        return order;
    }

    /** Gives a queue a quota of its own; before {@link #settle}. */
    void limit(int queue, int column, long nominal, long mostBorrowed, long keptBack) {
        hasOwn[queue][column] = true;
        quota[queue][column] = nominal;
        ceiling[queue][column] = mostBorrowed == UNLIMITED ? UNLIMITED : nominal + mostBorrowed;
        kept[queue][column] = keptBack;
    }

    /** Says what the green and all counted jobs of a leaf hold; before {@link #settle}. Ignored above the leaves. */
    void use(int queue, int column, long greenUse, long countedUse) {
        if (isLeaf[queue]) {
            green[queue][column] = greenUse;
            claim[queue][column] = countedUse;
        }
    }

    /** Works out quotas and claims above the leaves. */
    void settle() {
        for (int c = 0; c < columns; c++) {
            for (int q : upwards) {
                sumUp(q, c);
            }
            for (int i = upwards.length - 1; i >= 0; i--) {
                int q = upwards[i];
                bound[q][c] = quota[q][c] != NONE || parent[q] >= 0 && parent[q] != pool && bound[parent[q]][c];
            }
            for (int q : upwards) {
                if (parent[q] >= 0 && bound[q][c]) {
                    claim[parent[q]][c] += Math.max(claim[q][c], kept[q][c]);
                    green[parent[q]][c] += Math.max(green[q][c], promised(q, c));
                }
            }
        }
        ceiling[pool] = quota[pool];
    }

    /** A queue hands its quota up to one that has none; {@link #limit} set those that have. */
    private void sumUp(int queue, int column) {
        int above = parent[queue];
        if (above >= 0 && quota[queue][column] != NONE && !hasOwn[above][column]) {
            quota[above][column] = Math.max(0, quota[above][column]) + quota[queue][column];
        }
    }

    /** All that is promised of a resource. */
    long promisedInAll(int column) {
        return promised(pool, column);
    }

    /** The queue's quota, or the sum of those below it; 0 for neither. */
    long promised(int queue, int column) {
        return Math.max(0, quota[queue][column]);
    }

    /** What a leaf with a quota of its own does not claim of it, below 0 where it claims more; else {@link #UNLIMITED}. */
    long unclaimed(int queue, int column) {
        return hasOwn[queue][column] ? quota[queue][column] - claim[queue][column] : UNLIMITED;
    }

    /** What a job of this lane may still take; never below 0, {@link #UNLIMITED} where nothing binds it. */
    long room(int queue, Lane lane, int column) {
        if (lane == Lane.RED) {
            return UNLIMITED;
        }
        if (!bound[queue][column]) {
            return lane == Lane.GREEN && bound[pool][column] ? 0 : UNLIMITED;
        }
        long room = claimable(queue, column);
        return lane == Lane.GREEN ? Math.min(room, promisedStill(queue, column)) : room;
    }

    private long claimable(int queue, int column) {
        long unlent = Math.max(0, kept[queue][column] - claim[queue][column]);
        long fromAbove = parent[queue] < 0 ? UNLIMITED : claimable(parent[queue], column);
        long most = ceiling[queue][column] == UNLIMITED
                ? UNLIMITED
                : Math.max(0, ceiling[queue][column] - claim[queue][column]);
        return Math.min(most, fromAbove == UNLIMITED ? UNLIMITED : unlent + fromAbove);
    }

    private long promisedStill(int queue, int column) {
        int q = queue;
        while (quota[q][column] == NONE) {
            q = parent[q];
        }
        return Math.max(0, quota[q][column] - green[q][column]);
    }

    /** Counts what a job of this lane takes, here and on the way up; less than nothing is given back. */
    void take(int queue, Lane lane, int column, long amount) {
        if (lane == Lane.RED || !bound[queue][column]) {
            return;
        }
        long moreClaim = amount;
        long moreGreen = lane == Lane.GREEN ? amount : 0;
        for (int q = queue; q >= 0; q = parent[q]) {
            long claimed = Math.max(claim[q][column], kept[q][column]);
            long held = Math.max(green[q][column], promised(q, column));
            claim[q][column] += moreClaim;
            green[q][column] += moreGreen;
            moreClaim = Math.max(claim[q][column], kept[q][column]) - claimed;
            moreGreen = Math.max(green[q][column], promised(q, column)) - held;
        }
    }

    /** Whether some queue has a quota of it. */
    boolean hasQuotas(int column) {
        return bound[pool][column];
    }

    /**
     * What is claimed above what was promised, on the side of {@code queue} below the first queue that stands above both;
     * all of it where nothing was promised. Below 0 where less is claimed. {@link #UNLIMITED} outside all quotas, 0 where
     * there are none.
     */
    long overdraft(int queue, int other, int column) {
        int q = belowBoth(queue, other);
        if (!hasQuotas(column)) {
            return 0;
        }
        return bound[queue][column] ? claim[q][column] - promised(q, column) : UNLIMITED;
    }

    /**
     * Whether a claim of so much more stays within what was promised to the queue and to those above it, up to the first
     * that stands above {@code other} too. Nothing was promised where none of them has a quota.
     */
    boolean isPromised(int queue, int other, int column, long more) {
        int top = belowBoth(queue, other);
        boolean any = false;
        for (int q = queue; q != parent[top]; q = parent[q]) {
            any |= quota[q][column] != NONE;
            if (quota[q][column] != NONE && claim[q][column] + more > quota[q][column]) {
                return false;
            }
        }
        return any;
    }

    private int belowBoth(int queue, int other) {
        int q = queue;
        while (!isAbove(parent[q], other)) {
            q = parent[q];
        }
        return q;
    }

    private boolean isAbove(int above, int queue) {
        int q = queue;
        while (q >= 0 && q != above) {
            q = parent[q];
        }
        return q == above;
    }
}
