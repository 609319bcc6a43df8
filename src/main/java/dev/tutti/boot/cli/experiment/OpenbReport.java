package dev.tutti.boot.cli.experiment;

import dev.tutti.boot.cli.chart.Text;
import dev.tutti.boot.cli.chart.TextTable;
import dev.tutti.simulator.experiment.Figure;
import dev.tutti.simulator.experiment.Fleet;
import dev.tutti.simulator.experiment.Series;
import dev.tutti.simulator.experiment.Workload;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntFunction;

/** The tables: allocated by arrived, idle and unusable GPUs, refusals by size, speed. */
final class OpenbReport {

    private static final List<Integer> ARRIVED = List.of(60, 80, 90, 95, 100, 110, 120, 130);
    private static final List<Integer> UNUSABLE = List.of(60, 80, 90);
    private static final int FULL = 100;
    private static final int DEVICE_MILLI = 1_000;

    private final PrintWriter out;
    private final Fleet fleet;
    private final Workload workload;
    private final int last;
    private final List<PublishedCurves.Curve> published;

    OpenbReport(PrintWriter out, Fleet fleet, Workload workload, int last, List<PublishedCurves.Curve> published) {
        this.out = out;
        this.fleet = fleet;
        this.workload = workload;
        this.last = last;
        this.published = published;
    }

    void printGiven(String nodes, String pods, List<Long> seeds) {
        long asked = Arrays.stream(workload.pods())
                .mapToLong(kind -> workload.kinds().get(kind).shape().gpuMilli())
                .sum();
        out.printf(
                "%d nodes with %d GPUs from %s%n",
                fleet.arrays().nodes(), fleet.arrays().devices(), nodes);
        out.printf("%d pods that ask for %s GPUs from %s%n", workload.pods().length, gpus(asked), pods);
        out.printf("%d %% of the GPUs is asked for in each run; ", last);
        out.printf(
                "%d runs (seeds %s) after %d unmeasured ones to warm up%n%n",
                seeds.size(), range(seeds), Series.warmUps(fleet, workload, last));
        out.flush();
    }

    void printPlayed(List<Series> played) {
        printAllocated(played);
        printUnusable(played);
        printRefused(played);
        printSpeed(played);
    }

    private void printAllocated(List<Series> played) {
        List<Integer> columns = new ArrayList<>(new TreeSet<>(ARRIVED).headSet(last, true));
        if (!columns.contains(last)) {
            columns.add(last);
        }
        out.println("GPUs allocated in percent, when so many percent were asked for; idle GPUs in the end");
        List<String> heading = new ArrayList<>(List.of("policy"));
        columns.forEach(percent -> heading.add(Integer.toString(percent)));
        heading.add("idle");
        TextTable table = new TextTable(heading);
        for (Series series : played) {
            table.add(allocated(series.name(), columns, series::allocatedPercent, Text.of(series.idleGpus(), 0)));
        }
        for (PublishedCurves.Curve curve : published) {
            boolean whole = last <= curve.lastPercent();
            String idle = whole ? Text.of(curve.idleGpus(last), 0) : "";
            IntFunction<Figure> at = curve::allocatedPercent;
            List<Integer> known = columns.stream()
                    .filter(percent -> percent <= curve.lastPercent())
                    .toList();
            List<String> row = new ArrayList<>(allocated(curve.policy() + ", published", known, at, idle));
            while (row.size() < heading.size()) {
                row.add(row.size() - 1, "");
            }
            table.add(row);
        }
        table.print(out);
    }

    private List<String> allocated(String name, List<Integer> columns, IntFunction<Figure> at, String idle) {
        List<String> row = new ArrayList<>(List.of(name));
        for (int percent : columns) {
            boolean spread = percent == FULL || percent == last;
            row.add(spread ? Text.of(at.apply(percent), 2) : Text.mean(at.apply(percent), 2));
        }
        row.add(idle);
        return row;
    }

    private void printUnusable(List<Series> played) {
        List<Integer> columns =
                UNUSABLE.stream().filter(percent -> percent <= last).toList();
        out.println(
                "idle GPUs that the average pod cannot use: percent of all in the end, percent of the idle ones before");
        List<String> heading = new ArrayList<>(List.of("policy", "of all at " + last));
        columns.forEach(percent -> heading.add("of idle at " + percent));
        TextTable table = new TextTable(heading);
        for (Series series : played) {
            List<String> row = new ArrayList<>(List.of(series.name()));
            row.add(Text.mean(series.unusablePercentOfAll(fleet.capacityMilli()), 2));
            columns.forEach(percent -> row.add(Text.mean(series.unusablePercentOfIdle(percent), 1)));
            table.add(row);
        }
        table.print(out);
    }

    private void printRefused(List<Series> played) {
        List<Long> sizes = workload.kinds().stream()
                .map(ask -> ask.shape().gpuMilli())
                .filter(milli -> milli >= DEVICE_MILLI)
                .distinct()
                .sorted()
                .toList();
        out.println("pods refused in a run, by GPUs");
        List<String> heading = new ArrayList<>(List.of("policy", "none", "share"));
        sizes.forEach(milli -> heading.add(gpus(milli)));
        TextTable table = new TextTable(heading);
        for (Series series : played) {
            List<String> row = new ArrayList<>(List.of(series.name()));
            row.add(Text.of(series.refused(0, 0), 1));
            row.add(Text.of(series.refused(1, DEVICE_MILLI - 1), 1));
            sizes.forEach(milli -> row.add(Text.of(series.refused(milli, milli), 1)));
            table.add(row);
        }
        table.print(out);
    }

    private void printSpeed(List<Series> played) {
        out.println("pods placed or refused a second of CPU time, one thread");
        TextTable table = new TextTable(List.of("policy", "pods/s", "pods a run"));
        for (Series series : played) {
            table.add(List.of(
                    series.name(),
                    Text.of(series.figure(run -> run.podsPerSecond()), 0),
                    Text.mean(series.figure(run -> run.pods()), 0)));
        }
        table.print(out);
    }

    private static String gpus(long milli) {
        return milli % DEVICE_MILLI == 0 ? Long.toString(milli / DEVICE_MILLI) : Text.of(milli / 1_000.0, 1);
    }

    private static String range(List<Long> seeds) {
        boolean inRow = seeds.size() > 2 && seeds.get(seeds.size() - 1) - seeds.get(0) == seeds.size() - 1;
        return inRow
                ? seeds.get(0) + "-" + seeds.get(seeds.size() - 1)
                : String.join(
                        ",", seeds.stream().map(seed -> Long.toString(seed)).toList());
    }
}
