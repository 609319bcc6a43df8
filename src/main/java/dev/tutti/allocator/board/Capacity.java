package dev.tutti.allocator.board;

/** How many equal pods would fit. Exact: equal pods never stand in each other's way. */
public final class Capacity {

    private Capacity() {}

    /** Pods of this shape that fit on the node, at most {@code enough}. */
    public static int ofNode(Board board, int p, PodShape shape, int enough) {
        boolean tooFew = shape.isWhole() && board.whole(p) < shape.devices();
        if (tooFew || !board.hosts(p, shape)) {
            return 0;
        }
        long most = Math.min(enough, board.pods(p));
        if (shape.cpuMilli() > 0) {
            most = Math.min(most, board.cpu(p) / shape.cpuMilli());
        }
        if (shape.memoryMib() > 0) {
            most = Math.min(most, board.memory(p) / shape.memoryMib());
        }
        if (shape.nics() > 0) {
            most = NicRoom.pods(board, p, shape, most);
        }
        if (shape.isWhole()) {
            most = Math.min(most, board.whole(p) / shape.devices());
        } else if (shape.isShare()) {
            most = shares(board, p, shape.milli(), most);
        } else if (shape.isMig()) {
            most = instances(board, p, shape.mig(), most);
        }
        return (int) most;
    }

    /** Pods of this shape that fit on the nodes from {@code lo} up to but without {@code hi}, at most {@code enough}. */
    public static int ofRange(Board board, int lo, int hi, PodShape shape, int enough) {
        int found = 0;
        if (shape.nodes().areFew()) {
            return ofFew(board, lo, hi, shape, enough);
        }
        for (int p = lo; p < hi && found < enough; p++) {
            found += ofNode(board, p, shape, enough - found);
        }
        return found;
    }

    private static int ofFew(Board board, int lo, int hi, PodShape shape, int enough) {
        int found = 0;
        NodeSet nodes = shape.nodes();
        for (int p = nodes.next(lo); p < hi && found < enough; p = nodes.next(p + 1)) {
            found += ofNode(board, p, shape, enough - found);
        }
        return found;
    }

    private static long instances(Board board, int p, int profile, long enough) {
        long found = 0;
        for (int d = board.layout.deviceLo[p]; d < board.layout.deviceLo[p + 1] && found < enough; d++) {
            found += board.instances(d, profile);
        }
        return Math.min(found, enough);
    }

    private static long shares(Board board, int p, int milli, long enough) {
        if (board.milli(p) < milli) {
            return 0;
        }
        long found = 0;
        for (int d = board.layout.deviceLo[p]; d < board.layout.deviceLo[p + 1] && found < enough; d++) {
            found += board.free(d) / milli;
        }
        return Math.min(found, enough);
    }
}
