package dev.tutti.allocator.fit;

/**
 * What searching may cost, in steps: a step is about one look at one node. Counts steps and not time, so that the same
 * input gives the same plan on every machine. Each job has a least that it gets in any case; beyond that it gets at most
 * half of what is left for all jobs, so that a few odd ones slow the others by no more than {@link #ALL} steps together.
 */
final class Work {

    /** Steps of one job beyond its least, as long as they are there. */
    static final long JOB = 1_000_000;

    /** Steps of all jobs of one decision beyond the least of each. */
    static final long ALL = 2_500_000;

    /** What placing a pod and taking it back costs. */
    static final int POD = 40;

    /** What one more domain to try costs, whatever is done in it. */
    static final int TRY = 100;

    private long leftForAll = ALL;
    private long granted;
    private long left;
    private long kept;

    /** Takes account of the last job, and begins with the next. */
    void begin(long least) {
        leftForAll += Math.max(0, Math.min(left, granted));
        granted = Math.min(JOB, leftForAll / 2);
        leftForAll -= granted;
        left = least + granted;
        kept = 0;
    }

    /** What comes next may use half of what is left. */
    void useHalf() {
        kept = left / 2;
    }

    /** What comes next may use all that is left. */
    void useAll() {
        kept = 0;
    }

    void spend(long steps) {
        left -= steps;
    }

    boolean isSpent() {
        return left <= kept;
    }
}
