package dev.tutti.allocator.reserve;

import dev.tutti.allocator.RunningJob;

/** When jobs give back what they hold, at the latest. All times are in microseconds since 1970. */
public interface Ends {

    /** Nobody knows. */
    long UNKNOWN = Long.MAX_VALUE;

    /** When a job that holds capacity has given it back; {@link #UNKNOWN} when nobody knows. */
    long of(RunningJob job);

    /**
     * When a job that gets its place at {@code startMicros} has given it back; {@link #UNKNOWN} when nobody knows.
     *
     * @param mayRunSeconds how long it may hold what it gets; 0 for as long as it likes
     */
    long of(long mayRunSeconds, long startMicros);
}
