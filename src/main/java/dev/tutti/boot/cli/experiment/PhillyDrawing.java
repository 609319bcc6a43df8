package dev.tutti.boot.cli.experiment;

import dev.tutti.boot.cli.chart.Axis;
import dev.tutti.boot.cli.chart.Line;
import dev.tutti.boot.cli.chart.LineChart;
import dev.tutti.boot.cli.chart.Text;
import dev.tutti.simulator.queues.QueueOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** Who waits how long, as a picture: virtual clusters from left to right, the one first that waits least with backfill. */
final class PhillyDrawing {

    private static final String REFERENCE = "fifo backfill";
    private static final double HOUR_SECONDS = 3_600;

    private PhillyDrawing() {}

    static String of(PhillyWorkload workload, Map<String, QueueOutcome> played) {
        QueueOutcome reference = Objects.requireNonNull(played.get(REFERENCE), "backfill is always played");
        List<Integer> order = new ArrayList<>(
                IntStream.range(0, workload.queues().size()).boxed().toList());
        order.sort(Comparator.comparingDouble(queue -> hours(reference, queue)));
        double[] x = IntStream.rangeClosed(1, order.size()).asDoubleStream().toArray();
        List<Line> lines = new ArrayList<>();
        played.forEach((name, outcome) -> {
            double[] y =
                    order.stream().mapToDouble(queue -> hours(outcome, queue)).toArray();
            String label = name + ", all " + Text.of(outcome.meanQueueingSeconds() / HOUR_SECONDS, 1) + " h";
            lines.add(new Line(label, lines.size(), !lines.isEmpty(), x, y));
        });
        double most = lines.stream()
                .flatMapToDouble(line -> Arrays.stream(line.y()))
                .max()
                .orElse(1);
        return LineChart.svg(
                "Mean queueing of each virtual cluster",
                new Axis(
                        "virtual clusters, by their queueing with backfill on private nodes",
                        1,
                        Math.max(2, x.length),
                        false),
                new Axis("hours", 0, Math.max(1, most * 1.05), false),
                lines);
    }

    private static double hours(QueueOutcome outcome, int queue) {
        return outcome.meanQueueingSeconds(job -> job.queue() == queue) / HOUR_SECONDS;
    }
}
