package dev.tutti.simulator.queues;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far what queues hold is from the ideal division, whenever all is decided and they want at least as many GPUs as there are.
 * Each sample counts for as long as it lasts.
 */
public final class ShareSamples implements RunWatcher {

    private static final long DAY_SECONDS = 86_400;

    private final List<QueueNode> queues;
    private final boolean[] isLeaf;
    private final long fleet;
    private final List<Sample> samples = new ArrayList<>();
    private final GpuTime whole;
    /** By day from the begin. */
    private final Map<Long, GpuTime> days = new TreeMap<>();

    private long since;
    private Fraction[] ideal = {};
    private long[] held = {};
    private long owed;

    /**
     * The division at one time.
     *
     * @param seconds how long it lasts
     * @param missing GPUs that queues have less than ideally, all together
     * @param owed GPUs of jobs that wait though they fit into what is left of their queues' promises, all together
     * @param held GPUs that somebody holds
     * @param ideal GPUs that somebody would hold ideally: fewer than there are where limits of queues keep some idle
     */
    private record Sample(long seconds, double missing, long owed, long held, double ideal) {}

    /** GPU seconds of each queue over some time. */
    private final class GpuTime {
        private final Fraction[] idealSeconds;
        private final long[] heldSeconds;

        GpuTime(int size) {
            idealSeconds = new Fraction[size];
            Arrays.fill(idealSeconds, Fraction.ZERO);
            heldSeconds = new long[size];
        }

        void add(long seconds) {
            for (int q = 0; q < ideal.length; q++) {
                idealSeconds[q] = idealSeconds[q].plus(ideal[q].times(seconds));
                heldSeconds[q] += held[q] * seconds;
            }
        }

        /** What leaves got less than ideally. */
        double missing() {
            Fraction missing = Fraction.ZERO;
            for (int q = 0; q < heldSeconds.length; q++) {
                if (isLeaf[q]) {
                    missing = missing.plus(above(idealSeconds[q].minus(Fraction.of(heldSeconds[q]))));
                }
            }
            return missing.toDouble();
        }
    }

    /** @param queues as in the run */
    public ShareSamples(List<QueueNode> queues) {
        this.queues = List.copyOf(queues);
        isLeaf = new boolean[queues.size()];
        whole = new GpuTime(queues.size());
        long all = 0;
        for (int q = queues.size() - 1; q >= 0; q--) {
            int number = q;
            isLeaf[q] = queues.stream().noneMatch(queue -> queue.parent() == number);
            all += queues.get(q).parent() < 0 ? queues.get(q).gpus() : 0;
        }
        fleet = all;
    }

    @Override
    public void settled(QueueRun run) {
        close(run.now());
        long all = 0;
        held = run.books().held();
        long[] wanted = new long[queues.size()];
        for (int q = 0; q < wanted.length; q++) {
            wanted[q] = run.books().wanted(q);
            all += queues.get(q).parent() < 0 ? wanted[q] : 0;
        }
        since = run.now();
        owed = owed(run.waiting());
        ideal = all < fleet ? new Fraction[0] : IdealDivision.of(queues, wanted);
    }

    private void close(long now) {
        long seconds = now - since;
        if (ideal.length == 0 || seconds == 0) {
            return;
        }
        Fraction missing = Fraction.ZERO;
        Fraction all = Fraction.ZERO;
        long inUse = 0;
        for (int q = 0; q < ideal.length; q++) {
            if (isLeaf[q]) {
                missing = missing.plus(above(ideal[q].minus(Fraction.of(held[q]))));
                all = all.plus(ideal[q]);
                inUse += held[q];
            }
        }
        addGpuTime(now);
        samples.add(new Sample(seconds, missing.toDouble(), owed, inUse, all.toDouble()));
    }

    /** What lasts over midnight counts for both days. */
    private void addGpuTime(long now) {
        whole.add(now - since);
        for (long from = since; from < now; ) {
            long day = from / DAY_SECONDS;
            long until = Math.min(now, (day + 1) * DAY_SECONDS);
            days.computeIfAbsent(day, fresh -> new GpuTime(queues.size())).add(until - from);
            from = until;
        }
    }

    private long owed(List<QueuedJob> waiting) {
        long[] then = held.clone();
        long all = 0;
        for (QueuedJob job : waiting) {
            int q = job.queue();
            while (q >= 0 && then[q] + job.gpus() <= queues.get(q).gpus()) {
                q = queues.get(q).parent();
            }
            if (q < 0) {
                all += job.gpus();
                for (int up = job.queue(); up >= 0; up = queues.get(up).parent()) {
                    then[up] += job.gpus();
                }
            }
        }
        return all;
    }

    private static Fraction above(Fraction number) {
        return number.compareTo(Fraction.ZERO) > 0 ? number : Fraction.ZERO;
    }

    /** How long queues wanted at least what there is, in seconds. */
    public long seconds() {
        return samples.stream().mapToLong(Sample::seconds).sum();
    }

    /** How many samples there are. */
    public int count() {
        return samples.size();
    }

    /** GPUs in the wrong hands or in none, mean over time, in percent of the fleet. */
    public double meanErrorPercent() {
        return percent(samples.stream().mapToDouble(s -> s.missing * s.seconds).sum());
    }

    /** The same that is not exceeded for a part of the time, from 0 to 1. */
    public double errorPercent(double part) {
        double left = part * seconds();
        double last = 0;
        for (Sample sample : samples.stream()
                .sorted(Comparator.comparingDouble(Sample::missing))
                .toList()) {
            last = sample.missing;
            left -= sample.seconds;
            if (left <= 0) {
                break;
            }
        }
        return 100 * last / fleet;
    }

    /** GPU time that queues got less than ideally over all this time, which others may make up for later, in percent. */
    public double wholeErrorPercent() {
        return percent(whole.missing());
    }

    /** The same within each day, which only what is made up for on the same day makes smaller, in percent. */
    public double dayErrorPercent() {
        return percent(days.values().stream().mapToDouble(GpuTime::missing).sum());
    }

    /** GPUs of jobs that wait though they fit into what is left of their queues' promises, mean over time, in percent of the fleet. */
    public double owedPercent() {
        return percent(
                samples.stream().mapToDouble(s -> (double) s.owed * s.seconds).sum());
    }

    /** What somebody holds, mean over time, in percent of what queues could hold ideally. */
    public double inUsePercent() {
        double ideally = samples.stream().mapToDouble(s -> s.ideal * s.seconds).sum();
        return ideally == 0
                ? 100
                : 100
                        * samples.stream()
                                .mapToDouble(s -> (double) s.held * s.seconds)
                                .sum()
                        / ideally;
    }

    private double percent(double gpuSeconds) {
        return seconds() == 0 ? 0 : 100 * gpuSeconds / seconds() / fleet;
    }
}
