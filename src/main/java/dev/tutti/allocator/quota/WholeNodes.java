package dev.tutti.allocator.quota;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fit.Resource;
import dev.tutti.allocator.fit.Room;
import dev.tutti.allocator.quota.LimitCheck.Met;
import dev.tutti.model.life.ReasonCode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How many whole nodes of each flavor may be held in each queue and all below it; counted on as pods are placed. */
final class WholeNodes {

    private final Layout layout;
    private QueueShares.Share[] queues = {};
    private int[] parent = {};
    private boolean areAny;
    /** By queue, and of each by flavor. */
    private long[] limits = {};
    /** What the book says. */
    private long[] held = {};
    /** The same, and what was counted since. */
    private long[] now = {};

    WholeNodes(Layout layout) {
        this.layout = layout;
    }

    /** Limits and the tree are now as given. */
    void follow(QueueShares.Share[] shares, int[] parents) {
        queues = shares;
        parent = parents;
        limits = new long[shares.length * layout.flavors()];
        Arrays.fill(limits, Room.UNLIMITED);
        areAny = false;
        for (int q = 0; q < shares.length; q++) {
            int queue = q;
            shares[q].rules().limits().maxWholeNodes().forEach((flavor, most) -> limit(queue, flavor, most));
        }
    }

    private void limit(int queue, String flavor, int most) {
        int f = layout.flavorOf(flavor);
        if (f >= 0) {
            limits[at(queue, f)] = most;
            areAny = true;
        }
    }

    private int at(int queue, int flavor) {
        return queue * layout.flavors() + flavor;
    }

    boolean areAny() {
        return areAny;
    }

    /** Nobody holds anything. */
    void clear() {
        now = new long[limits.length];
    }

    /**
     * What was counted since is what the book says.
     *
     * @return whether that is the same as before
     */
    boolean settle() {
        boolean isSame = held.length == now.length && Arrays.equals(held, now);
        held = now.clone();
        return isSame;
    }

    /** Back to what the book says. */
    void reset() {
        now = held.clone();
    }

    void beginAs(WholeNodes other) {
        held = other.held;
        reset();
    }

    /** Counts a pod that takes so much of GPUs, or, below 0, gives it back. */
    void hold(Account account, int flavor, long gpuMilli) {
        if (!areAny || flavor < 0 || !layout.isWholeNode(flavor, Math.abs(gpuMilli))) {
            return;
        }
        for (int q = account.queue(); q >= 0; q = parent[q]) {
            now[at(q, flavor)] += Long.signum(gpuMilli);
        }
    }

    /** Takes from the room what may not be held. */
    void bind(Room room, Account account) {
        bind(room, account, now);
    }

    private void bind(Room room, Account account, long[] counts) {
        for (int f = 0; areAny && f < layout.flavors(); f++) {
            long left = Room.UNLIMITED;
            for (int q = account.queue(); q >= 0; q = parent[q]) {
                long limit = limits[at(q, f)];
                left = limit == Room.UNLIMITED ? left : Math.min(left, Math.max(0, limit - counts[at(q, f)]));
            }
            if (left != Room.UNLIMITED) {
                room.limit(Resource.WHOLE_NODES, f, left);
            }
        }
    }

    /** The request with only those flavors for whose smallest start enough is left. */
    Request within(Account account, Request request) {
        return areAny ? request.within(room(account, now)) : request;
    }

    private Room room(Account account, long[] counts) {
        Room room = Room.unlimited(layout.flavors());
        bind(room, account, counts);
        return room;
    }

    /** The limit that leaves too little under every choice of flavors, of the choice that lacks least; null for none. */
    @Nullable
    Met met(Account account, Request request) {
        return areAny && !within(account, request).hasFlavors() ? lack(account, request, now) : null;
    }

    /** The same if nobody held anything. */
    @Nullable
    Met never(Account account, Request request) {
        long[] nobody = new long[limits.length];
        return areAny && !request.within(room(account, nobody)).hasFlavors() ? lack(account, request, nobody) : null;
    }

    /** The limit that leaves too little under some choice of flavors. */
    @Nullable
    Met lack(Account account, Request request) {
        return areAny ? lack(account, request, now) : null;
    }

    private @Nullable Met lack(Account account, Request request, long[] counts) {
        Room room = room(account, counts);
        Met least = null;
        long lack = Room.UNLIMITED;
        for (int[] choice : request.allChoices()) {
            for (int flavor : choice) {
                long need = request.leastOf(Resource.WHOLE_NODES, flavor, choice);
                long over = need - room.of(Resource.WHOLE_NODES, flavor);
                if (need > 0 && over > 0 && over < lack) {
                    lack = over;
                    least = nearest(account, flavor, need, counts);
                }
            }
        }
        return least;
    }

    private @Nullable Met nearest(Account account, int flavor, long need, long[] counts) {
        for (int q = account.queue(); q >= 0; q = parent[q]) {
            long limit = limits[at(q, flavor)];
            long there = counts[at(q, flavor)];
            if (limit != Room.UNLIMITED && there + need > limit) {
                return new Met(
                        ReasonCode.WHOLE_NODES_LIMIT,
                        LimitOf.NODES,
                        queues[q].path(),
                        limit,
                        there,
                        need,
                        layout.flavorName(flavor));
            }
        }
        return null;
    }
}
