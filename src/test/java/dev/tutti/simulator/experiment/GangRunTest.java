package dev.tutti.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.simulator.fleet.Fleets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class GangRunTest {

    private static final List<String> LEVELS = List.of(
            "topology.kubernetes.io/zone", "network.topology.nvidia.com/block", "network.topology.nvidia.com/rack");
    private static final Fleet SMALL = Fleet.of(Fleets.named("default"), LEVELS);

    @Test
    void everyGangThatFitsGetsTheSmallestDomainUnderEveryPolicy() {
        for (Contestant contestant : Contestant.all()) {
            List<GangOutcome> outcomes = GangRun.play(SMALL, contestant, 400, true, 7);
            assertThat(outcomes).as(contestant.name()).allSatisfy(outcome -> {
                assertThat(outcome.placed()).isEqualTo(outcome.fits());
                assertThat(outcome.isSmallest()).isEqualTo(outcome.fits());
            });
        }
    }

    @Test
    void everyKindAndManySizesArrive() {
        List<GangOutcome> outcomes = GangRun.play(SMALL, Contestant.all().get(0), 400, true, 7);

        Set<Gang.Kind> placed = outcomes.stream()
                .filter(GangOutcome::placed)
                .map(outcome -> outcome.gang().kind())
                .collect(Collectors.toSet());
        assertThat(placed).isEqualTo(EnumSet.allOf(Gang.Kind.class));
        assertThat(outcomes).anyMatch(outcome -> outcome.gang().gpus() > 500);
        assertThat(outcomes)
                .allSatisfy(outcome -> assertThat(outcome.gang().gpus()).isBetween(2, 2_048));
        assertThat(outcomes).anyMatch(outcome -> !outcome.fits());
    }

    @Test
    void sameSeedSameRun() {
        Contestant contestant = Contestant.all().get(0);
        assertThat(withoutTimes(GangRun.play(SMALL, contestant, 200, true, 3)))
                .isEqualTo(withoutTimes(GangRun.play(SMALL, contestant, 200, true, 3)))
                .isNotEqualTo(withoutTimes(GangRun.play(SMALL, contestant, 200, true, 4)));
    }

    @Test
    void wishesKeepGangsTogether() {
        Contestant contestant = Contestant.all().get(0);
        List<GangOutcome> wished = GangRun.play(SMALL, contestant, 400, true, 7);
        List<GangOutcome> unmindful = GangRun.play(SMALL, contestant, 400, false, 7);

        assertThat(GangSeries.partedPercent(wished, GangOutcome::crossRack))
                .isLessThan(GangSeries.partedPercent(unmindful, GangOutcome::crossRack));
        assertThat(GangSeries.partedPercent(wished, GangOutcome::crossIsland))
                .isLessThan(GangSeries.partedPercent(unmindful, GangOutcome::crossIsland));
    }

    @Test
    void pairsInDifferentGroupsAreCounted() {
        Pairs pairs = new Pairs();
        List.of(1L, 1L, 1L, 2L, 2L).forEach(pairs::add);

        assertThat(pairs.all()).isEqualTo(10);
        assertThat(pairs.across()).isEqualTo(6);
    }

    private static List<GangOutcome> withoutTimes(List<GangOutcome> outcomes) {
        return outcomes.stream()
                .map(one -> new GangOutcome(
                        one.gang(),
                        one.fits(),
                        one.placed(),
                        one.isSmallest(),
                        one.pairs(),
                        one.crossRack(),
                        one.crossIsland(),
                        0))
                .toList();
    }
}
