package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Capacity;
import dev.tutti.allocator.board.Cells;

/** How many pods of each set of a gang each node of a domain holds while nothing of the gang is placed. */
final class Supply {

    /** What all that a set could use is worth to it when it needs all of it. */
    private static final long WORTH = 1L << 30;

    private final int[] lo;
    private final int[][] holds;
    private final long[] sum;
    private final int[] target;

    private Supply(int[] lo, int[][] holds, long[] sum, int[] target) {
        this.lo = lo;
        this.holds = holds;
        this.sum = sum;
        this.target = target;
    }

    static Supply of(Board board, Work work, Request request, Domain domain, int[] target) {
        Cells cells = board.layout.cells;
        int sets = request.sets();
        int[] lo = new int[sets];
        int[][] holds = new int[sets][];
        long[] sum = new long[sets];
        for (int s = 0; s < sets; s++) {
            lo[s] = domain.lo(cells, s);
            holds[s] = new int[domain.hi(cells, s) - lo[s]];
            for (int i = 0; i < holds[s].length; i++) {
                holds[s][i] = Capacity.ofNode(board, lo[s] + i, request.shapes[s], target[s]);
                sum[s] += holds[s][i];
            }
            work.spend(holds[s].length);
        }
        return new Supply(lo, holds, sum, target);
    }

    /** The sets, first those that need the largest share of what could hold them; equals stay in order. */
    int[] scarcestFirst(int[] sets) {
        int[] order = sets.clone();
        for (int i = 0; i < order.length; i++) {
            int set = order[i];
            int at = i;
            while (at > 0 && need(set) > need(order[at - 1])) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = set;
        }
        return order;
    }

    private long need(int set) {
        return target[set] * WORTH / Math.max(1, sum[set]);
    }

    /** What the nodes from {@code from} up to but without {@code to} are worth to a set: more the scarcer its room is. */
    long worth(int set, int from, int to) {
        long pods = 0;
        int end = Math.min(to - lo[set], holds[set].length);
        for (int i = Math.max(0, from - lo[set]); i < end; i++) {
            pods += holds[set][i];
        }
        return pods * need(set) / Math.max(1, sum[set]);
    }
}
