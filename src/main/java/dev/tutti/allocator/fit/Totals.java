package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Cells;
import dev.tutti.allocator.board.NicRoom;
import dev.tutti.allocator.board.PodShape;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Proofs that a gang fits into no domain that it may be in, whatever flavor each of its sets gets: without a search, in as
 * many looks at nodes as the gang has sets. That none of them speaks against it proves nothing; bonds between sets are not
 * looked at.
 *
 * <ul>
 *   <li>Each set alone must fit on one of its flavors, by room and by capacity.
 *   <li>Sets that have no flavors but the same few must fit there together, resource by resource.
 * </ul>
 */
public final class Totals {

    private static final int WHOLE = 0;
    private static final int GPUS = 1;
    private static final int CPU = 2;
    private static final int MEMORY = 3;
    private static final int NICS = 4;
    private static final int PODS = 5;
    private static final int ROWS = 6;

    private final Board board;
    private final Cells cells;
    private final Parts parts;

    public Totals(Board board) {
        this.board = board;
        this.cells = board.layout.cells;
        this.parts = new Parts(board, new Work());
    }

    /** Whether it is certain that the smallest start does not fit into the room and the capacity there is. */
    public boolean ruleOut(Request request, Room room) {
        int depth = request.near.widest;
        int[][] flavors =
                IntStream.range(0, request.sets()).mapToObj(request::flavors).toArray(int[][]::new);
        return Arrays.stream(firstNodes(depth, flavors[0])).noneMatch(p -> mayHold(request, flavors, room, depth, p));
    }

    /** The first node of each domain of this depth that has one of these flavors. */
    private int[] firstNodes(int depth, int[] flavors) {
        boolean isNode = depth == cells.depths();
        Set<Integer> domains = new HashSet<>();
        IntStream.Builder nodes = IntStream.builder();
        for (int flavor : flavors) {
            int end = board.layout.flavorLo[flavor + 1];
            for (int p = board.layout.flavorLo[flavor]; p < end; p = parts.hi(depth, parts.at(depth, p))) {
                if (isNode || domains.add(cells.domain[parts.at(depth, p)])) {
                    nodes.add(p);
                }
            }
        }
        return nodes.build().toArray();
    }

    private boolean mayHold(Request request, int[][] flavors, Room room, int depth, int p) {
        for (int s = 0; s < flavors.length; s++) {
            int set = s;
            boolean alone = Arrays.stream(flavors[s]).anyMatch(f -> holds(request, set, f, room, depth, p));
            if (!alone) {
                return false;
            }
        }
        for (int s = 0; s < flavors.length; s++) {
            boolean isNew = !contains(flavors, s, flavors[s]);
            if (isNew && isTooMuch(request, within(flavors, flavors[s]), flavors[s], room, depth, p)) {
                return false;
            }
        }
        return true;
    }

    private boolean holds(Request request, int set, int flavor, Room room, int depth, int p) {
        int part = parts.around(depth, p, flavor);
        int least = request.min[set];
        return part >= 0
                && room.podsOf(request, set, flavor, least) == least
                && parts.holds(request, set, depth, part, least) >= least;
    }

    private static boolean contains(int[][] flavors, int before, int[] some) {
        return Arrays.stream(flavors, 0, before).anyMatch(other -> Arrays.equals(other, some));
    }

    /** Sets all of whose flavors are among these. */
    private static int[] within(int[][] flavors, int[] some) {
        return IntStream.range(0, flavors.length)
                .filter(s -> Arrays.stream(flavors[s]).allMatch(f -> Arrays.binarySearch(some, f) >= 0))
                .toArray();
    }

    private boolean isTooMuch(Request request, int[] sets, int[] flavors, Room room, int depth, int p) {
        long[] left = new long[ROWS];
        for (int flavor : flavors) {
            int part = parts.around(depth, p, flavor);
            if (part >= 0) {
                add(left, there(request, sets, parts.lo(depth, part), parts.hi(depth, part)), room, flavor);
            }
        }
        for (int s : sets) {
            PodShape shape = request.shapes[s];
            long least = request.min[s];
            left[WHOLE] -= shape.isWhole() ? least * shape.devices() : 0;
            left[GPUS] -= least * shape.gpuMilli();
            left[CPU] -= least * shape.cpuMilli();
            left[MEMORY] -= least * shape.memoryMib();
            left[NICS] -= least * shape.nics();
            left[PODS] -= least;
        }
        return Arrays.stream(left).anyMatch(amount -> amount < 0);
    }

    private static void add(long[] left, long[] there, Room room, int flavor) {
        there[GPUS] = Math.min(there[GPUS], room.of(Resource.GPUS, flavor));
        there[CPU] = Math.min(there[CPU], room.of(Resource.CPU, flavor));
        there[MEMORY] = Math.min(there[MEMORY], room.of(Resource.MEMORY, flavor));
        for (int row = 0; row < ROWS; row++) {
            left[row] += Math.max(0, there[row]);
        }
    }

    /** What the nodes have that some of the sets may use. */
    private long[] there(Request request, int[] sets, int lo, int hi) {
        long[] there = new long[ROWS];
        for (int p = lo; p < hi; p++) {
            int node = p;
            boolean counts = board.open(p)
                    && Arrays.stream(sets)
                            .anyMatch(s -> request.shapes[s].nodes().has(node));
            if (counts) {
                there[WHOLE] += board.whole(p);
                there[GPUS] += board.milli(p);
                there[CPU] += Math.max(0, board.cpu(p));
                there[MEMORY] += Math.max(0, board.memory(p));
                there[NICS] += NicRoom.free(board, p, PodShape.ANY_RESOURCE);
                there[PODS] += Math.max(0, board.pods(p));
            }
        }
        return there;
    }
}
