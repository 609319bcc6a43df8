package dev.tutti.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.allocator.board.PodShape;
import dev.tutti.simulator.fleet.Fleets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Made fixtures: a small fleet and a mix in which patterns matter. */
class ArrivalRunTest {

    private static final int SEEDS = 5;
    private static final Fleet FLEET = Fleet.of(Fleets.named("nodes=40,gpus=8,flavor=h100-sxm"), List.of());

    @Test
    void theDefaultPolicyLeavesLessIdleThanTheOthers() {
        double ours = mean("shadow-price");
        assertThat(ours).isGreaterThan(mean("fragmentation"));
        assertThat(ours).isGreaterThan(mean("best-fit"));
        assertThat(ours).isGreaterThan(mean("random"));
        assertThat(mean("spread")).isLessThan(ours);
    }

    @Test
    void sameSeedSameRun() {
        for (String name : Contestant.all().stream().map(Contestant::name).toList()) {
            Outcome once = play(name, 7);
            Outcome again = play(name, 7);
            assertThat(again.idle()).as(name).isEqualTo(once.idle());
            assertThat(again.refused()).as(name).isEqualTo(once.refused());
        }
    }

    @Test
    void nothingIsRefusedWhileEverythingFits() {
        Outcome outcome = ArrivalRun.play(
                FLEET, workload(), Contestant.find("shadow-price").orElseThrow(), 50, 1);
        assertThat(outcome.refused()).isEmpty();
        assertThat(outcome.curve().at(50)).isEqualTo(50, within(0.6));
    }

    @Test
    void podsWithoutAWishLeaveTheScarceFlavorToThoseWhoNameIt() {
        // Half the pods ask for more CPU than comes with an A10, and the H100 nodes have CPU to spare: it tempts.
        Fleet fleet = Fleet.of(
                Stream.of("nodes=16,flavor=h100-sxm", "nodes=80,flavor=a10")
                        .flatMap(nodes -> Fleets.named(nodes).stream())
                        .toList(),
                List.of());
        List<Workload.Pod> pods = new ArrayList<>();
        add(pods, 320, new PodShape(1, 1_000, 8_000, 8_000));
        add(pods, 320, new PodShape(1, 1_000, 14_000, 8_000));
        add(pods, 128, new PodShape(1, 1_000, 11_000, 8_000), "h100-sxm");
        Workload workload = Workload.of(pods);
        for (int seed = 0; seed < SEEDS; seed++) {
            Curve curve = ArrivalRun.play(
                            fleet, workload, Contestant.find("shadow-price").orElseThrow(), 100, seed)
                    .curve();
            assertThat(curve.at(100)).as("seed " + seed).isGreaterThan(97);
        }
    }

    @Test
    void theTraceComesWholeAndThenClonesOfIt() {
        Workload workload = workload();
        int[] arrivals = workload.arrivals(2 * FLEET.capacityMilli(), new Random(3));
        long asked = 0;
        int[] seen = new int[workload.kinds().size()];
        for (int i = 0; i < arrivals.length; i++) {
            asked += workload.milliOf(arrivals[i]);
            seen[arrivals[i]] += i < workload.pods().length ? 1 : 0;
        }
        assertThat(asked).isBetween(2 * FLEET.capacityMilli() - 8_000, 2 * FLEET.capacityMilli() + 8_000);
        for (int kind = 0; kind < seen.length; kind++) {
            assertThat(seen[kind]).isEqualTo(workload.kinds().get(kind).pods());
        }
    }

    @Test
    void aTraceThatAsksForTooMuchIsThinnedOut() {
        int[] arrivals = workload().arrivals(10_000, new Random(3));
        long asked = 0;
        for (int kind : arrivals) {
            asked += workload().milliOf(kind);
        }
        assertThat(asked).isLessThanOrEqualTo(10_000);
        assertThat(arrivals).isNotEmpty();
    }

    private static double mean(String contestant) {
        double sum = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            sum += play(contestant, seed).curve().at(130);
        }
        return sum / SEEDS;
    }

    private static Outcome play(String contestant, long seed) {
        return ArrivalRun.play(FLEET, workload(), Contestant.find(contestant).orElseThrow(), 130, seed);
    }

    private static Workload workload() {
        List<Workload.Pod> pods = new ArrayList<>();
        add(pods, 60, new PodShape(1, 650, 4_000, 8_000));
        add(pods, 80, new PodShape(1, 320, 4_000, 8_000));
        add(pods, 90, new PodShape(1, 470, 2_000, 8_000));
        add(pods, 60, new PodShape(1, 810, 2_000, 8_000));
        add(pods, 100, new PodShape(1, 1_000, 10_000, 8_000));
        add(pods, 4, new PodShape(8, 1_000, 60_000, 64_000));
        add(pods, 40, new PodShape(0, 0, 12_000, 8_000));
        return Workload.of(pods);
    }

    private static void add(List<Workload.Pod> pods, int count, PodShape shape, String... flavors) {
        for (int i = 0; i < count; i++) {
            pods.add(new Workload.Pod(shape, List.of(flavors)));
        }
    }
}
