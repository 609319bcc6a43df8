package dev.tutti.simulator.queues;

import dev.tutti.allocator.Plan;

/** Looks on while a run is played, and changes nothing. */
interface RunWatcher {

    /** Sees nothing. */
    RunWatcher NONE = new RunWatcher() {};

    /** A decision asks running jobs to leave; its starts are counted already. */
    default void evicts(QueueRun run, Plan plan) {}

    /** All is decided until the next job comes or ends. */
    default void settled(QueueRun run) {}
}
