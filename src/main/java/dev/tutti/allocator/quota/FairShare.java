package dev.tutti.allocator.quota;

import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.PastShare;
import java.util.Arrays;

/**
 * Which of two queues is owed the next start: the one with less weighted dominant share, after dominant resource fairness
 * (Ghodsi et al., NSDI 2011). The share of green and yellow jobs is what they hold above the quota of their queue; of
 * several resources the one counts of which that is the largest part of all there is. Where neither holds more than its
 * quota, the one is owed it that has got less of what it was promised of the flavors its next job may run on. The share
 * of red jobs is all that they hold. Whole numbers only.
 *
 * <p>What a queue held lately counts like what it holds now, but never against what it was promised: not for green jobs,
 * and not while the queue holds nothing above its quota and has not got all of it.
 */
final class FairShare {

    /** A part of all there is, in millionths. */
    private static final long WHOLE = 1_000_000;

    private final int[] parent;
    private final int[] weight;
    private final long[] capacity;
    private final long[][] quota;
    private final long[][] counted;
    private final long[][] red;
    private final PastShare[] past;

    /**
     * @param parent for each queue the number of the one above it; -1 at the top
     * @param capacity all there is of each resource; 0 for one that does not count
     */
    FairShare(int[] parent, int[] weight, long[] capacity) {
        this.parent = parent;
        this.weight = weight;
        this.capacity = capacity;
        quota = new long[parent.length][capacity.length];
        counted = new long[parent.length][capacity.length];
        red = new long[parent.length][capacity.length];
        past = new PastShare[parent.length];
        Arrays.fill(past, PastShare.NONE);
    }

    /** What the jobs of a queue and of all below it held lately. */
    void remember(int queue, PastShare lately) {
        past[queue] = lately;
    }

    void limit(int queue, int column, long nominal) {
        quota[queue][column] = nominal;
    }

    /** What the jobs of a queue and of all below it hold. */
    void use(int queue, int column, long countedUse, long redUse) {
        counted[queue][column] = countedUse;
        red[queue][column] = redUse;
    }

    void take(int queue, Lane lane, int column, long amount) {
        long[][] held = lane == Lane.RED ? red : counted;
        for (int q = queue; q >= 0; q = parent[q]) {
            held[q][column] += amount;
        }
    }

    /** Below 0 when the first is owed the next start of this lane, above 0 when the second is. */
    int compare(int one, boolean[] columnsOfOne, int other, boolean[] columnsOfOther, Lane lane) {
        int bySurplus = Long.compare(nowAndLately(one, lane) * weight[other], nowAndLately(other, lane) * weight[one]);
        return bySurplus != 0 || lane == Lane.RED
                ? bySurplus
                : Long.compare(got(one, columnsOfOne), got(other, columnsOfOther));
    }

    /** How much it has of what it was promised, in millionths; the whole where it was promised nothing. */
    private long got(int queue, boolean[] columns) {
        long most = 0;
        for (int c = 0; c < columns.length; c++) {
            if (columns[c]) {
                most = Math.max(most, quota[queue][c] == 0 ? WHOLE : counted[queue][c] * WHOLE / quota[queue][c]);
            }
        }
        return Math.min(most, WHOLE);
    }

    /** Does not depend on who is first in the queue, so that the order stays the same whoever else is tried. */
    private long nowAndLately(int queue, Lane lane) {
        long now = dominant(queue, lane);
        return switch (lane) {
            case GREEN -> now;
            case YELLOW -> now == 0 && isOwed(queue) ? 0 : now + past[queue].surplusMillionths();
            case RED -> now + past[queue].redMillionths();
        };
    }

    /** Whether it has not got all that it was promised. */
    private boolean isOwed(int queue) {
        for (int c = 0; c < capacity.length; c++) {
            if (counted[queue][c] < quota[queue][c]) {
                return true;
            }
        }
        return false;
    }

    /** What it holds above its quota, or of red jobs all that it holds, in millionths of all there is. */
    long dominant(int queue, Lane lane) {
        long most = 0;
        for (int c = 0; c < capacity.length; c++) {
            long held = lane == Lane.RED ? red[queue][c] : Math.max(0, counted[queue][c] - quota[queue][c]);
            if (capacity[c] > 0 && held > 0) {
                most = Math.max(most, held * WHOLE / capacity[c]);
            }
        }
        return most;
    }
}
