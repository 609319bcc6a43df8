package dev.tutti.control.read;

import dev.tutti.model.queue.PastShare;
import java.util.List;

/** Reads what is measured of queues, all of it at one moment: the same numbers that the pages of queues and jobs show. */
public interface QueueFigures {

    /** Everything; as many rows as queues, flavors, lanes and reasons have pairs, however many jobs there are. */
    List<Figure> figures();

    /** What a figure is of, and what its two labels beside the queue say. */
    enum Kind {
        /** Milli-GPU of quota, by flavor and which quota: {@code nominal}, {@code borrowing} or {@code lending}. */
        QUOTA,
        /** Milli-GPU that living members hold, with all queues below, by flavor and lane. */
        ALLOCATED,
        /** Jobs that wait in a leaf, by lane and reason. */
        PENDING,
        /** Milliseconds since the oldest of them was submitted, by lane; the second label is empty. */
        OLDEST,
        /** Parts of {@link PastShare#WHOLE} that it held lately, by {@code surplus} or {@code red}; the second label is empty. */
        PAST,
        /** Runs that gave way, since ever, by lane and cause. */
        PREEMPTIONS,
        /** Jobs that had their first start, since ever, by lane and the seconds that they waited for it at the most; not summed up. */
        WAITED,
        /** Milliseconds that these waited in all, by lane; the second label is empty. */
        WAITED_IN_ALL
    }

    /**
     * One figure.
     *
     * @param queue path of the queue
     * @param first the first label beside it, as the kind says
     * @param second the second
     * @param value the amount, in the kind's unit
     */
    record Figure(Kind kind, String queue, String first, String second, long value) {}
}
