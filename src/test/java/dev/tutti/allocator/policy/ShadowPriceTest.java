package dev.tutti.allocator.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShadowPriceTest {

    private final ShadowPrice policy = new ShadowPrice();

    @Test
    void pricesAreSolvedOnceForAMix() {
        Prices prices = policy.prices(mix(650), layout("gpus=8"));
        assertThat(policy.prices(mix(650), layout("gpus=8 used=4"))).isSameAs(prices);
    }

    @Test
    void anotherMixOrLargerNodesHavePricesOfTheirOwn() {
        Prices prices = policy.prices(mix(650), layout("gpus=4"));
        assertThat(policy.prices(mix(350), layout("gpus=4")).worth()).isNotEqualTo(prices.worth());
        assertThat(policy.prices(mix(350), layout("gpus=8")).together()).hasSize(9);
        assertThat(policy.prices(mix(650), layout("gpus=4")).worth()).isEqualTo(prices.worth());
    }

    private static Mix mix(int milli) {
        return new Mix(List.of(new Mix.Ask(new PodShape(1, milli, 1_000, 1_000), List.of(), 100)));
    }

    private static Layout layout(String node) {
        Snapshot snapshot = TestFleet.snapshot(List.of(TestNode.of("n1 " + node)), Map.of());
        return Layout.of(snapshot.names(), snapshot.fleet());
    }
}
