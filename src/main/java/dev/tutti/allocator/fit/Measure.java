package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Area;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Capacity;
import dev.tutti.allocator.board.Cells;
import dev.tutti.allocator.board.NicRoom;
import dev.tutti.allocator.board.NodeSet;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.board.Trail;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How much there is: sums and the largest gang of a kind, for the numbers in reasons. Changes nothing for good. */
public final class Measure {

    private final Board board;
    private final Filling filling;
    private final Work work = new Work();
    /** For each set of nodes: what those of each flavor have left. */
    private final Map<NodeSet, long[][]> free = new HashMap<>();

    public Measure(Board board, NodeChoice choice) {
        this.board = board;
        this.filling = new Filling(board, choice, work);
    }

    /**
     * What open nodes of the flavor have left of a resource in all; not of MIG instances. Debt counts as 0.
     *
     * @param nodes only these count
     */
    public long free(Resource resource, int flavor, NodeSet nodes) {
        long[] sums = nodes.isPassing() ? sum(flavor, nodes) : known(flavor, nodes);
        return sums[resource.ordinal()];
    }

    private long[] known(int flavor, NodeSet nodes) {
        long[][] byFlavor = free.get(nodes);
        if (byFlavor == null) {
            byFlavor = new long[board.layout.flavors()][];
            free.put(nodes, byFlavor);
        }
        long[] sum = byFlavor[flavor];
        if (sum == null) {
            sum = sum(flavor, nodes);
            byFlavor[flavor] = sum;
        }
        return sum;
    }

    private long[] sum(int flavor, NodeSet nodes) {
        long[] sum = new long[Resource.values().length];
        int end = board.layout.flavorLo[flavor + 1];
        for (int p = board.layout.flavorLo[flavor]; p < end; p++) {
            if (board.open(p) && nodes.has(p)) {
                sum[Resource.GPUS.ordinal()] += board.milli(p);
                sum[Resource.CPU.ordinal()] += Math.max(0, board.cpu(p));
                sum[Resource.MEMORY.ordinal()] += Math.max(0, board.memory(p));
                sum[Resource.NICS.ordinal()] += NicRoom.free(board, p, PodShape.ANY_RESOURCE);
                sum[Resource.PODS.ordinal()] += Math.max(0, board.pods(p));
            }
        }
        return sum;
    }

    /** NICs of one resource that open nodes of the flavor have left, as far as they are among {@code nodes}. */
    public long freeNics(int flavor, NodeSet nodes, int resource) {
        long sum = 0;
        int end = board.layout.flavorLo[flavor + 1];
        for (int p = nodes.next(board.layout.flavorLo[flavor]); p < end; p = nodes.next(p + 1)) {
            sum += NicRoom.free(board, p, resource);
        }
        return sum;
    }

    /**
     * Most of a resource on one node that the pods of the set may use, of any of its flavors.
     *
     * @param with nodes with less than a pod needs of one of these do not count
     */
    public long most(Request request, int set, Resource resource, List<Resource> with) {
        PodShape shape = request.shapes[set];
        NodeSet nodes = shape.nodes();
        long most = 0;
        for (int f : request.flavors(set)) {
            int end = board.layout.flavorLo[f + 1];
            for (int p = nodes.next(board.layout.flavorLo[f]); p < end; p = nodes.next(p + 1)) {
                most = has(p, shape, with) ? Math.max(most, on(p, resource, shape)) : most;
            }
        }
        return most;
    }

    private boolean has(int p, PodShape shape, List<Resource> resources) {
        for (Resource resource : resources) {
            if (on(p, resource, shape) < resource.of(shape)) {
                return false;
            }
        }
        return true;
    }

    /** What a pod finds on a node: of NICs those of one resource, of a GPU that is cut the positions. */
    private long on(int p, Resource resource, PodShape shape) {
        return switch (resource) {
            case GPUS -> board.milli(p);
            case CPU -> board.cpu(p);
            case MEMORY -> board.memory(p);
            case NICS -> NicRoom.most(board, p, shape);
            case PODS -> board.pods(p);
            case INSTANCES -> instances(p, shape);
            case WHOLE_NODES -> 0;
        };
    }

