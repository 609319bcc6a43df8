package dev.tutti.allocator.fit;

/**
 * The node for one pod: the tightest that holds it, so that the largest holes stay whole for those who need them.
 *
 * <ul>
 *   <li>Whole GPUs: a node where one island holds the pod before others; then fewest whole GPUs left.
 *   <li>A share: the device with least left over; a whole GPU is broken only when no shared one has room.
 *   <li>CPU only: nodes without GPUs, then nodes with few free GPUs, there where most CPU stays beside free GPUs.
 * </ul>
 *
 * Equals are told apart by their rack, where one already in use comes before an untouched one and a fuller one before an
 * emptier one, and then by the least CPU left; of very many equals the first {@link #LOOK} by position are compared.
 */
final class BestFit {

    /** Candidates compared closely; bounds the work for one pod on a large empty fleet. */
    private static final int LOOK = 64;

    /** Position of the node found. */
    int node;
    /** The device found for a share; -1 where {@link Islands} shall choose. */
    int device;

    private final Board board;
    private final int[] rackOf;
    private int looks;
    private long bestFirst;
    private long bestSecond;
    private long bestThird;

    BestFit(Board board) {
        this.board = board;
        this.rackOf = board.layout.cells.of[board.layout.cells.depths() - 1];
    }

    /** Finds a node for the pod in the area; false when there is none. */
    boolean find(PodShape shape, Area area) {
        if (shape.devices() == 0) {
            return findCpu(shape, area);
        }
        return shape.isWhole() ? findWhole(shape, area) : findShare(shape, area);
    }

    private boolean findWhole(PodShape shape, Area area) {
        int devices = shape.devices();
        if (devices > board.layout.mostDevices) {
            return false;
        }
        device = -1;
        boolean oneIsland = devices <= board.layout.largestIsland;
        return (oneIsland && findWhole(shape, area, true)) || (devices > 1 && findWhole(shape, area, false));
    }

    private boolean findWhole(PodShape shape, Area area, boolean oneIsland) {
        for (int bucket = shape.devices() + 1; bucket < board.buckets.length; bucket++) {
            start();
            for (int i = 0; i < area.size && looks < LOOK; i++) {
                scanWhole(shape, bucket, area.lo[i], area.hi[i], oneIsland);
            }
            if (node >= 0) {
                return true;
            }
        }
        return false;
    }

    private void scanWhole(PodShape shape, int bucket, int lo, int hi, boolean oneIsland) {
        SparseBits nodes = board.buckets[bucket];
        for (int p = nodes.next(lo, hi); p >= 0 && looks < LOOK; p = nodes.next(p + 1, hi)) {
            if (board.hosts(p, shape)) {
                int island = Islands.tightest(board, p, shape.devices());
                if (!oneIsland || island != Islands.NONE) {
                    offer(p, -1, island, rackLeft(p), board.cpu[p] - shape.cpuMilli());
                }
            }
        }
    }

    private boolean findShare(PodShape shape, Area area) {
        for (int left = board.nextPartial(shape.milli()); left < Board.WHOLE; left = board.nextPartial(left + 1)) {
            start();
            SparseBits devices = board.devicesWith(left);
            for (int i = 0; i < area.size && looks < LOOK; i++) {
                scanShared(shape, devices, board.layout.deviceLo[area.lo[i]], board.layout.deviceLo[area.hi[i]]);
            }
            if (node >= 0) {
                return true;
            }
        }
        return findWhole(new PodShape(1, Board.WHOLE, shape.cpuMilli(), shape.memoryMib()), area);
    }

    private void scanShared(PodShape shape, SparseBits devices, int lo, int hi) {
        for (int d = devices.next(lo, hi); d >= 0 && looks < LOOK; d = devices.next(d + 1, hi)) {
            int p = board.layout.nodeOf[d];
            if (board.hosts(p, shape)) {
                offer(p, d, board.whole[p], rackLeft(p), board.cpu[p] - shape.cpuMilli());
            }
        }
    }

    private boolean findCpu(PodShape shape, Area area) {
        device = -1;
        for (SparseBits nodes : board.buckets) {
            start();
            for (int i = 0; i < area.size && looks < LOOK; i++) {
                scanCpu(shape, nodes, area.lo[i], area.hi[i]);
            }
            if (node >= 0) {
                return true;
            }
        }
        return false;
    }

    private void scanCpu(PodShape shape, SparseBits nodes, int lo, int hi) {
        for (int p = nodes.next(lo, hi); p >= 0 && looks < LOOK; p = nodes.next(p + 1, hi)) {
            if (board.hosts(p, shape)) {
                long cpuLeft = board.cpu[p] - shape.cpuMilli();
                offer(p, -1, board.milli[p], board.milli[p] == 0 ? cpuLeft : -cpuLeft, board.memory[p]);
            }
        }
    }

    private long rackLeft(int p) {
        int rack = rackOf[p];
        boolean untouched = board.cellMilli[rack] == board.layout.cells.devices[rack] * (long) Board.WHOLE;
        return untouched ? Integer.MAX_VALUE + (long) board.cellWhole[rack] : board.cellWhole[rack];
    }

    private void start() {
        node = -1;
        looks = 0;
    }

    private void offer(int p, int atDevice, long first, long second, long third) {
        looks++;
        boolean better = node < 0
                || first < bestFirst
                || (first == bestFirst && (second < bestSecond || (second == bestSecond && third < bestThird)));
        if (better) {
            node = p;
            device = atDevice;
            bestFirst = first;
            bestSecond = second;
            bestThird = third;
        }
    }
}
