package dev.tutti.control.loop;

/** Whether this replica may still act as leader of one term, by its own monotonic time: asked before each call. */
@FunctionalInterface
public interface Lease {

    boolean holds();
}
