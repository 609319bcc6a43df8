package dev.tutti.allocator.fit;

import dev.tutti.allocator.board.Trail;
import dev.tutti.model.Limits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a set fills the parts that other sets of its gang may not use with it, so that those have room: first
 * parts that the gang uses anyway. Decides no more than the order; how many pods a part holds is said by others.
 */
final class Parting {

    /** How the order is found. */
    enum Way {
        /** Not at all: each pod goes where the policy wants it. */
        POLICY,
        /** The part that holds most pods first, so that it takes the fewest. */
        FEWEST,
        /** The part first that is worth least to the other sets for each pod it holds. */
        CHEAPEST
    }

    /** A key: how late the part is, and its index. */
    static final long INDEX = (1 << 21) - 1;

    private static final long LATEST = 1L << 41;

    private final Parts parts;
    private final Work work;
    private Way way = Way.POLICY;
    private @Nullable Supply supply;

    Parting(Parts parts, Work work) {
        this.parts = parts;
        this.work = work;
    }

    /** @param known what the nodes hold; needed to know what they are worth */
    void use(Way other, @Nullable Supply known) {
        way = other;
        supply = known;
    }

    /** The depth at which the set fills part after part, below this one; {@link Bonds#NEVER} for none. */
    int below(Request request, int set, int depth) {
        return way == Way.POLICY ? Bonds.NEVER : request.bonds.nextApart(set, depth);
    }

    /** Keys of the parts from {@code begin} on, ascending; {@link #INDEX} is the index in them. */
    long[] order(Request request, int set, int depth, int begin, int[] holds, Trail trail) {
        boolean[] used = used(depth, begin, holds.length, trail);
        boolean[] others = others(request, set, trail);
        long[] order = new long[holds.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = (late(set, depth, begin + i, holds[i], used[i], others) << 21) + i;
        }
        Arrays.sort(order);
        return order;
    }

    private long late(int set, int depth, int part, int holds, boolean used, boolean[] others) {
        if (holds == 0) {
            return LATEST;
        }
        if (used) {
            return 0;
        }
        long cost = way == Way.FEWEST
                ? ((Limits.PODS_PER_SET - (long) holds) << 20) + Math.min(parts.left(depth, part) >>> 4, (1 << 20) - 1)
                : price(depth, part, others) / holds;
        return Math.min(LATEST - 1, 1 + cost);
    }

    /** The part that is worth least to others, of those that hold what is wanted; -1 when none does. */
    int cheapest(Request request, int set, int depth, int begin, int[] holds, int wanted, Trail trail) {
        boolean[] others = others(request, set, trail);
        int best = -1;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < holds.length; i++) {
            long price = holds[i] < wanted
                    ? Long.MAX_VALUE
                    : way == Way.FEWEST ? parts.left(depth, begin + i) : price(depth, begin + i, others);
            if (price < least) {
                best = i;
                least = price;
            }
        }
        return best;
    }

    private long price(int depth, int part, boolean[] others) {
        Supply known = supply;
        long price = 0;
        for (int s = 0; known != null && s < others.length; s++) {
            price += others[s] ? known.worth(s, parts.lo(depth, part), parts.hi(depth, part)) : 0;
        }
        work.spend(others.length);
        return price;
    }

    private boolean[] used(int depth, int begin, int count, Trail trail) {
        boolean[] used = new boolean[count];
        for (int pod = 0; pod < trail.size(); pod++) {
            int i = parts.at(depth, trail.position(pod)) - begin;
            if (i >= 0 && i < count) {
                used[i] = true;
            }
        }
        return used;
    }

    /** Sets that must be apart from this one and have no place yet. */
    private static boolean[] others(Request request, int set, Trail trail) {
        boolean[] others = new boolean[request.sets()];
        for (int s = 0; s < others.length; s++) {
            others[s] = request.bonds.apartDepth(set, s) != Bonds.NEVER;
        }
        for (int pod = 0; pod < trail.size(); pod++) {
            others[trail.set(pod)] = false;
        }
        return others;
    }
}
