package dev.tutti.allocator.board;

/** How many RDMA NICs a node has left, resource by resource: a pod's NICs are all of one. */
public final class NicRoom {

    private NicRoom() {}

    /** Pods for which the node has NICs, at most {@code enough}. They may be of different resources. */
    static long pods(Board board, int p, PodShape shape, long enough) {
        long pods = 0;
        int end = board.layout.nicLo[p + 1];
        for (int g = board.layout.nicLo[p]; g < end && pods < enough; ) {
            int resource = board.layout.nicResource[g];
            int free = free(board, p, resource);
            if (admits(shape, resource)) {
                pods += free / shape.nics();
            }
            g = next(board, p, g);
        }
        return Math.min(pods, enough);
    }

    /** Most NICs of one resource that the pod may use, on the node. */
    public static int most(Board board, int p, PodShape shape) {
        int most = 0;
        for (int g = board.layout.nicLo[p]; g < board.layout.nicLo[p + 1]; g = next(board, p, g)) {
            if (admits(shape, board.layout.nicResource[g])) {
                most = Math.max(most, free(board, p, board.layout.nicResource[g]));
            }
        }
        return most;
    }

    /** NICs of one resource left on the node; of all of them for {@link PodShape#ANY_RESOURCE}. */
    public static int free(Board board, int p, int resource) {
        int free = 0;
        for (int g = board.layout.nicLo[p]; g < board.layout.nicLo[p + 1]; g++) {
            boolean counts = resource == PodShape.ANY_RESOURCE || board.layout.nicResource[g] == resource;
            free += counts ? board.nics(g) : 0;
        }
        return free;
    }

    /** Whether the pod's NICs may be of this resource. */
    static boolean admits(PodShape shape, int resource) {
        return shape.nicResource() == PodShape.ANY_RESOURCE || shape.nicResource() == resource;
    }

    /** The first group of the node's next resource. */
    public static int next(Board board, int p, int group) {
        int[] resource = board.layout.nicResource;
        int next = group + 1;
        while (next < board.layout.nicLo[p + 1] && resource[next] == resource[group]) {
            next++;
        }
        return next;
    }
}
