package dev.tutti.allocator.fit;

import dev.tutti.allocator.policy.Costs;
import java.util.Arrays;

/** The cheapest of a range of numbers, kept in a tree: a change costs its depth, and so does a question. */
final class Tournament {

    /** Up to which change of the board the numbers are true; -1 for none. */
    long seen = -1;

    private final int leaves;
    private final long[] cost;
    /** Winner of each match; the match at {@code m} is between those at {@code 2m} and {@code 2m + 1}. */
    private final int[] winner;

    Tournament(int players) {
        leaves = Math.max(1, Integer.highestOneBit(Math.max(1, players - 1)) << 1);
        cost = new long[leaves];
        Arrays.fill(cost, Costs.NO_ROOM);
        winner = new int[2 * leaves];
        for (int i = 0; i < leaves; i++) {
            winner[leaves + i] = i;
        }
    }

    /** Sets a number without playing; {@link #playAll} must follow. */
    void enter(int player, long itsCost) {
        cost[player] = itsCost;
    }

    void playAll() {
        for (int match = leaves - 1; match > 0; match--) {
            winner[match] = better(winner[2 * match], winner[2 * match + 1]);
        }
    }

    /** Changes a number and plays the matches above it. */
    void play(int player, long itsCost) {
        if (cost[player] == itsCost) {
            return;
        }
        cost[player] = itsCost;
        for (int match = (leaves + player) >>> 1; match > 0; match >>>= 1) {
            int before = winner[match];
            int now = better(winner[2 * match], winner[2 * match + 1]);
            winner[match] = now;
            if (now == before && now != player) {
                return;
            }
        }
    }

    /** The cheapest from {@code lo} up to but without {@code hi}, or {@code rival} where that is cheaper; -1 for none. */
    int best(int lo, int hi, int rival) {
        int best = rival;
        int left = lo + leaves;
        int right = hi + leaves;
        while (left < right) {
            if ((left & 1) == 1) {
                best = challenge(best, winner[left++]);
            }
            if ((right & 1) == 1) {
                best = challenge(best, winner[--right]);
            }
            left >>>= 1;
            right >>>= 1;
        }
        return best;
    }

    private int challenge(int holder, int rival) {
        if (cost[rival] == Costs.NO_ROOM) {
            return holder;
        }
        if (holder < 0 || cost[rival] < cost[holder]) {
            return rival;
        }
        return cost[rival] == cost[holder] && rival < holder ? rival : holder;
    }

    private int better(int a, int b) {
        return cost[b] < cost[a] ? b : a;
    }
}
