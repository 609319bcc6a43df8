package dev.tutti.allocator;

import dev.tutti.allocator.board.Layout;
import dev.tutti.model.QueueId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
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
    private final List<QueueShares.Share> shares = new ArrayList<>();
    /** Queues from the leaf up; empty until asked for. */
    private final int[][] lineage;

    private final long[][] nominal;
    private final long[][] used;

    QuotaCheck(QueueShares queues, Layout layout) {
        this.layout = layout;
        queues.queues().forEach((id, share) -> {
            numbers.put(id, shares.size());
            shares.add(share);
        });
        lineage = new int[shares.size()][];
        nominal = new long[shares.size()][];
        used = new long[shares.size()][];
        for (int q = 0; q < nominal.length; q++) {
            nominal[q] = amounts(shares.get(q).nominalMilli(), UNLIMITED);
            used[q] = amounts(shares.get(q).usedMilli(), 0);
        }
    }

    /** Number of the queue here; -1 when it is unknown. */
    int numberOf(QueueId queue) {
        return numbers.getOrDefault(queue, -1);
    }

    /** Whether an operator holds the queue or one above it. */
    boolean isHeld(int queue) {
        for (int q : lineage(queue)) {
            if (shares.get(q).held()) {
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
        int[] way = new int[shares.size()];
        int length = 0;
        int q = queue;
        while (q >= 0 && length < way.length) {
            way[length++] = q;
            QueueId parent = shares.get(q).parent();
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
