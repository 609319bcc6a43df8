package dev.tutti.simulator.experiment;

import java.util.HashMap;
import java.util.Map;

/** Counts GPUs by the group they stand in, and the pairs whose two GPUs stand in different ones. */
final class Pairs {

    private final Map<Long, Long> groups = new HashMap<>();
    private long members;

    void add(long group) {
        groups.merge(group, 1L, Long::sum);
        members++;
    }

    long all() {
        return of(members);
    }

    long across() {
        return all() - groups.values().stream().mapToLong(Pairs::of).sum();
    }

    private static long of(long members) {
        return members * (members - 1) / 2;
    }
}
