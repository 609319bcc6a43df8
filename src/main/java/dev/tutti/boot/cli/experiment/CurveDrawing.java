package dev.tutti.boot.cli.experiment;

import dev.tutti.boot.cli.chart.Axis;
import dev.tutti.boot.cli.chart.Line;
import dev.tutti.boot.cli.chart.LineChart;
import dev.tutti.boot.cli.chart.Text;
import dev.tutti.simulator.experiment.Contestant;
import dev.tutti.simulator.experiment.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** The curves of an experiment as a picture: percent allocated over percent arrived, from where they part. */
final class CurveDrawing {

    /** Below so many percent everything fits and all lines are one. */
    private static final int ALL_FITS = 80;

    /** What the authors of the published experiment call the policies that are played here too. */
    private static final Map<String, String> OURS =
            Map.of("Random", "random", "BestFit", "best-fit", "FGD", "fragmentation");

    private CurveDrawing() {}

    /**
     * Draws them.
     *
     * @param workload name of the workload, for the title
     * @param last percent at which the curves end
     * @param runs runs of each series
     */
    static String of(String workload, List<Series> played, List<PublishedCurves.Curve> published, int last, int runs) {
        int first = last > ALL_FITS + 10 ? ALL_FITS : 0;
        List<Line> lines = new ArrayList<>();
        for (PublishedCurves.Curve curve : published) {
            String ours = OURS.getOrDefault(curve.policy(), "");
            int end = Math.min(last, curve.lastPercent());
            lines.add(line(
                    curve.policy() + ", published",
                    look(ours),
                    true,
                    first,
                    end,
                    percent -> curve.allocatedPercent(percent).mean()));
        }
        for (Series series : played) {
            lines.add(line(
                    series.name(),
                    look(series.name()),
                    false,
                    first,
                    last,
                    percent -> series.allocatedPercent(percent).mean()));
        }
        String title = "%s: GPUs allocated, mean of %d %s".formatted(workload, runs, runs == 1 ? "run" : "runs");
        Axis x = new Axis("GPUs asked for, % of all", first, last, false);
        return LineChart.svg(title, x, allocated(lines), lines);
    }

    private static Axis allocated(List<Line> lines) {
        double least = lines.stream().mapToDouble(line -> line.y()[0]).min().orElseThrow();
        double most = lines.stream()
                .mapToDouble(line -> line.y()[line.y().length - 1])
                .max()
                .orElseThrow();
        return new Axis("GPUs allocated, % of all", Math.floor(least), Math.ceil(most + 0.5), false);
    }

    private static Line line(
            String name, int look, boolean isDashed, int first, int last, IntToDoubleFunction allocated) {
        double[] x = IntStream.rangeClosed(first, last).asDoubleStream().toArray();
        double[] y = IntStream.rangeClosed(first, last).mapToDouble(allocated).toArray();
        return new Line(name + " " + Text.of(y[y.length - 1], 2), look, isDashed, x, y);
    }

    private static int look(String policy) {
        List<String> names = Contestant.all().stream().map(Contestant::name).toList();
        return names.indexOf(policy);
    }
}
