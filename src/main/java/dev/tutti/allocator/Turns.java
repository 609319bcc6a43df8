package dev.tutti.allocator;

import dev.tutti.allocator.WaitingBook.Group;
import dev.tutti.allocator.quota.QuotaCheck;
import dev.tutti.model.job.Lane;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is: first by lane; between queues by fair share, level by level down the tree; inside a queue by priority
 * and age. Shares change with every start, so each turn is decided when it comes. Of equal shares the older job's comes
 * first.
 */
final class Turns {

    private static final Comparator<Turn> IN_QUEUE = Comparator.comparing(Turn::job, WaitingJob.ORDER);
    private static final Comparator<Turn> BY_AGE = Comparator.comparing(
            Turn::job, Comparator.comparingLong(WaitingJob::submittedAtMicros).thenComparing(WaitingJob::job));

    private final QuotaCheck quota;
    private final Queue top = new Queue(-1, null);
    private final Map<Integer, Queue> byNumber = new HashMap<>();

    Turns(QuotaCheck quota) {
        this.quota = quota;
    }

    /**
     * A group whose next job is to be tried.
     *
     * @param flavors flavors it may run on
     */
    record Turn(Group group, WaitingJob job, boolean[] flavors) {}

    void add(Group group, WaitingJob job, boolean[] flavors) {
        Queue queue = queue(quota.numberOf(job.queue()));
        queue.turns.add(new Turn(group, job, flavors));
        queue.refresh();
    }

    /** Takes the next turn; null when there is none left. */
    @Nullable
    Turn poll() {
        if (top.first == null) {
            return null;
        }
        Lane lane = top.first.job().lane();
        Queue queue = top;
        while (queue.turns.isEmpty()) {
            queue = next(queue, lane);
        }
        Turn turn = queue.turns.poll();
        queue.refresh();
        return turn;
    }

    private Queue next(Queue above, Lane lane) {
        Queue best = null;
        for (Queue queue : above.below.values()) {
            Turn first = queue.first;
            if (first != null && first.job().lane() == lane && (best == null || isBefore(queue, best, lane))) {
                best = queue;
            }
        }
        return Objects.requireNonNull(best, "a queue has the first turn of all queues below it");
    }

    private boolean isBefore(Queue one, Queue other, Lane lane) {
        Turn first = Objects.requireNonNull(one.first, "a queue without a turn is not asked");
        Turn second = Objects.requireNonNull(other.first, "a queue without a turn is not asked");
        int byShare = quota.compareShares(one.number, first.flavors, other.number, second.flavors, lane);
        return byShare < 0 || byShare == 0 && BY_AGE.compare(first, second) < 0;
    }

    private Queue queue(int number) {
        Queue known = byNumber.get(number);
        if (known == null) {
            Queue above = quota.parentOf(number) < 0 ? top : queue(quota.parentOf(number));
            known = new Queue(number, above);
            byNumber.put(number, known);
            above.below.put(number, known);
        }
        return known;
    }

    /** A queue with the turns of its own jobs, and the queues below it that have some. */
    private static final class Queue {
        final int number;
        final @Nullable Queue above;
        final PriorityQueue<Turn> turns = new PriorityQueue<>(IN_QUEUE);
        final Map<Integer, Queue> below = new TreeMap<>();
        /** The first turn here and below, of the strongest lane that has one; null when there is none. */
        @Nullable
        Turn first;

        Queue(int number, @Nullable Queue above) {
            this.number = number;
            this.above = above;
        }

        void refresh() {
            for (Queue queue = this; queue != null; queue = queue.above) {
                queue.first = queue.turns.peek();
                for (Queue other : queue.below.values()) {
                    if (other.first != null
                            && (queue.first == null || IN_QUEUE.compare(other.first, queue.first) < 0)) {
                        queue.first = other.first;
                    }
                }
            }
        }
    }
}
