package dev.tutti.boot.cli.experiment;

import dev.tutti.boot.cli.Given;
import dev.tutti.boot.cli.HelpOption;
import dev.tutti.boot.cli.ProgressBar;
import dev.tutti.boot.cli.Stopping;
import dev.tutti.boot.cli.chart.Text;
import dev.tutti.boot.cli.trace.PhillyTrace;
import dev.tutti.simulator.queues.PrivateNodes;
import dev.tutti.simulator.queues.QueueOutcome;
import dev.tutti.simulator.queues.QueueRun;
import dev.tutti.simulator.queues.RunRules;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Jobs of the Philly trace come to the real scheduler in virtual time, a queue for each virtual cluster. It never learns how long
 * they run. The last line printed is two numbers: mean completion and mean queueing, in seconds.
 */
@Command(
        name = "philly",
        description = "Play the jobs of the public Philly trace (Microsoft, 2017) with queues, quotas, borrowing and"
                + " reclaim, beside FIFO, FIFO with backfill and shortest first on private nodes. Run times are unknown to"
                + " the scheduler. The last line is mean completion and mean queueing in seconds.")
final class PhillyCommand implements Callable<Integer> {

    private static final Map<String, Boolean> SWITCH = Map.of("on", true, "off", false);
    private static final Map<String, Double> FRACTIONS = Map.of("all", 1.0, "half", 0.5, "quarter", 0.25);
    private static final Map<String, Boolean> ORDERS = Map.of("age", false, "small-first", true);
    private static final int MOST_HOURS = 10_000;
    private static final long HOUR_SECONDS = 3_600;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--jobs", required = true, description = "CSV with vc,arrival_s,gpus,duration_s.")
    private Path jobs = Path.of("");

    @Option(names = "--nodes", required = true, description = "CSV with vc,node num: nodes of 8 GPUs.")
    private Path nodes = Path.of("");

    @Option(
            names = "--fraction",
            description =
                    "What of each virtual cluster's nodes is there: all, half or quarter; default ${DEFAULT-VALUE}.")
    private String fraction = "half";

    @Option(
            names = "--borrowing",
            description =
                    "on or off: whether virtual clusters borrow GPUs that others do not use; default ${DEFAULT-VALUE}.")
    private String borrowing = "off";

    @Option(
            names = "--preemption",
            description = "on or off: whether running jobs give way, with all they did lost; default ${DEFAULT-VALUE}.")
    private String preemption = "off";

    @Option(
            names = "--apart",
            description = "on or off: whether each virtual cluster has nodes of its own; default ${DEFAULT-VALUE}.")
    private String apart = "off";

    @Option(
            names = "--order",
            description =
                    "age or small-first: whether jobs come with equal priority, or with a higher one the fewer GPUs"
                            + " they ask for; default ${DEFAULT-VALUE}.")
    private String order = "age";

    @Option(
            names = "--patience-hours",
            description = "A job that waited so long is given the highest priority, 0 to 10000; 0, the default: never.")
    private String patience = "0";

    @Option(
            names = "--protected-hours",
            description = "So long a job runs before it may have to give way, 0 to 10000; default ${DEFAULT-VALUE}.")
    private String protection = "0";

    @Option(names = "--svg", description = "Draw the mean queueing of each virtual cluster into this file.")
    private @Nullable Path svg;

    @Mixin
    private HelpOption help = new HelpOption();

    @Override
    public Integer call() {
        Given given = new Given(spec.commandLine());
        RunRules rules = rules(given);
        boolean smallFirst = oneOf(given, "--order", order, ORDERS);
        double part = oneOf(given, "--fraction", fraction, FRACTIONS);
        Path drawing = svg == null ? null : given.newFile("--svg", svg);
        List<PhillyTrace.Job> trace = given.checked("--jobs", () -> PhillyTrace.jobs(jobs));
        Map<String, Integer> clusters = given.checked("--nodes", () -> PhillyTrace.nodes(nodes));
        PhillyWorkload read = given.checked("--nodes", () -> PhillyWorkload.of(trace, clusters, part));
        PhillyWorkload workload = smallFirst ? read.smallFirst() : read;

        PrintWriter out = spec.commandLine().getOut();
        PhillyReport report = new PhillyReport(out, workload);
        report.printGiven(fraction);
        Map<String, QueueOutcome> played = play(workload, rules);
        report.print(played);
        if (drawing != null) {
            given.write(drawing, PhillyDrawing.of(workload, played));
            out.println("drawn: " + drawing);
        }
        QueueOutcome ours = played.values().iterator().next();
        out.println(Text.of(ours.meanCompletionSeconds(), 0) + " " + Text.of(ours.meanQueueingSeconds(), 0));
        return 0;
    }

    private RunRules rules(Given given) {
        return RunRules.queues(
                        oneOf(given, "--borrowing", borrowing, SWITCH),
                        oneOf(given, "--preemption", preemption, SWITCH))
                .apartIf(oneOf(given, "--apart", apart, SWITCH))
                .with(
                        given.number("--protected-hours", protection, 0, MOST_HOURS) * HOUR_SECONDS,
                        given.number("--patience-hours", patience, 0, MOST_HOURS) * HOUR_SECONDS);
    }

    private static <T> T oneOf(Given given, String option, String word, Map<String, T> words) {
        return given.checked(option, () -> {
            T meant = words.get(word);
            if (meant == null) {
                throw new IllegalArgumentException("there is no \"" + word + "\"; give one of "
                        + String.join(", ", words.keySet().stream().sorted().toList()));
            }
            return meant;
        });
    }

    /** Ours first, then those it is held against, by name. */
    private static Map<String, QueueOutcome> play(PhillyWorkload workload, RunRules rules) {
        Map<String, QueueOutcome> played = new LinkedHashMap<>();
        ProgressBar bar = new ProgressBar(System.err, workload.jobs().size());
        try (Stopping stopping = Stopping.on("experiment stopped by a signal", () -> {})) {
            played.put(
                    "Tutti",
                    QueueRun.play(workload.queues(), workload.jobs(), rules, done -> bar.show(done, "jobs ended")));
            for (PrivateNodes.Order order : PrivateNodes.Order.values()) {
                played.put(
                        order.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        PrivateNodes.play(workload.queues(), workload.jobs(), order));
            }
        }
        bar.finish();
        return played;
    }
}
