package dev.tutti.allocator;

import dev.tutti.allocator.board.Layout;
import dev.tutti.model.QueueId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Quota of a queue and of every queue above it, flavor by flavor, counted up as jobs are placed. Exact: what is left is
 * the least that any queue on the way up has left.
 */
final class QuotaCheck {

    /** No quota on any queue on the way up. */
    static final long UNLIMITED = Long.MAX_VALUE;

    private final Layout layout;
    private final Map<QueueId, Integer> numbers = new HashMap<>();
    private final QueueShares.Share[] shares;
    /** Queues from the leaf up; empty until asked for. */
    private final int[][] lineage;

    private final long[][] nominal;
    private final long[][] used;
    private QueueShares current;

    QuotaCheck(QueueShares queues, Layout layout) {
        this.layout = layout;
        queues.queues().keySet().forEach(id -> numbers.put(id, numbers.size()));
        shares = new QueueShares.Share[numbers.size()];
        lineage = new int[shares.length][];
        nominal = new long[shares.length][];
        used = new long[shares.length][];
        current = queues;
        read(queues);
    }

    /** Whether this knows exactly these queues, so that {@link #follow} can take in what changed about them. */
    boolean knows(QueueShares queues) {
        return queues == current || numbers.keySet().equals(queues.queues().keySet());
    }

    /** Quota and use are now as given; what was taken in between is forgotten. */
    void follow(QueueShares queues) {
        current = queues;
        Arrays.fill(lineage, null);
        read(queues);
    }

    private void read(QueueShares queues) {
        queues.queues().forEach((id, share) -> {
            int q = numberOf(id);
            shares[q] = share;
            nominal[q] = amounts(share.nominalMilli(), UNLIMITED);
            used[q] = amounts(share.usedMilli(), 0);
        });
    }

    /** Number of the queue here; -1 when it is unknown. */
    int numberOf(QueueId queue) {
        return numbers.getOrDefault(queue, -1);
    }

    /** Whether an operator holds the queue or one above it. */
    boolean isHeld(int queue) {
        for (int q : lineage(queue)) {
            if (shares[q].held()) {
                return true;
            }
        }
        return false;
    }

    /** Milli-GPU of each flavor that a job of this queue may still take; never below 0. */
    long[] room(int queue) {
        long[] room = new long[layout.flavors()];
        Arrays.fill(room, UNLIMITED);
        for (int q : lineage(queue)) {
            for (int f = 0; f < room.length; f++) {
                if (nominal[q][f] != UNLIMITED) {
                    room[f] = Math.min(room[f], Math.max(0, nominal[q][f] - used[q][f]));
                }
            }
        }
        return room;
    }

    /** Milli-GPU of each flavor that a job of this queue could take if no other job ran. */
    long[] limits(int queue) {
        long[] limits = new long[layout.flavors()];
        Arrays.fill(limits, UNLIMITED);
        for (int q : lineage(queue)) {
            for (int f = 0; f < limits.length; f++) {
                limits[f] = Math.min(limits[f], nominal[q][f]);
            }
        }
        return limits;
    }

    /** Counts what was placed, on the queue and all above it. */
    void take(int queue, int flavor, long milli) {
        for (int q : lineage(queue)) {
            used[q][flavor] += milli;
        }
    }

    private int[] lineage(int queue) {
        int[] known = lineage[queue];
        if (known == null) {
            known = climb(queue);
            lineage[queue] = known;
        }
        return known;
    }

    private int[] climb(int queue) {
        int[] way = new int[shares.length];
        int length = 0;
        int q = queue;
        while (q >= 0 && length < way.length) {
            way[length++] = q;
            QueueId parent = shares[q].parent();
            q = parent == null ? -1 : numberOf(parent);
        }
        return Arrays.copyOf(way, length);
    }

    private long[] amounts(Map<String, Long> byName, long otherwise) {
        long[] amounts = new long[layout.flavors()];
        Arrays.fill(amounts, otherwise);
        for (int f = 0; f < amounts.length; f++) {
            Long amount = byName.get(layout.flavorName(f));
            if (amount != null) {
                amounts[f] = amount;
            }
        }
        return amounts;
    }
}
