package dev.tutti.allocator.fit;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Gives groups the domains they need, each to one group that may have it, and names groups for which there are too few.
 * Exact: where none lacks any, there is a way to give all what they need. Domains that the same groups may have are alike.
 */
final class Allotment {

    private final int[] needed;
    /** How many domains there are that exactly these groups may have, one bit for each group. */
    private final Map<Integer, Integer> countByUsers = new TreeMap<>();

    private int[] users = new int[0];
    private int[] left = new int[0];
    private int[][] given = new int[0][];
    private boolean[] seen = new boolean[0];

    Allotment(int groups) {
        needed = new int[groups];
    }

    void need(int group, int domains) {
        needed[group] = domains;
    }

    /** One more domain for some of these groups. */
    void add(int someUsers) {
        countByUsers.merge(someUsers, 1, Integer::sum);
    }

    /** Groups that need more domains together than there are for any of them; empty when all get what they need. */
    int[] lacking() {
        users = countByUsers.keySet().stream().mapToInt(each -> each).toArray();
        left = countByUsers.values().stream().mapToInt(each -> each).toArray();
        given = new int[needed.length][users.length];
        for (int g = 0; g < needed.length; g++) {
            for (int i = 0; i < needed[g]; i++) {
                if (!giveOne(g)) {
                    return IntStream.range(0, needed.length)
                            .filter(other -> seen[other])
                            .toArray();
                }
            }
        }
        return new int[0];
    }

    long wanted(int[] groups) {
        return Arrays.stream(groups).mapToLong(g -> needed[g]).sum();
    }

    long available(int[] groups) {
        int bits = Arrays.stream(groups).map(g -> 1 << g).reduce(0, (a, b) -> a | b);
        return countByUsers.entrySet().stream()
                .filter(entry -> (entry.getKey() & bits) != 0)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Gives a group one domain, by way of others that change theirs if it must be. */
    private boolean giveOne(int group) {
        int[] kindOf = new int[needed.length];
        int[] from = new int[users.length];
        Arrays.fill(from, -1);
        seen = new boolean[needed.length];
        seen[group] = true;
        Deque<Integer> open = new ArrayDeque<>();
        for (Integer g = group; g != null; g = open.poll()) {
            for (int kind = 0; kind < users.length; kind++) {
                if (from[kind] >= 0 || (users[kind] & 1 << g) == 0) {
                    continue;
                }
                from[kind] = g;
                if (left[kind] > 0) {
                    pass(group, kind, from, kindOf);
                    return true;
                }
                for (int other = 0; other < needed.length; other++) {
                    if (!seen[other] && given[other][kind] > 0) {
                        seen[other] = true;
                        kindOf[other] = kind;
                        open.add(other);
                    }
                }
            }
        }
        return false;
    }

    private void pass(int group, int freeKind, int[] from, int[] kindOf) {
        left[freeKind]--;
        int kind = freeKind;
        int g = from[kind];
        given[g][kind]++;
        while (g != group) {
            kind = kindOf[g];
            given[g][kind]--;
            g = from[kind];
            given[g][kind]++;
        }
    }
}
