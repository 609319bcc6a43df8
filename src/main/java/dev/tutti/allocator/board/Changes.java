package dev.tutti.allocator.board;

/**
 * Which nodes changed, in order. Bounded: only the last few thousand entries are kept, and whoever comes too late looks at
 * all nodes again.
 */
public final class Changes {

    /** Entries kept, as a multiple of the nodes: a reader that missed more has nothing to gain from the list. */
    private static final int KEPT_PER_NODE = 2;

    private static final int LEAST_KEPT = 1024;

    private final int[] positions;
    private final int mask;
    /** Index after the last entry of each node. */
    private final long[] last;

    private long end;

    Changes(int nodes) {
        int kept = Integer.highestOneBit(Math.max(LEAST_KEPT, KEPT_PER_NODE * nodes));
        positions = new int[kept];
        mask = kept - 1;
        last = new long[nodes];
    }

    /** Index after the newest entry. */
    public long end() {
        return end;
    }

    /** Index of the oldest entry still kept. */
    public long begin() {
        return Math.max(0, end - positions.length);
    }

    /** The node of an entry; -1 when a later entry names it again. */
    public int at(long index) {
        int p = positions[(int) index & mask];
        return last[p] == index + 1 ? p : -1;
    }

    void add(int p) {
        positions[(int) end & mask] = p;
        last[p] = ++end;
    }

    void addAll(int lo, int hi) {
        for (int p = lo; p < hi; p++) {
            add(p);
        }
    }
}
