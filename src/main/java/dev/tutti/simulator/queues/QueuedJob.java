package dev.tutti.simulator.queues;

/**
 * A job of an experiment: a gang that runs so long and no longer, in pods of as many GPUs as a node has and one for the rest.
 *
 * @param queue number of its leaf queue
 * @param atSeconds when it is submitted
 * @param gpus 1 and up
 * @param seconds how long it runs, which the scheduler is never told
 * @param limitSeconds the limit of run time that it was submitted with, which the scheduler is told; 0 for none
 * @param priority higher first inside its queue
 */
public record QueuedJob(int queue, long atSeconds, int gpus, long seconds, long limitSeconds, int priority) {

    public QueuedJob {
        if (gpus < 1 || seconds < 1 || atSeconds < 0 || limitSeconds != 0 && limitSeconds < seconds) {
            throw new IllegalArgumentException("a job of " + gpus + " GPUs at " + atSeconds + " s for " + seconds
                    + " s with a limit of " + limitSeconds + " s");
        }
    }

    /** A job without a limit, of the usual priority. */
    public QueuedJob(int queue, long atSeconds, int gpus, long seconds) {
        this(queue, atSeconds, gpus, seconds, 0, 0);
    }

    /** The same with another priority. */
    public QueuedJob withPriority(int other) {
        return new QueuedJob(queue, atSeconds, gpus, seconds, limitSeconds, other);
    }

    /** The same without a limit of run time. */
    public QueuedJob withoutLimit() {
        return new QueuedJob(queue, atSeconds, gpus, seconds, 0, priority);
    }
}
