package dev.tutti.simulator.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.allocator.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Small runs that can be followed by hand. */
class QueueRunTest {

    private static final List<QueueNode> TWO = List.of(new QueueNode("a", -1, 8, 1), new QueueNode("b", -1, 8, 1));

    private static QueueOutcome play(RunRules rules, QueuedJob... jobs) {
        return QueueRun.play(TWO, List.of(jobs), rules, done -> {});
    }

    private static List<Long> queueing(QueueOutcome outcome) {
        return outcome.stories().stream().map(JobStory::queueingSeconds).toList();
    }

    @Test
    void withoutBorrowingAQueueWaitsThoughTheOtherIsIdle() {
        QueueOutcome outcome = play(
                RunRules.queues(false, false),
                new QueuedJob(0, 0, 8, 100),
                new QueuedJob(0, 10, 4, 50),
                new QueuedJob(0, 20, 4, 50));

        assertThat(queueing(outcome)).containsExactly(0L, 90L, 80L);
        assertThat(outcome.meanCompletionSeconds()).isEqualTo((100 + 140 + 130) / 3.0);
        assertThat(outcome.lastEndSeconds()).isEqualTo(150);
    }

    @Test
    void withBorrowingItDoesNot() {
        QueueOutcome outcome = play(
                RunRules.queues(true, false),
                new QueuedJob(0, 0, 8, 100),
                new QueuedJob(0, 10, 4, 50),
                new QueuedJob(1, 20, 8, 50));

        assertThat(queueing(outcome)).containsExactly(0L, 0L, 40L);
        assertThat(outcome.evictions()).isZero();
    }

    @Test
    void whatWasLentComesBackAfterTheGraceAndTheVictimBeginsAnew() {
        QueueOutcome outcome = play(
                RunRules.queues(true, true),
                new QueuedJob(0, 0, 8, 100),
                new QueuedJob(0, 10, 8, 200),
                new QueuedJob(1, 20, 8, 50));

        // The borrower is asked at 20 and gone at 50, having run 40 s for nothing; the owner runs from 50 to 100.
        assertThat(outcome.evictions()).isEqualTo(1);
        assertThat(outcome.lostGpuSeconds()).isEqualTo(8 * 40);
        assertThat(queueing(outcome)).containsExactly(0L, 90L, 30L);
    }

    @Test
    void whoeverEndsWithinTheGraceHasLostNothing() {
        QueueOutcome outcome = play(
                RunRules.queues(true, true),
                new QueuedJob(0, 0, 8, 100),
                new QueuedJob(0, 10, 8, 25),
                new QueuedJob(1, 20, 8, 50));

        assertThat(outcome.evictions()).isZero();
        assertThat(queueing(outcome)).containsExactly(0L, 0L, 15L);
    }

    @Test
    void whoIsProtectedIsNotAsked() {
        QueueOutcome outcome = play(
                RunRules.queues(true, true).with(1_000, 0),
                new QueuedJob(0, 0, 8, 100),
                new QueuedJob(0, 10, 8, 200),
                new QueuedJob(1, 20, 8, 50));

        assertThat(outcome.evictions()).isZero();
        assertThat(queueing(outcome)).containsExactly(0L, 0L, 80L);
    }

    @Test
    void jobsPassOneThatDoesNotFitUnlessTheOrderIsStrict() {
        QueuedJob[] jobs = {
            new QueuedJob(0, 0, 8, 100), new QueuedJob(0, 1, 16, 10), new QueuedJob(0, 2, 8, 10),
        };

        assertThat(queueing(play(RunRules.fifo(false), jobs))).containsExactly(0L, 99L, 0L);
        assertThat(queueing(play(RunRules.fifo(true), jobs))).containsExactly(0L, 99L, 108L);
    }

    @Test
    void aHigherPriorityComesFirstUntilPatienceIsOver() {
        QueuedJob[] jobs = {
            new QueuedJob(0, 0, 8, 100), new QueuedJob(0, 10, 8, 50), new QueuedJob(0, 90, 8, 50).withPriority(5),
        };

        assertThat(queueing(play(RunRules.queues(false, false), jobs))).containsExactly(0L, 140L, 10L);
        assertThat(queueing(play(RunRules.queues(false, false).with(0, 60), jobs)))
                .containsExactly(0L, 90L, 60L);
    }

    @Test
    void aJobThatFitsNowhereIsNamed() {
        assertThatThrownBy(() -> play(RunRules.queues(false, false), new QueuedJob(0, 0, 9, 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 jobs wait for ever");
    }

    @Test
    void aJobHasGpusAndTime() {
        assertThatThrownBy(() -> new QueuedJob(0, 0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new QueuedJob(0, 0, 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new QueuedJob(0, 0, 1, 10, 9, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void noQueueIsEverOverItsQuotaWithoutBorrowingNorTheFleetOverItsGpusWithIt() {
        List<QueuedJob> jobs = new ArrayList<>();
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            jobs.add(new QueuedJob(
                    random.nextInt(2), random.nextInt(2_000), 1 + random.nextInt(8), 1 + random.nextInt(99)));
        }
        for (RunRules rules : List.of(RunRules.queues(false, false), RunRules.queues(true, true))) {
            Highest highest = new Highest();
            QueueRun.play(TWO, jobs, rules, highest, done -> {});

            assertThat(highest.ofOne).isEqualTo(rules.borrowing() ? 16 : 8);
            assertThat(highest.ofAll).isEqualTo(16);
        }
    }

    /** Most that is held at any time. */
    private static final class Highest implements RunWatcher {
        private long ofOne;
        private long ofAll;

        @Override
        public void settled(QueueRun run) {
            long a = run.books().held(0);
            long b = run.books().held(1);
            ofOne = Math.max(ofOne, Math.max(a, b));
            ofAll = Math.max(ofAll, a + b);
        }

        @Override
        public void evicts(QueueRun run, Plan plan) {
            assertThat(plan.evictions()).isNotEmpty();
        }
    }
}
