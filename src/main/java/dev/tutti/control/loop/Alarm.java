package dev.tutti.control.loop;

/** Where a loop says that something happened that should not: a person must look, and the loop goes on. */
@FunctionalInterface
public interface Alarm {

    /** @param what names and values, free of secrets */
    void raise(String what);
}
