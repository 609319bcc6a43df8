package dev.tutti.allocator.board;

/**
 * Which whole GPUs of a node a pod gets: one island if one holds it, the smallest that does; else as few as possible. Of
 * equals a pod that asks for no RDMA NIC, as they do here, gets those without a free one beside them.
 */
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
        boolean[] paired = paired(board, p);
        int[] island = board.layout.island;
        int end = at + devices;
        while (at < end) {
            int wanted = bestIsland(island, lo, left, paired, end - at);
            at = take(island, lo, left, paired, wanted, false, into, at, end);
            at = take(island, lo, left, paired, wanted, true, into, at, end);
        }
    }

    /** Whether an RDMA NIC is free beside the device. */
    static boolean hasNicBeside(Board board, int p, int device) {
        int place = board.layout.devicePlace[device];
        for (int g = board.layout.nicLo[p]; g < board.layout.nicLo[p + 1] && place >= 0; g++) {
            if (board.layout.nicPlace[g] == place && board.nics(g) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Devices of the node with a free NIC beside them. */
    private static boolean[] paired(Board board, int p) {
        int lo = board.layout.deviceLo[p];
        boolean[] paired = new boolean[board.layout.devicesOf(p)];
        for (int i = 0; i < paired.length && board.layout.hasNics(p); i++) {
            paired[i] = hasNicBeside(board, p, lo + i);
        }
        return paired;
    }

    private static int take(
            int[] island,
            int lo,
            boolean[] left,
            boolean[] paired,
            int wanted,
            boolean pairs,
            int[] into,
            int at,
            int end) {
        int next = at;
        for (int i = 0; i < left.length && next < end; i++) {
            if (left[i] && island[lo + i] == wanted && paired[i] == pairs) {
                into[next++] = lo + i;
                left[i] = false;
            }
        }
        return next;
    }

    /** The smallest island that suffices, else the largest; of equals the one with most devices that are not paired. */
    private static int bestIsland(int[] island, int lo, boolean[] left, boolean[] paired, int needed) {
        int best = -1;
        int bestSize = 0;
        int bestAlone = 0;
        for (int i = 0; i < left.length; i++) {
            if (!left[i] || island[lo + i] == best) {
                continue;
            }
            int size = 0;
            int alone = 0;
            for (int j = 0; j < left.length; j++) {
                boolean counts = left[j] && island[lo + j] == island[lo + i];
                size += counts ? 1 : 0;
                alone += counts && !paired[j] ? 1 : 0;
            }
            boolean suffices = size >= needed;
            boolean better = bestSize >= needed ? suffices && size < bestSize : size > bestSize;
            if (best < 0 || better || size == bestSize && Math.min(alone, needed) > Math.min(bestAlone, needed)) {
                best = island[lo + i];
                bestSize = size;
                bestAlone = alone;
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
