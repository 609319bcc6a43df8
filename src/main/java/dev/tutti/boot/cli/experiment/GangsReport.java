package dev.tutti.boot.cli.experiment;

import dev.tutti.boot.cli.chart.Text;
import dev.tutti.boot.cli.chart.TextTable;
import dev.tutti.simulator.experiment.Gang;
import dev.tutti.simulator.experiment.GangOutcome;
import dev.tutti.simulator.experiment.GangSeries;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

/** The tables: smallest domains, parted pairs, time of a placement and how it grows. */
final class GangsReport {

    private static final List<Size> SIZES =
            List.of(new Size(2, 8), new Size(9, 64), new Size(65, 256), new Size(257, 1_024), new Size(2, 2_048));
    private static final double MEDIAN = 0.5;
    private static final double P99 = 0.99;

    private final PrintWriter out;
    private final List<GangSeries> played;

    /** GPUs of a gang, from and to. */
    private record Size(int from, int to) {
        boolean has(Gang gang) {
            return gang.gpus() >= from && gang.gpus() <= to;
        }
    }

    GangsReport(PrintWriter out, List<GangSeries> played) {
        this.out = out;
        this.played = played;
    }

    void print(int gangs, int runs) {
        out.printf("%d runs of %d gangs on each fleet after an unmeasured one to warm up%n%n", runs, gangs);
        printSmallest();
        printParted();
        printTimes();
        printGrowth();
    }

    private void printSmallest() {
        out.println("gangs in the smallest domain that could hold them, by an independent count");
        TextTable table = new TextTable(List.of("fleet", "gangs", "asked", "a domain fits", "placed", "smallest", "%"));
        for (GangSeries series : played) {
            for (Gang.Kind kind : Gang.Kind.values()) {
                table.add(List.of(
                        name(series),
                        kind.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        count(series, kind, outcome -> true),
                        count(series, kind, GangOutcome::fits),
                        count(series, kind, GangOutcome::placed),
                        count(series, kind, GangOutcome::isSmallest),
                        Text.of(series.smallestPercent(gang -> gang.kind() == kind), 2)));
            }
        }
        table.print(out);
    }

    private static String count(GangSeries series, Gang.Kind kind, Predicate<GangOutcome> isSo) {
        return Text.of(series.count(outcome -> outcome.gang().kind() == kind && isSo.test(outcome)), 0);
    }

    private void printParted() {
        out.println(
                "pairs of GPUs of a gang that are parted, percent, mean of all gangs; and when the same gangs have no wish");
        TextTable table = new TextTable(List.of("fleet", "across racks", "without", "across islands", "without"));
        for (GangSeries series : played) {
            table.add(List.of(
                    name(series),
                    Text.of(GangSeries.partedPercent(series.wished(), GangOutcome::crossRack), 1),
                    Text.of(GangSeries.partedPercent(series.unmindful(), GangOutcome::crossRack), 1),
                    Text.of(GangSeries.partedPercent(series.wished(), GangOutcome::crossIsland), 1),
                    Text.of(GangSeries.partedPercent(series.unmindful(), GangOutcome::crossIsland), 1)));
        }
        table.print(out);
    }

    private void printTimes() {
        out.println("microseconds of CPU time a placement, median / 99 of 100, one thread, by GPUs of the gang");
        TextTable table = new TextTable(heading("fleet"));
        for (GangSeries series : played) {
            table.add(row(name(series), size -> times(series, size)));
        }
        table.print(out);
    }

    private void printGrowth() {
        out.println("how the median grows with the fleet: factor, and exponent (1 is in proportion)");
        TextTable table = new TextTable(heading("fleets"));
        for (int i = 1; i < played.size(); i++) {
            GangSeries small = played.get(i - 1);
            GangSeries large = played.get(i);
            double factor = (double) large.gpus() / small.gpus();
            String name = small.fleet() + " to " + large.fleet() + ", " + Text.of(factor, 1) + " times as large";
            table.add(row(name, size -> growth(small, large, size)));
        }
        table.print(out);
    }

    private static List<String> heading(String first) {
        List<String> heading = new ArrayList<>(List.of(first));
        SIZES.forEach(size -> heading.add(size.from + "-" + size.to));
        heading.set(heading.size() - 1, "all");
        return heading;
    }

    private static List<String> row(String first, Function<Size, String> cell) {
        List<String> row = new ArrayList<>(List.of(first));
        SIZES.forEach(size -> row.add(cell.apply(size)));
        return row;
    }

    private static String times(GangSeries series, Size size) {
        double median = series.micros(MEDIAN, size::has);
        return Double.isNaN(median) ? "" : Text.of(median, 0) + " / " + Text.of(series.micros(P99, size::has), 0);
    }

    private static String growth(GangSeries small, GangSeries large, Size size) {
        double factor = large.micros(MEDIAN, size::has) / small.micros(MEDIAN, size::has);
        double exponent = Math.log(factor) / Math.log((double) large.gpus() / small.gpus());
        return Double.isNaN(factor) ? "" : Text.of(factor, 1) + " (" + Text.of(exponent, 2) + ")";
    }

    private static String name(GangSeries series) {
        return series.fleet() + " (" + Text.of(series.gpus(), 0) + " GPUs)";
    }
}
