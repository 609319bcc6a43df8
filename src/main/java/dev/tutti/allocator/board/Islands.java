package dev.tutti.allocator.board;

/** Which whole GPUs of a node a pod gets: one island if one holds it, the smallest that does; else as few as possible. */
public final class Islands {

    public static final int NONE = Integer.MAX_VALUE;

    private Islands() {}

    /** Whole free GPUs in the smallest island of the node that has at least {@code devices}; {@link #NONE} for none. */
    public static int tightest(Board board, int p, int devices) {
        int best = NONE;
        int lo = board.layout.deviceLo[p];
        int hi = board.layout.deviceLo[p + 1];
        for (int d = lo; d < hi; d++) {
            if (board.free(d) == Board.WHOLE) {
                int size = freeIn(board, lo, hi, board.layout.island[d]);
                if (size == board.whole(p)) {
                    return size >= devices ? size : NONE;
                }
                if (size >= devices && size < best) {
                    best = size;
                }
            }
        }
        return best;
    }

    /** Writes {@code devices} whole free devices of the node to {@code into}, from {@code at}. They must be there. */
    public static void choose(Board board, int p, int devices, int[] into, int at) {
        int lo = board.layout.deviceLo[p];
        int hi = board.layout.deviceLo[p + 1];
        boolean[] left = new boolean[hi - lo];
        for (int d = lo; d < hi; d++) {
            left[d - lo] = board.free(d) == Board.WHOLE;
        }
        int[] island = board.layout.island;
        int end = at + devices;
        while (at < end) {
            int wanted = bestIsland(island, lo, left, end - at);
            for (int d = lo; d < hi && at < end; d++) {
                if (left[d - lo] && island[d] == wanted) {
                    into[at++] = d;
                    left[d - lo] = false;
                }
            }
        }
    }

    /** The smallest island that suffices, else the largest. */
    private static int bestIsland(int[] island, int lo, boolean[] left, int needed) {
        int best = -1;
        int bestSize = 0;
        for (int i = 0; i < left.length; i++) {
            if (!left[i] || island[lo + i] == best) {
                continue;
            }
            int size = 0;
            for (int j = 0; j < left.length; j++) {
                size += left[j] && island[lo + j] == island[lo + i] ? 1 : 0;
            }
            boolean suffices = size >= needed;
            boolean better = bestSize >= needed ? suffices && size < bestSize : size > bestSize;
            if (best < 0 || better) {
                best = island[lo + i];
                bestSize = size;
            }
        }
        return best;
    }

    private static int freeIn(Board board, int lo, int hi, int island) {
        int size = 0;
        for (int d = lo; d < hi; d++) {
            size += board.free(d) == Board.WHOLE && board.layout.island[d] == island ? 1 : 0;
        }
        return size;
    }
}
