package dev.tutti.control.loop;

/** Monotonic time. Only differences mean something; it knows nothing of dates. */
@FunctionalInterface
public interface Ticker {

    /** Nanoseconds since some moment of this process. */
    long nanos();
}
