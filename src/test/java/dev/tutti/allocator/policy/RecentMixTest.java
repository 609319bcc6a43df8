package dev.tutti.allocator.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.board.PodShape;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentMixTest {

    private static final PodShape ONE = new PodShape(1, 1_000, 10, 10);

    @Test
    void tellsNothingBeforeItKnowsEnough() {
        RecentMix recent = new RecentMix();
        recent.add(ONE, List.of(), 15);
        assertThat(recent.mix()).isEqualTo(Mix.UNKNOWN);
        recent.add(ONE, List.of(), 1);
        assertThat(recent.mix().asks()).containsExactly(new Mix.Ask(ONE, List.of(), 16));
    }

    @Test
    void staysTheSameUntilFourTimesAsMuchIsKnown() {
        RecentMix recent = new RecentMix();
        recent.add(ONE, List.of(), 16);
        Mix first = recent.mix();
        recent.add(ONE, List.of(), 47);
        assertThat(recent.mix()).isSameAs(first);
        recent.add(ONE, List.of(), 1);
        assertThat(recent.mix().asks()).containsExactly(new Mix.Ask(ONE, List.of(), 64));
    }

    @Test
    void thePastFades() {
        RecentMix recent = new RecentMix();
        PodShape old = new PodShape(1, 500, 10, 10);
        recent.add(old, List.of(), 20_000);
        for (int i = 0; i < 100; i++) {
            recent.add(ONE, List.of(), 20_000);
        }
        assertThat(recent.mix().asks()).extracting(Mix.Ask::shape).containsExactly(ONE);
    }

    @Test
    void kindsAreBounded() {
        RecentMix recent = new RecentMix();
        for (int i = 0; i < 50_000; i++) {
            recent.add(new PodShape(1, 1_000, i, 10), List.of(), 1);
        }
        assertThat(recent.mix().asks()).hasSizeLessThanOrEqualTo(4_096);
    }

    @Test
    void aHugeGangCountsNoMoreThanThePastThatIsRemembered() {
        RecentMix recent = new RecentMix();
        recent.add(ONE, List.of(), Integer.MAX_VALUE);
        assertThat(recent.mix().asks()).hasSize(1);
    }
}
