package dev.tutti.boot.cli.experiment;

import dev.tutti.boot.cli.chart.Text;
import dev.tutti.boot.cli.chart.TextTable;
import dev.tutti.simulator.queues.QueueOutcome;
import dev.tutti.simulator.queues.QueuedJob;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The tables: completion and queueing, by virtual cluster and by size, and what it cost. */
final class PhillyReport {

    private static final List<Size> SIZES =
            List.of(new Size(1, 1), new Size(2, 7), new Size(8, 8), new Size(9, 16), new Size(17, Integer.MAX_VALUE));

    private final PrintWriter out;
    private final PhillyWorkload workload;

    /** GPUs of a job, from and to. */
    private record Size(int from, int to) implements Predicate<QueuedJob> {
        @Override
        public boolean test(QueuedJob job) {
            return job.gpus() >= from && job.gpus() <= to;
        }

        String name() {
            return from == to ? Text.of(from, 0) : to == Integer.MAX_VALUE ? from + " and more" : from + "-" + to;
        }
    }

    PhillyReport(PrintWriter out, PhillyWorkload workload) {
        this.out = out;
        this.workload = workload;
    }

    void printGiven(String fraction) {
        out.printf(
                "%s jobs in %d virtual clusters with %s GPUs (%s of their nodes); left out: %s jobs%n%n",
                Text.of(workload.jobs().size(), 0),
                workload.queues().size(),
                Text.of(workload.gpus(), 0),
                fraction,
                Text.of(workload.leftOut(), 0));
    }

    void print(Map<String, QueueOutcome> played) {
        printMeans(played);
        printQueueing("mean queueing by virtual cluster, seconds", "virtual cluster", played, clusters());
        Map<String, Predicate<QueuedJob>> sizes = new LinkedHashMap<>();
        SIZES.forEach(size -> sizes.put(size.name(), size));
        printQueueing("mean queueing by GPUs of the job, seconds", "GPUs", played, sizes);
    }

    private void printMeans(Map<String, QueueOutcome> played) {
        out.println("seconds from the submit; queueing is all of it in which nothing was done that lasts");
        TextTable table = new TextTable(List.of(
                "", "completion", "queueing", "95 of 100", "99 of 100", "gave way", "GPU time lost %", "in use %"));
        played.forEach((name, outcome) -> table.add(List.of(
                name,
                Text.of(outcome.meanCompletionSeconds(), 0),
                Text.of(outcome.meanQueueingSeconds(), 0),
                Text.of(outcome.queueingSeconds(0.95), 0),
                Text.of(outcome.queueingSeconds(0.99), 0),
                Text.of(outcome.evictions(), 0),
                Text.of(100.0 * outcome.lostGpuSeconds() / outcome.usefulGpuSeconds(), 2),
                Text.of(100.0 * outcome.usefulGpuSeconds() / workload.gpus() / outcome.lastEndSeconds(), 1))));
        table.print(out);
    }

    private Map<String, Predicate<QueuedJob>> clusters() {
        Map<String, Predicate<QueuedJob>> clusters = new LinkedHashMap<>();
        for (int q = 0; q < workload.queues().size(); q++) {
            int queue = q;
            clusters.put(workload.queues().get(q).name(), job -> job.queue() == queue);
        }
        return clusters;
    }

    private void printQueueing(
            String title, String first, Map<String, QueueOutcome> played, Map<String, Predicate<QueuedJob>> groups) {
        out.println(title);
        List<String> heading = new ArrayList<>(List.of(first, "jobs"));
        heading.addAll(played.keySet());
        TextTable table = new TextTable(heading);
        groups.forEach((name, which) -> {
            long jobs = workload.jobs().stream().filter(which).count();
            if (jobs > 0) {
                List<String> row = new ArrayList<>(List.of(name, Text.of(jobs, 0)));
                played.values().forEach(outcome -> row.add(Text.of(outcome.meanQueueingSeconds(which), 0)));
                table.add(row);
            }
        });
        table.print(out);
    }
}
