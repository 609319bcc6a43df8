package dev.tutti.simulator.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What came of all runs of one contestant.
 *
 * @param name the contestant
 * @param runs one for each seed, at least one, all to the same percent
 */
public record Series(String name, List<Outcome> runs) {

    private static final double PERCENT = 100;
    private static final double DEVICE_MILLI = 1_000;
    private static final int MOST_WARM_UPS = 10;
    private static final int WARM_UP_ARRIVALS = 100_000;

    public Series {
        runs = List.copyOf(runs);
    }

    /**
     * Runs that are played first and not measured, so that the program is warm: ten, but fewer where one is long.
     *
     * @param percent milli-GPU that arrive in each run, in percent of the capacity
     */
    public static int warmUps(Fleet fleet, Workload workload, int percent) {
        long arrivals = workload.arrivalsFor(fleet.capacityMilli() * percent / (long) PERCENT);
        return (int) Math.max(1, Math.min(MOST_WARM_UPS, WARM_UP_ARRIVALS / arrivals));
    }

    /**
     * Plays {@link #warmUps} runs that are not measured, then one run for each seed.
     *
     * @param seeds at least one
     * @param afterEach called after each run, the unmeasured ones too
     */
    public static Series play(
            Fleet fleet, Workload workload, Contestant contestant, int percent, List<Long> seeds, Runnable afterEach) {
        for (int i = warmUps(fleet, workload, percent); i > 0; i--) {
            ArrivalRun.play(fleet, workload, contestant, percent, seeds.get(0));
            afterEach.run();
        }
        List<Outcome> runs = new ArrayList<>();
        for (long seed : seeds) {
            runs.add(ArrivalRun.play(fleet, workload, contestant, percent, seed));
            afterEach.run();
        }
        return new Series(contestant.name(), runs);
    }

    /** Any measure of a run, over all of them. */
    public Figure figure(ToDoubleFunction<Outcome> measure) {
        return Figure.of(runs.stream().mapToDouble(measure).toArray());
    }

    /** Percent of the capacity allocated when {@code percent} of it had arrived. */
    public Figure allocatedPercent(int percent) {
        return figure(run -> run.curve().at(percent));
    }

    /** GPUs idle in the end. */
    public Figure idleGpus() {
        return figure(run -> run.idleAtEnd().milli() / DEVICE_MILLI);
    }

    /** What of the idle GPUs the average pod could not use when {@code percent}, a multiple of ten, had arrived; in percent. */
    public Figure unusablePercentOfIdle(int percent) {
        return figure(run -> {
            Outcome.Idle then = run.idle().floorEntry(percent).getValue();
            return then.milli() == 0 ? 0 : PERCENT * then.unusableMilli() / then.milli();
        });
    }

    /** What of all GPUs was idle in the end and the average pod could not use it; in percent. */
    public Figure unusablePercentOfAll(long capacityMilli) {
        return figure(run -> PERCENT * run.idleAtEnd().unusableMilli() / capacityMilli);
    }

    /** Pods refused a run of those that asked for so much. */
    public double refused(long fromMilli, long toMilli) {
        return figure(run -> run.refused().entrySet().stream()
                        .filter(size -> size.getKey() >= fromMilli && size.getKey() <= toMilli)
                        .mapToInt(size -> size.getValue())
                        .sum())
                .mean();
    }
}
