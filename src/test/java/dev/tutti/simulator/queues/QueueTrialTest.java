package dev.tutti.simulator.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Measures of small runs, worked out by hand. */
class QueueTrialTest {

    private static QueueTrial play(RunRules rules, int gpusOfSecond, QueuedJob... jobs) {
        List<QueueNode> queues = List.of(new QueueNode("a", -1, 8, 1), new QueueNode("b", -1, gpusOfSecond, 1));
        return QueueTrial.play(new QueueWorkload(queues, List.of(jobs)), rules, done -> {});
    }

    private static final QueuedJob[] LENT_AND_ASKED_BACK = {
        new QueuedJob(0, 0, 8, 100), new QueuedJob(0, 0, 8, 100), new QueuedJob(1, 20, 8, 50)
    };

    @Test
    void theShareErrorCountsWhileTheLenderWaits() {
        // Until 20 a holds 16 and is owed 16; until 50, when its second job is gone, b has nothing of its 8; then each
        // has 8 until 100, when less than the fleet is wanted.
        ShareSamples shares =
                play(RunRules.queues(true, true), 8, LENT_AND_ASKED_BACK).shares();

        assertThat(shares.seconds()).isEqualTo(100);
        assertThat(shares.meanErrorPercent()).isCloseTo(100 * 8 * 30 / 100.0 / 16, within(1e-9));
        assertThat(shares.errorPercent(0.5)).isZero();
        assertThat(shares.errorPercent(0.7)).isZero();
        assertThat(shares.errorPercent(0.71)).isEqualTo(50);
        assertThat(shares.errorPercent(1)).isEqualTo(50);
        assertThat(shares.wholeErrorPercent()).isCloseTo(15, within(1e-9));
        assertThat(shares.owedPercent()).isCloseTo(15, within(1e-9));
        assertThat(shares.inUsePercent()).isEqualTo(100);
    }

    @Test
    void withoutPreemptionTheLenderWaitsUntilTheBorrowerEnds() {
        // From 20 to 100 b has nothing of its 8.
        ShareSamples shares =
                play(RunRules.queues(true, false), 8, LENT_AND_ASKED_BACK).shares();

        assertThat(shares.meanErrorPercent()).isCloseTo(100 * 8 * 80 / 100.0 / 16, within(1e-9));
    }

    @Test
    void oneWhoHadTooLittleMayMakeUpForItLater() {
        // a has all until 50, b until 100, and both want all; then only a does.
        ShareSamples shares = play(
                        RunRules.queues(true, false),
                        8,
                        new QueuedJob(0, 0, 16, 50),
                        new QueuedJob(1, 0, 16, 50),
                        new QueuedJob(0, 1, 16, 50))
                .shares();

        assertThat(shares.meanErrorPercent()).isCloseTo(100 * 8 * 100 / 150.0 / 16, within(1e-9));
        assertThat(shares.wholeErrorPercent()).isZero();
    }

    @Test
    void greedyVictimsAreLostInVainUnlessTheyAreSpared() {
        // On the third node 4 GPUs of b and 1 of a; b asks for a whole node. The youngest of a is no help.
        QueueTrial trial = play(
                RunRules.queues(true, true),
                16,
                new QueuedJob(0, 0, 8, 100),
                new QueuedJob(0, 1, 8, 100),
                new QueuedJob(1, 2, 4, 100),
                new QueuedJob(0, 3, 1, 100),
                new QueuedJob(1, 10, 8, 10));

        assertThat(trial.cost(RunRules.Victims.SEARCHED)).isEqualTo(new QueueTrial.Cost(1, 1, 8 * 9));
        assertThat(trial.cost(RunRules.Victims.GREEDY)).isEqualTo(new QueueTrial.Cost(1, 2, 8 * 9 + 7));
        assertThat(trial.cost(RunRules.Victims.GREEDY_SPARING)).isEqualTo(new QueueTrial.Cost(1, 1, 8 * 9));
    }

    @Test
    void aRunMayBePlayedWithGreedyVictims() {
        QueuedJob[] jobs = {
            new QueuedJob(0, 0, 8, 100),
            new QueuedJob(0, 1, 8, 100),
            new QueuedJob(1, 2, 4, 100),
            new QueuedJob(0, 3, 1, 100),
            new QueuedJob(1, 10, 8, 10)
        };

        assertThat(play(RunRules.queues(true, true), 16, jobs).outcome().evictions())
                .isEqualTo(1);
        assertThat(play(RunRules.queues(true, true).withVictims(RunRules.Victims.GREEDY), 16, jobs)
                        .outcome()
                        .evictions())
                .isEqualTo(2);
    }

    @Test
    void withoutVictimsNothingIsLost() {
        QueueTrial trial = play(RunRules.queues(true, false), 8, new QueuedJob(0, 0, 8, 10));

        assertThat(trial.cost(RunRules.Victims.GREEDY)).isEqualTo(QueueTrial.Cost.NONE);
        assertThat(trial.shares().seconds()).isZero();
        assertThat(trial.shares().meanErrorPercent()).isZero();
    }
}
