package dev.tutti.simulator.queues;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrivateNodesTest {

    private static final List<QueueNode> ONE = List.of(new QueueNode("a", -1, 16, 1));
    private static final List<QueuedJob> JOBS = List.of(
            new QueuedJob(0, 0, 8, 100),
            new QueuedJob(0, 0, 6, 300),
            new QueuedJob(0, 1, 8, 50),
            new QueuedJob(0, 2, 2, 30),
            new QueuedJob(0, 3, 8, 20));

    private static List<Long> queueing(PrivateNodes.Order order) {
        return PrivateNodes.play(ONE, JOBS, order).stories().stream()
                .sorted(Comparator.comparingLong(story -> JOBS.indexOf(story.job())))
                .map(JobStory::queueingSeconds)
                .toList();
    }

    @Test
    void inFifoNobodyPasses() {
        assertThat(queueing(PrivateNodes.Order.FIFO)).containsExactly(0L, 0L, 99L, 98L, 147L);
    }

    @Test
    void withBackfillThoseWhoFitPass() {
        assertThat(queueing(PrivateNodes.Order.FIFO_BACKFILL)).containsExactly(0L, 0L, 99L, 0L, 147L);
    }

    @Test
    void theShortestComesFirst() {
        assertThat(queueing(PrivateNodes.Order.SHORTEST)).containsExactly(0L, 0L, 119L, 0L, 97L);
    }

    @Test
    void theSchedulerWithNodesApartAndWithoutBorrowingIsFifoWithBackfill() {
        List<QueueNode> queues = List.of(new QueueNode("a", -1, 24, 1), new QueueNode("b", -1, 16, 1));
        List<QueuedJob> jobs = new ArrayList<>();
        Random random = new Random(11);
        for (int i = 0; i < 300; i++) {
            int gpus = List.of(1, 2, 4, 8, 12, 16).get(random.nextInt(6));
            jobs.add(new QueuedJob(random.nextInt(2), 13L * i, gpus, 1 + random.nextInt(200)));
        }

        QueueOutcome plain = PrivateNodes.play(queues, jobs, PrivateNodes.Order.FIFO_BACKFILL);
        QueueOutcome ours =
                QueueRun.play(queues, jobs, RunRules.queues(false, false).apartIf(true), done -> {});

        assertThat(plain.meanQueueingSeconds()).isPositive();
        assertThat(ours.meanQueueingSeconds()).isEqualTo(plain.meanQueueingSeconds());
        assertThat(ours.queueingSeconds(0.99)).isEqualTo(plain.queueingSeconds(0.99));
    }
}
