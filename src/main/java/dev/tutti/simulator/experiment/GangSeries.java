package dev.tutti.simulator.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * What became of all gangs on one fleet.
 *
 * @param fleet its name
 * @param gpus its GPUs
 * @param wished gangs of all runs, placed as they wished
 * @param unmindful the same gangs, placed as if they did not care where
 */
public record GangSeries(String fleet, int gpus, List<GangOutcome> wished, List<GangOutcome> unmindful) {

    private static final double PERCENT = 100;
    private static final double NANOS_PER_MICRO = 1_000;

    public GangSeries {
        wished = List.copyOf(wished);
        unmindful = List.copyOf(unmindful);
    }

    /**
     * Plays two runs for each seed, with and without wishes, after one that is not measured and warms the program up.
     *
     * @param gangs how many arrive in each run, 1 and up
     * @param afterEach called after each pair of runs, the unmeasured one too
     */
    public static GangSeries play(
            String name, Fleet fleet, Contestant contestant, int gangs, List<Long> seeds, Runnable afterEach) {
        GangRun.play(fleet, contestant, gangs, true, seeds.get(0));
        afterEach.run();
        List<GangOutcome> wished = new ArrayList<>();
        List<GangOutcome> unmindful = new ArrayList<>();
        for (long seed : seeds) {
            wished.addAll(GangRun.play(fleet, contestant, gangs, true, seed));
            unmindful.addAll(GangRun.play(fleet, contestant, gangs, false, seed));
            afterEach.run();
        }
        return new GangSeries(name, fleet.arrays().devices(), wished, unmindful);
    }

    /** Gangs of which this is true. */
    public long count(Predicate<GangOutcome> isSo) {
        return wished.stream().filter(isSo).count();
    }

    /** Of the gangs of these kinds for which there was a domain, those that got the smallest; in percent. */
    public double smallestPercent(Predicate<Gang> these) {
        long fit = count(outcome -> outcome.fits() && these.test(outcome.gang()));
        long smallest = count(outcome -> outcome.isSmallest() && these.test(outcome.gang()));
        return fit == 0 ? PERCENT : PERCENT * smallest / fit;
    }

    /** Pairs of GPUs of a gang that are parted, in percent of its pairs; mean of the gangs placed. */
    public static double partedPercent(List<GangOutcome> outcomes, ToLongFunction<GangOutcome> parted) {
        return outcomes.stream()
                .filter(GangOutcome::placed)
                .mapToDouble(outcome -> PERCENT * parted.applyAsLong(outcome) / outcome.pairs())
                .average()
                .orElse(0);
    }

    /**
     * Microseconds of CPU time that so many of the placements of these gangs took at most.
     *
     * @param part 0.5 for the median
     * @return NaN when none of these gangs was placed
     */
    public double micros(double part, Predicate<Gang> these) {
        long[] nanos = wished.stream()
                .filter(outcome -> outcome.placed() && these.test(outcome.gang()))
                .mapToLong(GangOutcome::nanos)
                .sorted()
                .toArray();
        int index = (int) Math.min(nanos.length - 1, Math.floor(part * nanos.length));
        return nanos.length == 0 ? Double.NaN : nanos[index] / NANOS_PER_MICRO;
    }
}
