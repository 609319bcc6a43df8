package dev.tutti.control;

import dev.tutti.model.life.EndCause;
import java.time.Duration;

/**
 * How long a job or a node is left alone before it is tried again. Pure; every store counts, and asks here. A job that
 * had to give way to a stronger one of its queue is tried at once, however often: nothing is wrong with it, and it keeps its
 * place. One that ran on what was lent is tried at once the first time too; if that is taken back again soon after, it waits
 * longer each time before it borrows anew. One that was moved is tried at once the first time. One whose pods did not run in time has held GPUs for nothing, and keeps its place before
 * others: it stays away for longer.
 */
public final class Backoff {

    /** No job waits longer than this for its next try, unless its pods do not run in time. */
    public static final Duration LONGEST = Duration.ofMinutes(5);

    /** No job whose pods do not run in time waits longer than this for its next try. */
    public static final Duration LONGEST_OF_NOT_READY = Duration.ofHours(1);

    /** No node is closed longer than this for one more refusal. */
    public static final Duration LONGEST_OF_NODE = Duration.ofHours(1);

    /** An attempt that ran this long, and a node that was open this long without a refusal, begin to count anew. */
    public static final Duration FORGIVEN_AFTER = Duration.ofMinutes(5);

    /** A job that runs gets no more pods for this long after one that was to join it could not start. */
    public static final Duration OF_GROWTH = Duration.ofSeconds(30);

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration FIRST_OF_RECLAIMED = Duration.ofSeconds(30);
    private static final Duration FIRST_OF_NOT_READY = Duration.ofSeconds(60);
    private static final int DOUBLINGS = 20;

    private Backoff() {}

    /**
     * Time before a job that goes back to its queue is tried again.
     *
     * @param cause why its attempt ended
     * @param earlier how often it backed off before, since it last ran well
     */
    public static Duration ofJob(EndCause cause, int earlier) {
        return switch (cause) {
            case PREEMPTED -> Duration.ZERO;
            case RECLAIMED -> afterTheFirst(FIRST_OF_RECLAIMED, earlier);
            case MOVED -> afterTheFirst(FIRST, earlier);
            case NOT_READY_IN_TIME -> doubled(FIRST_OF_NOT_READY, earlier, LONGEST_OF_NOT_READY);
            default -> doubled(FIRST, earlier, LONGEST);
        };
    }

    /** Time before a job whose placement the database refused is tried again. */
    public static Duration ofRefusal(int earlier) {
        return doubled(FIRST, earlier, LONGEST);
    }

    /**
     * Time for which a node stays closed that refused pods.
     *
     * @param first the time for a first refusal
     * @param earlier refusals before, since it last was open for long
     */
    public static Duration ofNode(Duration first, int earlier) {
        return doubled(first, earlier, LONGEST_OF_NODE);
    }

    private static Duration afterTheFirst(Duration second, int earlier) {
        return earlier == 0 ? Duration.ZERO : doubled(second, earlier - 1, LONGEST);
    }

    private static Duration doubled(Duration first, int times, Duration longest) {
        Duration delay = first.multipliedBy(1L << Math.min(Math.max(times, 0), DOUBLINGS));
        return delay.compareTo(longest) > 0 ? longest : delay;
    }
}
