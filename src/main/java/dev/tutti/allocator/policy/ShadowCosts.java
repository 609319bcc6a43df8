package dev.tutti.allocator.policy;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Islands;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.PodShape;

/**
 * Costs of {@link ShadowPrice}: its criteria side by side in one number, the weightiest in the highest bits. Integers only;
 * shared resources are counted in milli-devices.
 */
final class ShadowCosts implements Costs {

    private static final int FIT_BITS = 11;
    private static final int REST_BITS = 10;
    private static final int RACK_BITS = 1;
    private static final int TAKEN_BITS = 25;
    private static final int LOSS_BITS = 10;

    private static final int REST = FIT_BITS;
    private static final int RACK = REST + REST_BITS;
    private static final int TAKEN = RACK + RACK_BITS;
    private static final int LOSS = TAKEN + TAKEN_BITS;
    private static final int BROKEN_ISLAND = LOSS + LOSS_BITS;

    private static final int MOST_REST = (1 << REST_BITS) - 1;
    private static final int NO_CHANGE = 1 << TAKEN_BITS - 1;
    private static final int MOST_SHORT = NO_CHANGE / 2;
    private static final int FIT = 1_000;
    /** How many times less than GPUs CPU counts when the fullest node is sought. */
    private static final int CPU_WEIGHS_LESS = 4;

    private final Board board;
    private final Layout layout;
    private final int[] rackOf;
    private final int[] worth;
    private final int[] together;
    private final int[] flavorPrice;
    private final boolean isMixUnknown;
    private final Scale cpu;
    private final Scale memory;
    private final Scale cpuFit;
    private final Scale gpuFit;
    /** Worth of the node's devices. */
    private final int[] worthOf;
    /** How much of that is without CPU or memory. */
    private final int[] shortOf;

    private int leastLoss;

    ShadowCosts(Board board, Prices prices, int[] flavorPrice) {
        this.board = board;
        this.layout = board.layout();
        this.rackOf = layout.cells.of[layout.cells.depths() - 1];
        this.worth = prices.worth();
        this.together = prices.together();
        this.flavorPrice = flavorPrice;
        this.isMixUnknown = prices.cpuMilli() == 0 && prices.memoryMib() == 0;
        this.cpu = new Scale(prices.cpuMilli(), Board.WHOLE);
        this.memory = new Scale(prices.memoryMib(), Board.WHOLE);
        this.worthOf = new int[layout.nodes()];
        this.shortOf = new int[layout.nodes()];
        this.cpuFit = new Scale(layout.mostCpuMilli, FIT / CPU_WEIGHS_LESS);
        this.gpuFit = new Scale(Math.max(1, layout.mostDevices) * (long) Board.WHOLE, FIT);
    }

    @Override
    public void refresh(int p) {
        int sum = 0;
        for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1]; d++) {
            sum += board.units(d) == 0 ? worth[board.free(d)] : Cutting.worth(board, d);
        }
        worthOf[p] = sum;
        shortOf[p] = shortage(sum, board.cpu(p), board.memory(p));
    }

    @Override
    public long of(int p, PodShape shape) {
        if (shape.isMig()) {
            return ofInstance(p, shape);
        }
        if (shape.isShare()) {
            int device = device(p, shape);
            return device < 0
                    ? Costs.NO_ROOM
                    : cost(p, shape, leastLoss, board.free(device) == Board.WHOLE ? 1 : 0)
                            + ((long) leastLoss << LOSS)
                            + ((long) (board.free(device) - shape.milli()) << REST);
        }
        long cost = cost(p, shape, shape.devices() * Board.WHOLE, shape.devices());
        return shape.devices() > 1 ? cost + islandCost(p, shape.devices()) : cost;
    }

    @Override
    public int device(int p, PodShape shape) {
        if (shape.isMig()) {
            return Cutting.device(board, p, shape);
        }
        int milli = shape.milli();
        int best = -1;
        int bestKey = Integer.MAX_VALUE;
        for (int d = layout.deviceLo[p]; d < layout.deviceLo[p + 1]; d++) {
            int free = board.free(d);
            if (free >= milli) {
                int key = ((worth[free] - worth[free - milli]) << LOSS_BITS) + free - milli;
                if (key < bestKey) {
                    best = d;
                    bestKey = key;
                }
            }
        }
        leastLoss = bestKey >> LOSS_BITS;
        return best;
    }

    private long ofInstance(int p, PodShape shape) {
        int device = Cutting.device(board, p, shape);
        if (device < 0) {
            return Costs.NO_ROOM;
        }
        int loss = Cutting.loss(board, device, shape);
        return cost(p, shape, loss, board.units(device) == 0 ? 1 : 0)
                + ((long) loss << LOSS)
                + ((long) Math.min(MOST_REST, board.left(device)) << REST);
    }

    private long cost(int p, PodShape shape, int loss, int broken) {
        long cpuLeft = board.cpu(p) - shape.cpuMilli();
        long memoryLeft = board.memory(p) - shape.memoryMib();
        int whole = board.whole(p);
        int taken = shortage(worthOf[p] - loss, cpuLeft, memoryLeft)
                - shortOf[p]
                + together[whole]
                - together[whole - broken]
                + shape.devices() * flavorPrice[layout.flavor[p]];
        int fit = gpuFit.of(board.milli(p) - shape.gpuMilli()) + cpuFit(p, shape, cpuLeft);
        return ((long) (taken + NO_CHANGE) << TAKEN) + ((board.isUntouched(rackOf[p]) ? 1L : 0L) << RACK) + fit;
    }

    /**
     * The fullest node; but while nothing is known of what comes with a GPU, a pod without GPUs takes CPU from free ones
     * where most is left.
     */
    private int cpuFit(int p, PodShape shape, long cpuLeft) {
        boolean takesFromGpus = isMixUnknown && shape.devices() == 0 && board.milli(p) > 0;
        return takesFromGpus ? FIT / CPU_WEIGHS_LESS - cpuFit.of(cpuLeft) : cpuFit.of(cpuLeft);
    }

    private long islandCost(int p, int devices) {
        int tightest = Islands.tightest(board, p, devices);
        return tightest == Islands.NONE ? 1L << BROKEN_ISLAND : (long) Math.min(MOST_REST, tightest - devices) << REST;
    }

    /** Worth of devices that is left without CPU or memory, whichever is scarcer. */
    private int shortage(int worthLeft, long cpuLeft, long memoryLeft) {
        int served = Math.min(cpu.of(cpuLeft), memory.of(memoryLeft));
        return Math.max(0, Math.min(worthLeft, MOST_SHORT) - served);
    }
}
