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
    /** As if nobody held anything. */
    private long[] idle = {};

    WholeNodes(Layout layout) {
        this.layout = layout;
    }

    /** Limits and the tree are now as given. */
    void follow(QueueShares.Share[] shares, int[] parents) {
        queues = shares;
        parent = parents;
        limits = new long[shares.length * layout.flavors()];
        Arrays.fill(limits, Room.UNLIMITED);
        if (held.length != limits.length) {
            idle = new long[limits.length];
            held = idle;
            reset();
        }
        areAny = false;
        for (int q = 0; q < shares.length; q++) {
            int at = q;
            shares[q].rules().limits().maxWholeNodes().forEach((flavor, most) -> limit(at, flavor, most));
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
        boolean isSame = Arrays.equals(held, now);
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
    void hold(int queue, int flavor, long gpuMilli) {
        if (!areAny || flavor < 0 || !layout.isWholeNode(flavor, Math.abs(gpuMilli))) {
            return;
        }
        for (int q = queue; q >= 0; q = parent[q]) {
            now[at(q, flavor)] += Long.signum(gpuMilli);
        }
    }

    /** Takes from the room what may not be held in the queue beside what is. */
    void bind(Room room, int queue) {
        bind(room, queue, now);
    }

    /** The same if nobody held anything. */
    void bindIdle(Room room, int queue) {
        bind(room, queue, idle);
    }

    private void bind(Room room, int queue, long[] counts) {
        for (int f = 0; areAny && f < layout.flavors(); f++) {
            long left = Room.UNLIMITED;
            for (int q = queue; q >= 0; q = parent[q]) {
                long limit = limits[at(q, f)];
                left = limit == Room.UNLIMITED ? left : Math.min(left, Math.max(0, limit - counts[at(q, f)]));
            }
            if (left != Room.UNLIMITED) {
                room.limit(Resource.WHOLE_NODES, f, left);
            }
        }
    }

    /** Those of the flavors on which enough is left for its smallest start. */
    boolean[] open(int queue, Request request, boolean[] flavors) {
        if (!areAny) {
            return flavors;
        }
        boolean[] open = new boolean[flavors.length];
        Request within = request.within(room(queue, now));
        for (int s = 0; s < within.sets(); s++) {
            for (int flavor : within.flavors(s)) {
                open[flavor] = true;
            }
        }
        return open;
    }

    private Room room(int queue, long[] counts) {
        Room room = Room.unlimited(layout.flavors());
        bind(room, queue, counts);
        return room;
    }

    /** The limit that leaves too little under every choice of flavors, of the choice that lacks least; null for none. */
    @Nullable
    Met met(int queue, Request request) {
        return areAny && !request.within(room(queue, now)).hasFlavors() ? lack(queue, request, now) : null;
    }

    /** The same if nobody held anything. */
    @Nullable
    Met never(int queue, Request request) {
        return areAny && !request.within(room(queue, idle)).hasFlavors() ? lack(queue, request, idle) : null;
    }

    /** The limit that leaves too little under some choice of flavors, of the choice that lacks least; null for none. */
    @Nullable
    Met lack(int queue, Request request) {
        return areAny ? lack(queue, request, now) : null;
    }

    /** The same if nobody held anything. */
    @Nullable
    Met lackIdle(int queue, Request request) {
        return areAny ? lack(queue, request, idle) : null;
    }

    private @Nullable Met lack(int queue, Request request, long[] counts) {
        Room room = room(queue, counts);
        Met least = null;
        long lack = Room.UNLIMITED;
        for (int[] choice : request.allChoices()) {
            for (int flavor : choice) {
                long need = request.leastOf(Resource.WHOLE_NODES, flavor, choice);
                long over = need - room.of(Resource.WHOLE_NODES, flavor);
                if (need > 0 && over > 0 && over < lack) {
                    lack = over;
                    least = nearest(queue, flavor, need, counts);
                }
            }
        }
        return least;
    }

    private @Nullable Met nearest(int queue, int flavor, long need, long[] counts) {
        for (int q = queue; q >= 0; q = parent[q]) {
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
