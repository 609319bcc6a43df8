package dev.tutti.simulator.queues;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * A plain scheduler to be held against, without any code of the real one: every queue alone on its own nodes, jobs in an order
 * that stays, each on the nodes with the least room that hold it. As in the simulator of Helios (SC 2021).
 */
public final class PrivateNodes {

    /** Of those that come at once the smallest first, and of these the shortest. */
    private static final Comparator<QueuedJob> COMING = Comparator.comparingLong(QueuedJob::atSeconds)
            .thenComparingInt(QueuedJob::gpus)
            .thenComparingLong(QueuedJob::seconds);

    private final Order order;
    private final int[] free;
    private final List<Integer> waiting = new ArrayList<>();
    private final PriorityQueue<End> ends = new PriorityQueue<>();
    private final List<JobStory> stories;

    /** In which order jobs are tried, and whether one that does not fit ends the round. */
    public enum Order {
        /** First in, first out. */
        FIFO,
        /** The same, but who fits passes who does not. */
        FIFO_BACKFILL,
        /** The shortest first, by run times that nobody knows in life. */
        SHORTEST
    }

    private PrivateNodes(Order order, int nodes, List<JobStory> stories) {
        this.order = order;
        this.stories = stories;
        free = new int[nodes];
        Arrays.fill(free, Machines.NODE_GPUS);
    }

    private record End(long at, int number, int[] taken) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            return at != other.at ? Long.compare(at, other.at) : Integer.compare(number, other.number);
        }
    }

    /**
     * Plays it.
     *
     * @param jobs each fits on the nodes of its queue's quota
     */
    public static QueueOutcome play(List<QueueNode> queues, List<QueuedJob> jobs, Order order) {
        List<JobStory> all = new ArrayList<>();
        for (int q = 0; q < queues.size(); q++) {
            int queue = q;
            List<JobStory> own = jobs.stream()
                    .filter(job -> job.queue() == queue)
                    .sorted(COMING)
                    .map(JobStory::new)
                    .toList();
            new PrivateNodes(order, queues.get(q).gpus() / Machines.NODE_GPUS, own).play();
            all.addAll(own);
        }
        return new QueueOutcome(all, 0);
    }

    private void play() {
        int next = 0;
        while (next < stories.size() || !ends.isEmpty()) {
            long arrival = next < stories.size() ? stories.get(next).job().atSeconds() : Long.MAX_VALUE;
            long now = Math.min(arrival, ends.isEmpty() ? Long.MAX_VALUE : ends.peek().at);
            while (!ends.isEmpty() && ends.peek().at <= now) {
                End end = ends.remove();
                Arrays.setAll(free, n -> free[n] + end.taken[n]);
            }
            while (next < stories.size() && stories.get(next).job().atSeconds() <= now) {
                waiting.add(next++);
            }
            startAll(now);
        }
    }

    private void startAll(long now) {
        if (order == Order.SHORTEST) {
            waiting.sort(
                    Comparator.comparingLong(number -> stories.get(number).job().seconds()));
        }
        for (Iterator<Integer> turns = waiting.iterator(); turns.hasNext(); ) {
            int number = turns.next();
            if (start(number, now)) {
                turns.remove();
            } else if (order != Order.FIFO_BACKFILL) {
                return;
            }
        }
    }

    private boolean start(int number, long now) {
        JobStory story = stories.get(number);
        int[] taken = Machines.place(free, story.job().gpus());
        if (taken == null) {
            return false;
        }
        Arrays.setAll(free, n -> free[n] - taken[n]);
        story.start(now);
        story.end(now + story.job().seconds());
        ends.add(new End(now + story.job().seconds(), number, taken));
        return true;
    }
}
