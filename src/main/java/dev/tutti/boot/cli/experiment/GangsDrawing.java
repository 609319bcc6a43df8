package dev.tutti.boot.cli.experiment;

import dev.tutti.boot.cli.chart.Axis;
import dev.tutti.boot.cli.chart.Line;
import dev.tutti.boot.cli.chart.LineChart;
import dev.tutti.boot.cli.chart.Text;
import dev.tutti.simulator.experiment.GangSeries;
import java.util.Arrays;
import java.util.List;

/** How the time of a placement grows with the fleet, as a picture: both axes logarithmic. */
final class GangsDrawing {

    private static final double MARGIN = 1.5;

    private GangsDrawing() {}

    static String of(List<GangSeries> played) {
        double[] gpus = played.stream().mapToDouble(GangSeries::gpus).sorted().toArray();
        Line median = line("median", 0, gpus, played, 0.5);
        Line p99 = line("99 of 100", 1, gpus, played, 0.99);
        double[] proportional =
                Arrays.stream(gpus).map(some -> median.y()[0] * some / gpus[0]).toArray();
        List<Line> lines = List.of(median, p99, new Line("in proportion to the fleet", -1, true, gpus, proportional));
        double least = Arrays.stream(median.y()).min().orElseThrow();
        double most = Math.max(Arrays.stream(p99.y()).max().orElseThrow(), proportional[gpus.length - 1]);
        return LineChart.svg(
                "Time to place a gang of 2 to 1,024 GPUs",
                new Axis("GPUs of the fleet", gpus[0] / MARGIN, gpus[gpus.length - 1] * MARGIN, true),
                new Axis("microseconds", least / MARGIN, most * MARGIN, true),
                lines);
    }

    private static Line line(String name, int look, double[] gpus, List<GangSeries> played, double part) {
        double[] micros = Arrays.stream(gpus)
                .map(size -> played.stream()
                        .filter(series -> series.gpus() == size)
                        .findFirst()
                        .orElseThrow()
                        .micros(part, gang -> true))
                .toArray();
        return new Line(name + " " + Text.of(micros[micros.length - 1], 0) + " µs", look, false, gpus, micros);
    }
}
