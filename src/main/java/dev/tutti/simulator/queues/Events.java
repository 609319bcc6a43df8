package dev.tutti.simulator.queues;

import java.util.Comparator;
import java.util.PriorityQueue;

/** When attempts end. An attempt has one end; a new one takes the place of the old. */
final class Events {

    private final PriorityQueue<End> ends =
            new PriorityQueue<>(Comparator.comparingLong(End::atSeconds).thenComparingLong(End::number));
    private final long[] current;
    private long numbers;

    Events(int jobs) {
        current = new long[jobs];
    }

    /** The end of an attempt of a job. */
    private record End(long atSeconds, long number, int job) {}

    void set(int job, long atSeconds) {
        current[job] = ++numbers;
        ends.add(new End(atSeconds, numbers, job));
    }

    /** When the next attempt ends; the largest number when none runs. */
    long next() {
        while (!ends.isEmpty() && current[ends.peek().job] != ends.peek().number) {
            ends.poll();
        }
        return ends.isEmpty() ? Long.MAX_VALUE : ends.peek().atSeconds;
    }

    /** The job of the next attempt that ends; only when there is one. */
    int poll() {
        next();
        return ends.remove().job;
    }
}
