package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.NodeSet;
import dev.tutti.allocator.board.Trail;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts pod sets with bonds to each other into a domain, the quick way: sets that share a domain get the smallest part
 * that holds them, and a set that must be apart from others passes by what those have. What it finds keeps all bonds; it
 * does not try every way.
 */
final class Companions {

    private static final Comparator<Domain> SMALLEST_FIRST = Comparator.comparingLong(Domain::rank);

    /** Parts of domains in which sets are tried for one job. */
    private static final int TRIES_PER_JOB = 2_000;

    private final Parts parts;
    private final Filling filling;
    private int triesLeft;

    Companions(Board board, Filling filling) {
        this.parts = new Parts(board);
        this.filling = filling;
    }

    /** Forgets what the last job cost. */
    void begin() {
        triesLeft = TRIES_PER_JOB;
    }

    /** Places all of the target; false, with nothing placed, when it found no way. */
    boolean place(Request request, Domain domain, int[] sets, int[] target, Trail trail) {
        int mark = trail.size();
        int depth = request.bonds.widestBelow(domain.depth(), sets);
        List<int[]> groups = request.bonds.groups(sets, depth < 0 ? Integer.MAX_VALUE : depth);
        for (int[] group : groups) {
            boolean placed = group.length == 1
                    ? fill(request, domain, group[0], target[group[0]], trail)
                    : inSomePart(request, domain, depth, group, target, trail);
            if (!placed) {
                trail.undoTo(mark);
                return false;
            }
        }
        return true;
    }

    /** Places up to {@code wanted} more pods of a set beside those on the trail. Returns how many. */
    int fillUp(Request request, Domain domain, int set, int wanted, Trail trail) {
        int depth = request.bonds.narrowest(set);
        for (int pod = 0; pod < trail.size() && depth > domain.depth(); pod++) {
            if (trail.set(pod) == set) {
                Domain shared = inside(domain, depth, parts.at(depth, trail.position(pod)), new int[] {set});
                return shared == null
                        ? 0
                        : filling.fillUp(apart(request, domain, set, trail), shared, set, wanted, trail);
            }
        }
        return filling.fillUp(apart(request, domain, set, trail), domain, set, wanted, trail);
    }

    private boolean fill(Request request, Domain domain, int set, int wanted, Trail trail) {
        return filling.fill(apart(request, domain, set, trail), domain, set, wanted, trail) == wanted;
    }

    private Request apart(Request request, Domain domain, int set, Trail trail) {
        NodeSet nodes = request.shapes[set].nodes();
        NodeSet left = request.bonds.apart(nodes, set, domain.choice()[set], trail, parts);
        return left == nodes ? request : request.with(set, request.shapes[set].on(left));
    }

    private boolean inSomePart(Request request, Domain domain, int depth, int[] group, int[] target, Trail trail) {
        for (Domain part : partsFor(request, domain, depth, group, target)) {
            if (--triesLeft < 0) {
                return false;
            }
            if (place(request, part, group, target, trail)) {
                return true;
            }
        }
        return false;
    }

    /** Parts that hold each of the sets alone, smallest first. */
    private List<Domain> partsFor(Request request, Domain domain, int depth, int[] group, int[] target) {
        List<Domain> found = new ArrayList<>();
        int whole = domain.part()[group[0]];
        int end = parts.end(domain.depth(), whole, depth);
        for (int part = parts.begin(domain.depth(), whole, depth); part < end; part++) {
            Domain inside = inside(domain, depth, part, group);
            if (inside != null && holdsEach(request, inside, group, target)) {
                found.add(inside);
            }
        }
        found.sort(SMALLEST_FIRST);
        return found;
    }

    private boolean holdsEach(Request request, Domain domain, int[] group, int[] target) {
        for (int set : group) {
            if (parts.holds(request, set, domain.depth(), domain.part()[set], target[set]) < target[set]) {
                return false;
            }
        }
        return true;
    }

    /** The domain's part of this depth, for these sets only; null when it has nothing for one of them. */
    private @Nullable Domain inside(Domain domain, int depth, int part, int[] group) {
        int[] bySet = new int[domain.choice().length];
        Arrays.fill(bySet, -1);
        int node = parts.lo(depth, part);
        for (int set : group) {
            bySet[set] = parts.around(depth, node, domain.choice()[set]);
            if (bySet[set] < 0) {
                return null;
            }
        }
        return new Domain(domain.choice(), depth, bySet, parts.size(depth, part), 0);
    }
}
