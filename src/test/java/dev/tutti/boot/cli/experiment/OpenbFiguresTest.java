package dev.tutti.boot.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.boot.cli.trace.OpenbTrace;
import dev.tutti.simulator.experiment.Contestant;
import dev.tutti.simulator.experiment.Figure;
import dev.tutti.simulator.experiment.Fleet;
import dev.tutti.simulator.experiment.Series;
import dev.tutti.simulator.experiment.Workload;
import dev.tutti.simulator.fleet.Fleets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The real trace, where the environment names its folder: what others published is played as they played it, and the
 * default policy leaves less idle.
 */
class OpenbFiguresTest {

    private static final List<Long> SEEDS =
            LongStream.rangeClosed(42, 51).boxed().toList();

    /** At 100 and 130 % arrived: mean and standard deviation of 10 runs of the published experiment's Python reference. */
    private static final Map<String, List<Figure>> REFERENCE = Map.of(
            "random", List.of(new Figure(86.28, 0.33), new Figure(87.52, 0.31)),
            "best-fit", List.of(new Figure(92.87, 0.18), new Figure(93.08, 0.17)),
            "fragmentation", List.of(new Figure(95.18, 0.14), new Figure(95.35, 0.13)));

    /** Differences of means that chance explains: four standard errors. */
    private static final double ERRORS = 4;

    @Test
    void publishedPoliciesAgreeWithTheReferenceWithinItsNoise() {
        REFERENCE.forEach((policy, expected) -> play("default", policy, 10).ifPresent(series -> {
            assertAgrees(policy, series.allocatedPercent(100), expected.get(0));
            assertAgrees(policy, series.allocatedPercent(130), expected.get(1));
        }));
    }

    @Test
    void whatTheAveragePodCannotUseIsMeasuredAsPublished() {
        play("default", "fragmentation", 3).ifPresent(series -> {
            assertThat(series.unusablePercentOfIdle(60).mean()).isCloseTo(19.9, within(0.4));
            assertThat(series.unusablePercentOfIdle(80).mean()).isCloseTo(29.9, within(0.6));
            assertThat(series.unusablePercentOfIdle(90).mean()).isCloseTo(50.0, within(1.5));
        });
    }

    @Test
    void theDefaultPolicyLeavesLessIdleThanTheBestPublishedOnEveryWorkload() {
        Map<String, Double> floor =
                Map.of("default", 95.8, "gpuspec33", 94.55, "gpushare100", 86.90, "multigpu50", 97.18, "cpu250", 93.41);
        floor.forEach((workload, percent) -> play(workload, "shadow-price", workload.equals("default") ? 3 : 2)
                .ifPresent(series -> assertThat(series.allocatedPercent(130).mean())
                        .as(workload)
                        .isGreaterThan(percent)));
    }

    @Test
    void whoNamesAFlavorIsServedBetterThanByTheBestPublishedWhileTheClusterFills() {
        Optional<Series> ours = play("gpuspec33", "shadow-price", 3);
        Optional<Series> best = play("gpuspec33", "fragmentation", 3);
        if (ours.isPresent() && best.isPresent()) {
            for (int percent : new int[] {60, 80, 100, 120, 130}) {
                assertThat(ours.get().allocatedPercent(percent).mean())
                        .as("at " + percent)
                        .isGreaterThan(best.get().allocatedPercent(percent).mean());
            }
        }
    }

    @Test
    void theDefaultPolicyRefusesNoMoreLargePodsThanTheBestPublished() {
        Optional<Series> ours = play("default", "shadow-price", 3);
        Optional<Series> best = play("default", "fragmentation", 3);
        if (ours.isPresent() && best.isPresent()) {
            assertThat(ours.get().refused(8_000, 8_000))
                    .isLessThanOrEqualTo(best.get().refused(8_000, 8_000));
        }
    }

    private static void assertAgrees(String policy, Figure ours, Figure reference) {
        double squares = ours.deviation() * ours.deviation() + reference.deviation() * reference.deviation();
        assertThat(ours.mean())
                .as(policy)
                .isCloseTo(reference.mean(), within(ERRORS * Math.sqrt(squares / SEEDS.size())));
    }

    private static Optional<Series> play(String workload, String policy, int runs) {
        String traces = System.getenv("TUTTI_TRACE_DIR");
        if (traces == null) {
            System.getLogger(OpenbFiguresTest.class.getName())
                    .log(System.Logger.Level.INFO, "no TUTTI_TRACE_DIR: {0} was not played on the real trace", policy);
            return Optional.empty();
        }
        Path openb = Path.of(traces, "openb");
        Fleet fleet = Fleet.of(
                Fleets.named(openb.resolve("openb_node_list_gpu_node.csv").toString()), List.of());
        Workload pods = OpenbCommand.workload(OpenbTrace.read(openb.resolve("openb_pod_list_" + workload + ".csv")));
        Contestant contestant = Contestant.find(policy).orElseThrow();
        return Optional.of(Series.play(fleet, pods, contestant, 130, SEEDS.subList(0, runs), () -> {}));
    }
}
