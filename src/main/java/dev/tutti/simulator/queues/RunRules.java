package dev.tutti.simulator.queues;

import dev.tutti.allocator.quota.HalfLife;

/**
 * How a run is played.
 *
 * @param borrowing whether queues may borrow what others do not use
 * @param preemption whether the scheduler is told who runs, so that it may ask them to leave and promise what they hold
 * @param strict whether a job that cannot start keeps back those behind it
 * @param oneQueue whether the scheduler sees a single queue without quota instead of the tree
 * @param apart whether each queue has nodes of its own instead of all sharing theirs
 * @param protectedSeconds so long a job runs before it may have to give way
 * @param patienceSeconds a job that has waited so long is given the highest priority; 0 for never
 * @param victims who chooses those that have to give way
 * @param halfLife how fast it is forgotten what queues held
 */
public record RunRules(
        boolean borrowing,
        boolean preemption,
        boolean strict,
        boolean oneQueue,
        boolean apart,
        long protectedSeconds,
        long patienceSeconds,
        Victims victims,
        HalfLife halfLife) {

    /** Who chooses them. */
    public enum Victims {
        /** The scheduler itself. */
        SEARCHED,
        /** The lowest priority first, and of these the youngest, one after the other until the beneficiary fits. */
        GREEDY,
        /** The same; then each who need not leave after all stays, the one chosen last first. */
        GREEDY_SPARING
    }

    /** Queues with quotas, jobs may pass each other. */
    public static RunRules queues(boolean borrowing, boolean preemption) {
        return new RunRules(borrowing, preemption, false, false, false, 0, 0, Victims.SEARCHED, HalfLife.OFF);
    }

    /** First in, first out for all together. */
    public static RunRules fifo(boolean strict) {
        return new RunRules(true, false, strict, true, false, 0, 0, Victims.SEARCHED, HalfLife.OFF);
    }

    /** The same with each queue on nodes of its own. */
    public RunRules apartIf(boolean own) {
        return new RunRules(
                borrowing, preemption, strict, oneQueue, own, protectedSeconds, patienceSeconds, victims, halfLife);
    }

    /** The same with so much protection and patience, in seconds. */
    public RunRules with(long protection, long patience) {
        return new RunRules(borrowing, preemption, strict, oneQueue, apart, protection, patience, victims, halfLife);
    }

    /** The same with another choice of victims. */
    public RunRules withVictims(Victims choice) {
        return new RunRules(
                borrowing, preemption, strict, oneQueue, apart, protectedSeconds, patienceSeconds, choice, halfLife);
    }

    /** The same, but what queues held counts for their turns, and is forgotten so fast. */
    public RunRules remembering(HalfLife memory) {
        return new RunRules(
                borrowing, preemption, strict, oneQueue, apart, protectedSeconds, patienceSeconds, victims, memory);
    }

    /** The same, but a job that cannot start keeps back those behind it in its queue. */
    public RunRules inStrictOrder() {
        return new RunRules(
                borrowing, preemption, true, oneQueue, apart, protectedSeconds, patienceSeconds, victims, halfLife);
    }
}
