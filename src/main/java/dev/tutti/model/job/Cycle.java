package dev.tutti.model.job;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Finds what waits for itself, directly or through others. Jobs are numbered; it decides nothing about them. */
public final class Cycle {

    private static final int NEW = 0;
    private static final int OPEN = 1;
    private static final int DONE = 2;

    private Cycle() {}

    /**
     * Some cycle, each number once, each before the one that it waits for; empty when there is none.
     *
     * @param waitsFor for each number those that it waits for
     */
    public static List<Integer> find(List<List<Integer>> waitsFor) {
        int[] seen = new int[waitsFor.size()];
        for (int start = 0; start < seen.length; start++) {
            List<Integer> cycle = seen[start] == NEW ? from(start, waitsFor, seen) : List.of();
            if (!cycle.isEmpty()) {
                return cycle;
            }
        }
        return List.of();
    }

    /** Goes down from one number without calling itself, so that a long chain is no deep stack. */
    private static List<Integer> from(int start, List<List<Integer>> waitsFor, int[] seen) {
        List<Integer> path = new ArrayList<>(List.of(start));
        int[] next = new int[seen.length];
        seen[start] = OPEN;
        while (!path.isEmpty()) {
            int here = path.get(path.size() - 1);
            if (next[here] == waitsFor.get(here).size()) {
                seen[here] = DONE;
                path.remove(path.size() - 1);
                continue;
            }
            int there = waitsFor.get(here).get(next[here]++);
            if (seen[there] == OPEN) {
                return Collections.unmodifiableList(path.subList(path.indexOf(there), path.size()));
            }
            if (seen[there] == NEW) {
                seen[there] = OPEN;
                path.add(there);
            }
        }
        return List.of();
    }
}
