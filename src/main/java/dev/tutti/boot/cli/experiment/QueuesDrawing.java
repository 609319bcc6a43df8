package dev.tutti.boot.cli.experiment;

import dev.tutti.boot.cli.chart.Axis;
import dev.tutti.boot.cli.chart.Line;
import dev.tutti.boot.cli.chart.LineChart;
import dev.tutti.boot.cli.chart.Text;
import dev.tutti.simulator.queues.QueueTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** How far from the ideal division for how much of the time: a line for each contestant, mean of the seeds. */
final class QueuesDrawing {

    private static final int STEPS = 50;

    private QueuesDrawing() {}

    static String of(Map<QueuesContestant, List<QueueTrial>> played) {
        double[] x = IntStream.rangeClosed(0, STEPS)
                .mapToDouble(step -> 100.0 * step / STEPS)
                .toArray();
        List<Line> lines = new ArrayList<>();
        played.forEach((contestant, trials) -> {
            double[] y = IntStream.rangeClosed(0, STEPS)
                    .mapToDouble(step -> mean(trials, (double) step / STEPS))
                    .toArray();
            double mean = trials.stream()
                    .mapToDouble(trial -> trial.shares().meanErrorPercent())
                    .average()
                    .orElseThrow();
            lines.add(new Line(
                    contestant.title() + ", mean " + Text.of(mean, 1) + " %",
                    lines.size(),
                    contestant == QueuesContestant.FIFO || contestant == QueuesContestant.STRICT_FIFO,
                    x,
                    y));
        });
        return LineChart.svg(
                "GPUs that are not where an ideal division would have them",
                new Axis("percent of the time in which at least the fleet is wanted", 0, 100, false),
                new Axis("percent of the fleet, not more than", 0, 100, false),
                lines);
    }

    private static double mean(List<QueueTrial> trials, double part) {
        return trials.stream()
                .mapToDouble(trial -> trial.shares().errorPercent(part))
                .average()
                .orElseThrow();
    }
}
