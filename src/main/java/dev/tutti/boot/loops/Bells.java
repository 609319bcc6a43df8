package dev.tutti.boot.loops;

/**
 * The bells of this process's loops.
 *
 * @param cycle rings when jobs, capacity or quota changed
 * @param binders rings when there may be bind tasks
 */
public record Bells(Bell cycle, Bell binders) {

    public Bells() {
        this(new Bell(), new Bell());
    }
}
