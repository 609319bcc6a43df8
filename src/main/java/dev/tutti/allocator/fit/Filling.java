package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Area;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Capacity;
import dev.tutti.allocator.board.Cells;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.board.Trail;

/**
 * Puts equal pods into a domain. At the depth a job wished for, or deeper, each goes where it fits tightest. In a wider
 * domain the pods are kept together first: the smallest part that holds all of them; else the largest part as full as it
 * goes, and the same again for the rest.
 */
final class Filling {

    private final Board board;
    private final Cells cells;
    private final NodeChoice choice;

    Filling(Board board, NodeChoice choice) {
        this.board = board;
        this.cells = board.layout.cells;
        this.choice = choice;
    }

    /** Places up to {@code wanted} pods of a set in the domain. Returns how many. */
    int fill(Request request, Domain domain, int set, int wanted, Trail trail) {
        PodShape shape = request.shapes[set];
        if (domain.depth() >= request.narrowest) {
            return tight(set, shape, Area.of(domain.lo(cells, set), domain.hi(cells, set)), wanted, trail);
        }
        return together(set, shape, domain.depth(), domain.part()[set], request.narrowest, wanted, trail);
    }

    /** Places up to {@code wanted} pods one after the other where each fits tightest. Returns how many. */
    int tight(int set, PodShape shape, Area area, int wanted, Trail trail) {
        int placed = 0;
        while (placed < wanted && choice.find(shape, area)) {
            trail.place(set, shape, choice.node(), choice.device());
            placed++;
        }
        return placed;
    }

    private int together(int set, PodShape shape, int depth, int part, int wish, int wanted, Trail trail) {
        if (depth >= wish) {
            boolean node = depth == cells.depths();
            Area area = node ? Area.of(part, part + 1) : Area.of(cells.lo[part], cells.hi[part]);
            return tight(set, shape, area, wanted, trail);
        }
        boolean nodesBelow = depth + 1 == cells.depths();
        int begin = nodesBelow ? cells.lo[part] : cells.of[depth + 1][cells.lo[part]];
        int end = nodesBelow ? cells.hi[part] : cells.of[depth + 1][cells.hi[part] - 1] + 1;
        int[] holds = new int[end - begin];
        for (int below = begin; below < end; below++) {
            holds[below - begin] = capacity(shape, below, nodesBelow, wanted);
        }
        int placed = 0;
        while (placed < wanted) {
            int best = pick(holds, begin, nodesBelow, wanted - placed);
            if (best < 0) {
                break;
            }
            int wantedThere = Math.min(holds[best], wanted - placed);
            holds[best] = 0;
            placed += together(set, shape, depth + 1, begin + best, wish, wantedThere, trail);
        }
        return placed;
    }

    private int capacity(PodShape shape, int part, boolean node, int enough) {
        return node
                ? Capacity.ofNode(board, part, shape, enough)
                : Capacity.ofRange(board, cells.lo[part], cells.hi[part], shape, enough);
    }

    /** The part with least free that holds all that is wanted, else the one that holds most; -1 when none holds any. */
    private int pick(int[] holds, int begin, boolean nodes, int wanted) {
        int best = -1;
        for (int i = 0; i < holds.length; i++) {
            if (holds[i] == 0) {
                continue;
            }
            if (best < 0 || isBetter(holds, i, best, begin, nodes, wanted)) {
                best = i;
            }
        }
        return best;
    }

    private boolean isBetter(int[] holds, int i, int best, int begin, boolean nodes, int wanted) {
        boolean all = holds[i] >= wanted;
        boolean bestAll = holds[best] >= wanted;
        if (all != bestAll) {
            return all;
        }
        if (!all && holds[i] != holds[best]) {
            return holds[i] > holds[best];
        }
        return left(begin + i, nodes) < left(begin + best, nodes);
    }

    private long left(int part, boolean node) {
        return node ? board.milli(part) : board.cellMilli(part);
    }
}
