package dev.tutti.boot.cli.experiment;

import dev.tutti.allocator.quota.HalfLife;
import dev.tutti.boot.cli.Given;
import dev.tutti.boot.cli.HelpOption;
import dev.tutti.boot.cli.ProgressBar;
import dev.tutti.boot.cli.Stopping;
import dev.tutti.simulator.queues.QueueTrial;
import dev.tutti.simulator.queues.QueueWorkload;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Random jobs come to the real scheduler in virtual time, in a random tree of 50 queues. */
@Command(
        name = "queues",
        description =
                "Play random jobs in a random tree of 50 queues that lend, borrow and reclaim: how far from an ideal"
                        + " division of the GPUs, what giving way costs, and how long the largest gangs wait, beside a greedy"
                        + " choice of victims and FIFO. The last line is, for the scheduler as it is, GPUs in wrong hands and GPU"
                        + " time lost in percent, and the worst queueing of the largest gangs in seconds.")
final class QueuesCommand implements Callable<Integer> {

    private static final int NODE_GPUS = 8;
    private static final int MOST_JOBS = 100_000;
    private static final int MOST_GPUS = 100_000;
    private static final int MOST_HALF_LIFE_SECONDS = 2_592_000;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = {"--seeds", "--seed"},
            description = "Seeds such as 42-46 or 1,5,42; default ${DEFAULT-VALUE}.")
    private String seeds = "42-46";

    @Option(names = "--jobs", description = "Jobs of each run, 1 to 100000; default ${DEFAULT-VALUE}.")
    private String jobs = "2000";

    @Option(names = "--gpus", description = "GPUs of the fleet, 8 to 100000, in nodes of 8; default ${DEFAULT-VALUE}.")
    private String gpus = "1000";

    @Option(
            names = "--half-life-seconds",
            description =
                    "Seconds after which what a queue held above its promise counts half for its turn, 0 to 2592000;"
                            + " 0, the default, for not at all.")
    private String halfLife = "0";

    @Option(names = "--svg", description = "Draw the distance from the ideal division into this file.")
    private @Nullable Path svg;

    @Mixin
    private HelpOption help = new HelpOption();

    @Override
    public Integer call() {
        Given given = new Given(spec.commandLine());
        List<Long> seeded = given.checked("--seeds", () -> Seeds.parse(seeds));
        int count = given.number("--jobs", jobs, 1, MOST_JOBS);
        int fleet = given.number("--gpus", gpus, NODE_GPUS, MOST_GPUS);
        given.checked("--gpus", () -> whole(fleet));
        HalfLife memory = new HalfLife(given.number("--half-life-seconds", halfLife, 0, MOST_HALF_LIFE_SECONDS));
        Path drawing = svg == null ? null : given.newFile("--svg", svg);

        PrintWriter out = spec.commandLine().getOut();
        Map<QueuesContestant, List<QueueTrial>> played = play(seeded, count, fleet, memory);
        QueuesReport report = new QueuesReport(out, played);
        report.print(count, fleet, seeded.size());
        if (drawing != null) {
            given.write(drawing, QueuesDrawing.of(played));
            out.println("drawn: " + drawing);
        }
        report.printLast();
        return 0;
    }

    private static int whole(int fleet) {
        if (fleet % NODE_GPUS != 0) {
            throw new IllegalArgumentException("\"" + fleet + "\" are no whole nodes; give a multiple of " + NODE_GPUS);
        }
        return fleet;
    }

    private static Map<QueuesContestant, List<QueueTrial>> play(List<Long> seeds, int jobs, int gpus, HalfLife memory) {
        Map<QueuesContestant, List<QueueTrial>> played = new LinkedHashMap<>();
        QueuesContestant[] all = QueuesContestant.values();
        ProgressBar bar = new ProgressBar(System.err, (long) jobs * all.length * seeds.size());
        try (Stopping stopping = Stopping.on("experiment stopped by a signal", () -> {})) {
            long before = 0;
            for (long seed : seeds) {
                QueueWorkload workload = QueueWorkload.random(seed, jobs, gpus);
                for (QueuesContestant contestant : all) {
                    long base = before;
                    played.computeIfAbsent(contestant, first -> new ArrayList<>())
                            .add(contestant.play(
                                    workload,
                                    memory,
                                    done -> bar.show(base + done, "seed " + seed + ", " + contestant.title())));
                    before += jobs;
                }
            }
        }
        bar.finish();
        return played;
    }
}
