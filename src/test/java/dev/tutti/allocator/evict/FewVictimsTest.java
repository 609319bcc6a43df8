package dev.tutti.allocator.evict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.testkit.scenario.AllocatorStage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random small fleets, full of weaker jobs: how many leave, against the fewest that could. */
class FewVictimsTest {

    private static final int SEEDS = 150;

    @Test
    void fewLeaveAndNobodyInVain() {
        int cases = 0;
        int asked = 0;
        int fewest = 0;
        int none = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            AllocatorStage stage = full(random);
            stage.submit("j gpus=" + (1 + random.nextInt(4)) + " pods=" + (1 + random.nextInt(2)) + " priority=5"
                    + (random.nextBoolean() ? " required=rack" : ""));
            int least = stage.fewestVictims("j");
            stage.decide();
            if (least < 0) {
                assertThat(stage.evictions()).as("seed " + seed).isEmpty();
                none++;
                continue;
            }
            assertThat(stage.evictions().isEmpty()).as("seed " + seed).isEqualTo(least == 0);
            if (least > 0) {
                cases++;
                asked += stage.evictions().size();
                fewest += least;
                stage.leave();
                assertThat(stage.decide()).as("seed " + seed).contains("j starts");
            }
        }
        System.out.println("=== victims: " + asked + " asked in " + cases + " cases of " + SEEDS
                + " seeds, at the fewest " + fewest + "; nobody helps in " + none);
        assertThat(cases).isGreaterThan(SEEDS / 4);
        assertThat(asked).isLessThan(2 * fewest);
    }

    private static AllocatorStage full(Random random) {
        List<String> nodes = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            nodes.add("n" + n + " gpus=4 rack=r" + n / 2);
        }
        AllocatorStage stage = AllocatorStage.of(nodes, List.of("other"));
        int free = 16;
        for (int i = 0; i < 7; i++) {
            int gpus = 1 + random.nextInt(3);
            // Four jobs of three GPUs need a node each; a fifth may find none.
            if (free - gpus < 8 - i) {
                gpus = 1;
            }
            free -= gpus;
            stage.running("r" + i + " gpus=" + gpus
                    + (random.nextInt(5) == 0 ? " queue=other" : " priority=" + random.nextInt(8)));
        }
        return stage;
    }
}
