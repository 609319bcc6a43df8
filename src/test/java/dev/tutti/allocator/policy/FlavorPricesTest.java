package dev.tutti.allocator.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.board.Area;
import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.board.NodeSet;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fit.Ranking;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Flavors are numbered by name: a10 (16 GPUs), h100 (4), t4 (12). */
class FlavorPricesTest {

    private static final PodShape ONE = new PodShape(1, 1_000, 10, 1);
    private static final Snapshot FLEET = snapshot(
            "n1 flavor=a10 gpus=8",
            "n2 flavor=a10 gpus=8",
            "n3 flavor=h100 gpus=4 mig=h100-80gb",
            "n4 flavor=t4 gpus=12");

    @Test
    void nobodyNamesAFlavor() {
        assertThat(prices(ask(40, ONE))).containsExactly(0, 0, 0);
        assertThat(FlavorPrices.of(layout(FLEET), Mix.UNKNOWN)).containsExactly(0, 0, 0);
    }

    @Test
    void thePartOfAFlavorThatIsSpokenForIsItsPrice() {
        // A sixteenth of what is asked for is 2 GPUs of a fleet of 32, and there are 4 of that flavor.
        assertThat(prices(ask(60, ONE), ask(4, ONE, "h100"))).containsExactly(0, 500, 0);
        assertThat(prices(ask(60, ONE), ask(4, ONE, "a10"))).containsExactly(125, 0, 0);
    }

    @Test
    void aShareSpeaksForItsPart() {
        assertThat(prices(ask(60, ONE), ask(8, new PodShape(1, 500, 10, 1), "h100")))
                .containsExactly(0, 500, 0);
    }

    @Test
    void whoNamesSeveralIsSpreadOverTheirGpus() {
        assertThat(prices(ask(60, ONE), ask(4, ONE, "h100", "t4"))).containsExactly(0, 125, 125);
        assertThat(prices(ask(60, ONE), ask(4, ONE, "t4", "h100", "h100", "no-such")))
                .containsExactly(0, 125, 125);
        assertThat(prices(ask(60, ONE), ask(2, ONE, "h100", "t4"), ask(2, ONE, "h100")))
                .containsExactly(0, 312, 62);
    }

    @Test
    void whoNeedsAnInstanceCountsWhereGpusCanBeCutSo() {
        PodShape instance =
                new PodShape(1, 500, MigLayouts.numberOf("3g.40gb"), 10, 1, NodeSet.ALL, 0, PodShape.ANY_RESOURCE);
        assertThat(prices(ask(60, ONE), ask(8, instance))).containsExactly(0, 500, 0);
        assertThat(prices(ask(60, ONE), ask(8, instance, "a10", "h100"))).containsExactly(0, 500, 0);
    }

    @Test
    void aFlavorCostsAtMostItself() {
        assertThat(prices(ask(1, ONE), ask(100, ONE, "h100"), ask(100, ONE, "h100", "t4")))
                .containsExactly(0, 1_000, 995);
    }

    @Test
    void whatAsksForNoGpuOrNamesNoFlavorOfTheFleetCountsForNone() {
        assertThat(prices(ask(60, ONE), ask(9, new PodShape(0, 0, 10, 1), "h100")))
                .containsExactly(0, 0, 0);
        assertThat(prices(ask(60, ONE), ask(4, ONE, "no-such"))).containsExactly(0, 0, 0);
    }

    @Test
    void aFlavorOthersNameIsKeptForThemAsFarAsThatCostsLess() {
        // On the a10 a pod of 20 cores leaves more than half a GPU without the 12 cores that come with one.
        PodShape heavy = new PodShape(1, 1_000, 20_000, 1);
        PodShape usual = new PodShape(1, 1_000, 12_000, 1);
        Snapshot fleet = snapshot("n1 flavor=a10 gpus=8 cpu=90000", "n2 flavor=h100 gpus=8 cpu=200000");
        assertThat(flavorChosen(fleet, heavy, ask(180, usual), ask(20, usual, "h100")))
                .isEqualTo("h100");
        assertThat(flavorChosen(fleet, heavy, ask(100, usual), ask(100, usual, "h100")))
                .isEqualTo("a10");
        assertThat(flavorChosen(fleet, usual, ask(180, usual), ask(20, usual, "h100")))
                .isEqualTo("a10");
        assertThat(flavorChosen(fleet, usual, ask(180, usual), ask(20, usual, "a10")))
                .isEqualTo("h100");
    }

    private static String flavorChosen(Snapshot fleet, PodShape shape, Mix.Ask... asks) {
        Board board = Board.free(layout(fleet), fleet.fleet());
        Ranking ranking = new Ranking(board, new ShadowPrice().over(board, new Mix(List.of(asks))));
        assertThat(ranking.find(shape, Area.of(0, board.layout().nodes()))).isTrue();
        return board.layout().flavorName(board.layout().flavor[ranking.node()]);
    }

    private static int[] prices(Mix.Ask... asks) {
        return FlavorPrices.of(layout(FLEET), new Mix(List.of(asks)));
    }

    private static Mix.Ask ask(int pods, PodShape shape, String... flavors) {
        return new Mix.Ask(shape, List.of(flavors), pods);
    }

    private static Layout layout(Snapshot snapshot) {
        return Layout.of(snapshot.names(), snapshot.fleet());
    }

    private static Snapshot snapshot(String... nodes) {
        return TestFleet.snapshot(List.of(nodes).stream().map(TestNode::of).toList(), Map.of());
    }
}
