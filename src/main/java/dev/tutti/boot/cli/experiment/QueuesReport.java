package dev.tutti.boot.cli.experiment;

import dev.tutti.boot.cli.chart.Text;
import dev.tutti.boot.cli.chart.TextTable;
import dev.tutti.simulator.experiment.Figure;
import dev.tutti.simulator.queues.JobStory;
import dev.tutti.simulator.queues.QueueTrial;
import dev.tutti.simulator.queues.RunRules;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** The tables: shares, what giving way costs, waits of the largest. Mean and deviation of the seeds. */
final class QueuesReport {

    private static final double HOUR_SECONDS = 3_600;
    /** Of so many jobs one is among the largest. */
    private static final int LARGEST_OF = 100;

    private final PrintWriter out;
    private final Map<QueuesContestant, List<QueueTrial>> played;

    QueuesReport(PrintWriter out, Map<QueuesContestant, List<QueueTrial>> played) {
        this.out = out;
        this.played = played;
    }

    void print(int jobs, int gpus, int seeds) {
        out.printf(
                "%s jobs in 50 queues of three levels on %s GPUs; %d seeds, mean and standard deviation%n%n",
                Text.of(jobs, 0), Text.of(gpus, 0), seeds);
        out.println("GPUs in wrong hands or in none, percent of the fleet, while at least the fleet is wanted");
        Map<String, ToDoubleFunction<QueueTrial>> shares = new LinkedHashMap<>();
        shares.put("mean", trial -> trial.shares().meanErrorPercent());
        shares.put("half the time", trial -> trial.shares().errorPercent(0.5));
        shares.put("95 %", trial -> trial.shares().errorPercent(0.95));
        shares.put("most", trial -> trial.shares().errorPercent(1));
        shares.put("within each day", trial -> trial.shares().dayErrorPercent());
        shares.put("over all the time", trial -> trial.shares().wholeErrorPercent());
        shares.put("owed of promises", trial -> trial.shares().owedPercent());
        shares.put("in use % of ideal", trial -> trial.shares().inUsePercent());
        print(shares, 1);

        out.println("GPU time lost to giving way, percent of what was worth something; hours from the submit");
        Map<String, ToDoubleFunction<QueueTrial>> costs = new LinkedHashMap<>();
        costs.put("gave way", trial -> trial.outcome().evictions());
        costs.put("GPU time lost %", QueuesReport::lostPercent);
        costs.put("mean queueing", trial -> trial.outcome().meanQueueingSeconds() / HOUR_SECONDS);
        costs.put("largest, worst", trial -> worst(trial, false) / HOUR_SECONDS);
        costs.put("within promise, worst", trial -> worst(trial, true) / HOUR_SECONDS);
        costs.put("last end", trial -> trial.outcome().lastEndSeconds() / HOUR_SECONDS);
        print(costs, 1);
        printVictims();
    }

    private void print(Map<String, ToDoubleFunction<QueueTrial>> columns, int decimals) {
        List<String> heading = new ArrayList<>(List.of(""));
        heading.addAll(columns.keySet());
        TextTable table = new TextTable(heading);
        played.forEach((contestant, trials) -> {
            List<String> row = new ArrayList<>(List.of(contestant.title()));
            columns.values().forEach(column -> row.add(Text.of(figure(trials, column), decimals)));
            table.add(row);
        });
        table.print(out);
    }

    /** The same beneficiaries at the same times: the run of the scheduler as it is. */
    private void printVictims() {
        out.println("victims for the same jobs at the same times, and what they had done until then");
        TextTable table = new TextTable(List.of("", "for jobs", "victims", "GPU hours lost"));
        Map<RunRules.Victims, String> names = new LinkedHashMap<>();
        names.put(RunRules.Victims.SEARCHED, "the scheduler's own");
        names.put(RunRules.Victims.GREEDY, "greedy");
        names.put(RunRules.Victims.GREEDY_SPARING, "greedy, then spared who may stay");
        names.forEach((choice, name) -> table.add(List.of(
                name,
                Text.of(figure(ours(), trial -> trial.cost(choice).beneficiaries()), 0),
                Text.of(figure(ours(), trial -> trial.cost(choice).jobs()), 0),
                Text.of(figure(ours(), trial -> trial.cost(choice).lostGpuSeconds() / HOUR_SECONDS), 0))));
        table.print(out);
    }

    /** Three numbers: mean percent of GPUs in wrong hands, percent of GPU time lost, worst queueing of the largest in seconds. */
    void printLast() {
        out.println(Text.mean(figure(ours(), trial -> trial.shares().meanErrorPercent()), 2)
                + " " + Text.mean(figure(ours(), QueuesReport::lostPercent), 2)
                + " " + Text.mean(figure(ours(), trial -> worst(trial, false)), 0));
    }

    private List<QueueTrial> ours() {
        return Objects.requireNonNull(played.get(QueuesContestant.TUTTI), "it is always played");
    }

    private static Figure figure(List<QueueTrial> trials, ToDoubleFunction<QueueTrial> value) {
        return Figure.of(trials.stream().mapToDouble(value).toArray());
    }

    private static double lostPercent(QueueTrial trial) {
        return 100.0 * trial.outcome().lostGpuSeconds() / trial.outcome().usefulGpuSeconds();
    }

    /** Worst queueing of the largest jobs in seconds; of all, or of those that their queue was promised enough for. */
    private static double worst(QueueTrial trial, boolean isPromised) {
        List<JobStory> stories = trial.outcome().stories();
        return stories.stream()
                .filter(story -> !isPromised
                        || story.job().gpus()
                                <= trial.queues().get(story.job().queue()).gpus())
                .sorted((one, other) ->
                        Integer.compare(other.job().gpus(), one.job().gpus()))
                .limit(Math.max(1, stories.size() / LARGEST_OF))
                .mapToLong(JobStory::queueingSeconds)
                .max()
                .orElse(0);
    }
}
