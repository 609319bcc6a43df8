package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.testkit.scenario.AllocatorStage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random streams of jobs around one large job that nothing stronger passes; everybody keeps to its limit or ends early. */
class BackfillPropertiesTest {

    private static final int SEEDS = 40;
    private static final int NODES = 5;
    private static final int SECONDS = 400;
    private static final long LARGE_AT = 20;

    @Test
    void theLargeJobNeverStartsLaterThanItWasFirstTold() {
        int told = 0;
        int filled = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Run run = new Run(seed, "q");
            long promised = -1;
            for (int second = 0; second < SECONDS; second++) {
                run.step(second);
                long planned = second < LARGE_AT ? -1 : run.stage.plannedStart("B");
                if (planned >= 0) {
                    promised = promised < 0 ? planned : promised;
                    assertThat(planned).as("seed %d second %d", seed, second).isLessThanOrEqualTo(promised);
                    promised = planned;
                } else if (promised >= 0) {
                    assertThat(run.stage.runs("B") || run.stage.startOf("B") >= 0)
                            .as("seed %d second %d: a time once told is not taken back", seed, second)
                            .isTrue();
                }
            }
            if (promised >= 0) {
                told++;
                assertThat(run.stage.startOf("B")).as("seed %d", seed).isBetween(LARGE_AT, promised);
                filled += run.startedBetween(LARGE_AT + 1, run.stage.startOf("B") - 1);
            }
        }
        assertThat(told).as("large jobs with a time").isGreaterThan(SEEDS / 2);
        assertThat(filled).as("jobs that started while one waited").isGreaterThan(SEEDS / 4);
    }

    @Test
    void noLessIsUsedThanInStrictOrder() {
        long withBackfill = 0;
        long strict = 0;
        for (int seed = 0; seed < SEEDS / 4; seed++) {
            Run filling = new Run(seed, "q");
            Run inOrder = new Run(seed, "q strict");
            for (int second = 0; second < SECONDS; second++) {
                filling.step(second);
                inOrder.step(second);
                withBackfill += filling.stage.heldMilli();
                strict += inOrder.stage.heldMilli();
            }
        }
        assertThat(withBackfill).isGreaterThan(strict);
    }

    /** One stream; the same for the same seed whatever the allocator does. */
    private static final class Run {
        final AllocatorStage stage = new AllocatorStage().protectAll().checkOneIn(7);
        final List<String> names = new ArrayList<>();
        final Random arrivals;
        final Random ends;

        Run(int seed, String queue) {
            arrivals = new Random(seed);
            ends = new Random(1_000 + seed);
            for (int n = 1; n <= NODES; n++) {
                stage.fleet("n" + n + " gpus=8 cpu=" + (32 + 16 * arrivals.nextInt(4)) * 1_000);
            }
            stage.queues(queue);
        }

        void step(int second) {
            if (second == LARGE_AT) {
                stage.submit("B gpus=8 pods=" + (2 + arrivals.nextInt(NODES - 1))
                        + " priority=9 cpu=16000 queue=q maxRun=100");
            } else if (arrivals.nextInt(5) == 0) {
                String name = "j" + second;
                names.add(name);
                int run = 5 + arrivals.nextInt(150);
                boolean endless = second > LARGE_AT && arrivals.nextInt(4) == 0;
                stage.submit(name + " gpus=" + (1 + arrivals.nextInt(8)) + " cpu=" + 4_000 * (1 + arrivals.nextInt(4))
                        + " priority=" + arrivals.nextInt(5) + " queue=q" + (endless ? "" : " maxRun=" + run));
            }
            stage.until(second);
            if (ends.nextInt(25) == 0) {
                List<String> running = stage.inOrderOfStart();
                if (!running.isEmpty() && !running.get(0).equals("B")) {
                    stage.remove(running.get(0));
                }
            }
        }

        int startedBetween(long from, long to) {
            return (int) names.stream()
                    .filter(name -> stage.startOf(name) >= from && stage.startOf(name) <= to)
                    .count();
        }
    }
}
