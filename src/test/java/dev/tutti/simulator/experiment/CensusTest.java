package dev.tutti.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.simulator.fleet.Fleets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Eight nodes of eight GPUs in two racks of four; the witness is checked by hand. */
class CensusTest {

    private static final Fleet FLEET =
            Fleet.of(Fleets.named("nodes=8,gpus=8,flavor=h100-sxm"), List.of("network.topology.nvidia.com/rack"));
    private static final int RACK = 1;
    private static final int NODE = 2;

    private final Census census = new Census(FLEET.arrays());

    @Test
    void theNodeWithFewestFreeGpusThatHoldsAllIsTheSmallest() {
        census.take(3, 6);
        census.take(5, 3);

        assertThat(smallest(NODE, -1, pods(2, 2))).contains(new Census.Smallest(NODE, 5, 2));
        assertThat(smallest(NODE, -1, pods(1, 2))).contains(new Census.Smallest(NODE, 2, 2));
    }

    @Test
    void aWishThatCannotBeMetWidens() {
        assertThat(smallest(0, NODE, pods(8, 2))).contains(new Census.Smallest(RACK, 32, 2));
        assertThat(smallest(0, NODE, pods(8, 5))).contains(new Census.Smallest(0, 64, 5));
        assertThat(smallest(RACK, -1, pods(8, 5))).isEmpty();
    }

    @Test
    void whatIsLeftOnANodeBesideLargePodsCounts() {
        census.take(0, 2);

        assertThat(smallest(NODE, -1, pods(4, 1), pods(1, 3))).contains(new Census.Smallest(NODE, 8, 4));
        assertThat(smallest(NODE, -1, pods(4, 1), pods(1, 2))).contains(new Census.Smallest(NODE, 6, 3));
        assertThat(smallest(NODE, -1, pods(4, 2), pods(1, 1))).isEmpty();
    }

    @Test
    void anElasticGangStartsWholeInAWideDomainBeforeItStartsSmallInANarrowOne() {
        Gang.Pods elastic = new Gang.Pods(8, 5, 2);
        assertThat(smallest(0, RACK, elastic)).contains(new Census.Smallest(0, 64, 5));
        assertThat(smallest(RACK, RACK, elastic)).contains(new Census.Smallest(RACK, 32, 4));
    }

    @Test
    void aGpuIsNotGivenTwice() {
        census.take(0, 8);
        assertThatThrownBy(() -> census.take(0, 1)).isInstanceOf(IllegalStateException.class);
    }

    private Optional<Census.Smallest> smallest(int required, int preferred, Gang.Pods... sets) {
        return census.smallest(new Gang(Gang.Kind.REQUIRED, "h100-sxm", List.of(sets), required, preferred), 0);
    }

    private static Gang.Pods pods(int gpus, int count) {
        return new Gang.Pods(gpus, count, count);
    }
}
