package dev.tutti.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;

/** What happened in a run: counts of each fault, and the last lines of its story. */
final class Tape {

    private static final int LINES = 60;

    final Map<Fault, Long> counts = new EnumMap<>(Fault.class);
    private final Deque<String> lines = new ArrayDeque<>();
    long tick;

    void count(Fault fault, String what) {
        counts.merge(fault, 1L, Long::sum);
        say(fault + " " + what);
    }

    void add(Fault fault, long times) {
        counts.merge(fault, times, Long::sum);
    }

    void say(String line) {
        lines.add("  " + tick + " " + line);
        if (lines.size() > LINES) {
            lines.remove();
        }
    }

    String story() {
        return String.join("\n", lines);
    }
}