    private long instances(int p, PodShape shape) {
        long instances = 0;
        for (int d = board.layout.deviceLo[p]; shape.isMig() && d < board.layout.deviceLo[p + 1]; d++) {
            instances += board.instances(d, shape.mig());
        }
        return instances;
    }

    /** Whether one pod of the set fits on some node. */
    public boolean fitsOne(Request request, int set) {
        for (int f : request.flavors(set)) {
            int lo = board.layout.flavorLo[f];
            if (Capacity.ofRange(board, lo, board.layout.flavorLo[f + 1], request.shapes[set], 1) > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * The most pods of the gang that one domain holds, out of the smallest start, set by set; the domain is as wide as
     * the job allows. Of several sets and very many domains it is the most of those it looked at.
     */
    public int[] largest(Request request) {
        work.begin(0);
        int[] most = new int[request.sets()];
        boolean node = request.near.widest == board.layout.cells.depths();
        for (int[] choice : request.allChoices()) {
            if (isEnough(request, most)) {
                break;
            }
            most = better(
                    request, most, node ? inNodes(request, choice) : inCells(request, choice, request.near.widest));
        }
        return most;
    }

    /** How many pods {@link #largest} is; of a gang of one set, whose equal pods need no search, all if and only if it fits. */
    public int most(Request request) {
        return Arrays.stream(largest(request)).sum();
    }

    private boolean isEnough(Request request, int[] most) {
        return request.sets() > 1 && work.isSpent() && Arrays.stream(most).anyMatch(pods -> pods > 0);
    }

    private int[] inCells(Request request, int[] choice, int depth) {
        Cells cells = board.layout.cells;
        int[] most = new int[request.sets()];
        int end = cells.of[depth][board.layout.flavorLo[choice[0] + 1] - 1];
        for (int cell = cells.of[depth][board.layout.flavorLo[choice[0]]];
                cell <= end && !isEnough(request, most);
                cell++) {
            int[] parts = new int[choice.length];
            for (int s = 0; s < parts.length; s++) {
                parts[s] = cells.find(cells.domain[cell], choice[s]);
            }
            most = better(request, most, held(request, new Domain(choice, depth, parts, 0, 0)));
        }
        return most;
    }

    private int[] inNodes(Request request, int[] choice) {
        int[] most = new int[request.sets()];
        for (int p = board.layout.flavorLo[choice[0]];
                p < board.layout.flavorLo[choice[0] + 1] && !isEnough(request, most);
                p++) {
            int[] parts = new int[choice.length];
            for (int s = 0; s < parts.length; s++) {
                parts[s] = choice[s] == choice[0] ? p : -1;
            }
            most = better(request, most, held(request, new Domain(choice, board.layout.cells.depths(), parts, 0, 0)));
        }
        return most;
    }

    private int[] held(Request request, Domain domain) {
        int[] held = new int[request.sets()];
        Cells cells = board.layout.cells;
        if (held.length == 1) {
            held[0] = new Parts(board, work).holds(request, 0, domain.depth(), domain.part()[0], request.min[0]);
            return held;
        }
        Trail trail = new Trail(board);
        for (int s = 0; s < held.length; s++) {
            if (domain.part()[s] >= 0) {
                boolean free = request.near.setWidest[s] <= domain.depth() && request.near.segmentPods[s] == 1;
                Area area = Area.of(domain.lo(cells, s), domain.hi(cells, s));
                held[s] = free
                        ? filling.tight(s, request.shapes[s], area, request.min[s], trail)
                        : filling.fill(request, domain, s, request.min[s], trail);
            }
        }
        trail.undoTo(0);
        return held;
    }

    private static int[] better(Request request, int[] a, int[] b) {
        long milliA = 0;
        long milliB = 0;
        for (int s = 0; s < a.length; s++) {
            milliA += a[s] * request.shapes[s].gpuMilli();
            milliB += b[s] * request.shapes[s].gpuMilli();
        }
        boolean isBetter = milliA != milliB
                ? milliB > milliA
                : Arrays.stream(b).sum() > Arrays.stream(a).sum();
        return isBetter ? b : a;
    }
}
