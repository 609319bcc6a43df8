package dev.tutti.simulator;

import java.time.Instant;
import java.util.Comparator;
import java.util.TreeMap;

/** What will happen when; at one instant, what was planned first happens first. Not thread-safe. */
final class Timeline {

    private final TreeMap<Entry, Runnable> plan =
            new TreeMap<>(Comparator.comparing(Entry::due).thenComparing(Entry::order));
    private long planned;

    /** A place in the plan. */
    record Entry(Instant due, long order) {}

    Entry at(Instant due, Runnable happening) {
        Entry entry = new Entry(due, planned++);
        plan.put(entry, happening);
        return entry;
    }

    void cancel(Entry entry) {
        plan.remove(entry);
    }

    boolean hasDue(Instant now) {
        return !plan.isEmpty() && !plan.firstKey().due().isAfter(now);
    }

    Instant nextDue() {
        return plan.firstKey().due();
    }

    Runnable takeNext() {
        return plan.pollFirstEntry().getValue();
    }

    int size() {
        return plan.size();
    }
}
