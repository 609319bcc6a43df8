package dev.tutti.allocator.reserve;

import dev.tutti.allocator.RunningJob;

/** Ends by the limits that jobs were given: sure, but often far too late. */
public final class LimitEnds implements Ends {

    /** A limit of run time counts from when all members run; so long it may take until they do. */
    static final long START_SECONDS = 60;

    private static final long MICROS = 1_000_000;

    @Override
    public long of(RunningJob job) {
        return job.endsByMicros() == 0 ? UNKNOWN : job.endsByMicros();
    }

    @Override
    public long of(long mayRunSeconds, long startMicros) {
        return mayRunSeconds == 0 ? UNKNOWN : startMicros + (START_SECONDS + mayRunSeconds) * MICROS;
    }
}
