package dev.tutti.boot.cli.replay;

import java.util.function.LongSupplier;

/** Adds up how long one kind of work took, and how much of it there was. */
final class Stopwatch {

    private static final long POLL_MILLIS = 2;
    private static final long PATIENCE_NANOS = 120_000_000_000L;

    private long nanos;
    private long amount;

    void time(long units, Runnable work) {
        long start = System.nanoTime();
        work.run();
        nanos += System.nanoTime() - start;
        amount += units;
    }

    /** Times how long it takes until {@code open} is zero. */
    void timeUntilNone(long units, LongSupplier open) {
        time(units, () -> awaitNone(open));
    }

    /** Units per second, rounded; 0 before anything was timed. */
    long perSecond() {
        return nanos == 0 ? 0 : Math.round(amount * 1e9 / nanos);
    }

    long amount() {
        return amount;
    }

    private static void awaitNone(LongSupplier open) {
        long start = System.nanoTime();
        while (open.getAsLong() > 0) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                throw new IllegalStateException("still " + open.getAsLong() + " open after two minutes");
            }
            Pauses.millis(POLL_MILLIS);
        }
    }
}
