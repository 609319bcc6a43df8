package dev.tutti.boot.cli.experiment;

import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.policy.Policies;
import dev.tutti.boot.cli.Given;
import dev.tutti.boot.cli.HelpOption;
import dev.tutti.boot.cli.ProgressBar;
import dev.tutti.boot.cli.Stopping;
import dev.tutti.boot.cli.chart.Text;
import dev.tutti.boot.cli.trace.OpenbTrace;
import dev.tutti.simulator.experiment.Contestant;
import dev.tutti.simulator.experiment.Fleet;
import dev.tutti.simulator.experiment.Series;
import dev.tutti.simulator.experiment.Workload;
import dev.tutti.simulator.fleet.Fleets;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Pods of the trace arrive one at a time on its empty nodes and stay for good; one that fits nowhere is dropped. The last
 * line printed is one number: percent of the GPUs that the default policy had allocated in the end, mean of all runs.
 */
@Command(
        name = "openb",
        description =
                "Fill the nodes of the public trace cluster-trace-gpu-v2023 (alibaba/clusterdata) with its pods, as in"
                        + " \"Beware of Fragmentation\" (USENIX ATC 2023), once for each policy and seed. The last line is the"
                        + " default policy's mean allocation in percent.")
final class OpenbCommand implements Callable<Integer> {

    private static final int MOST_PERCENT = 1_000;
    private static final int MOST_ARRIVALS = 5_000_000;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--nodes",
            required = true,
            description = "CSV with sn,cpu_milli,memory_mib,gpu,model; or a made fleet such as nodes=16,gpus=8.")
    private String nodes = "";

    @Option(
            names = "--pods",
            required = true,
            description = "CSV with name,cpu_milli,memory_mib,num_gpu,gpu_milli[,gpu_spec].")
    private Path pods = Path.of("");

    @Option(
            names = "--policy",
            description = "Policies to play beside the default one, with commas between; default: all there are.")
    private @Nullable String policies;

    @Option(names = "--seeds", description = "Seeds such as 42-51 or 1,5,42; default ${DEFAULT-VALUE}.")
    private String seeds = "42-51";

    @Option(
            names = "--percent",
            description = "Arriving GPU work in percent of the capacity, 1 to 1000; default ${DEFAULT-VALUE}.")
    private String percent = "130";

    @Option(names = "--svg", description = "Draw the curves into this file.")
    private @Nullable Path svg;

    @Option(
            names = "--published",
            description = "CSV with workload,sc_policy,total_gpus,…,0,1,2,…: published curves to show beside.")
    private @Nullable Path published;

    @Mixin
    private HelpOption help = new HelpOption();

    @Override
    public Integer call() {
        Given given = new Given(spec.commandLine());
        List<Contestant> contestants = given.checked("--policy", () -> contestants());
        List<Long> drawn = given.checked("--seeds", () -> Seeds.parse(seeds));
        int last = given.number("--percent", percent, 1, MOST_PERCENT);
        Path drawing = svg == null ? null : given.newFile("--svg", svg);
        Fleet fleet = given.checked("--nodes", this::fleet);
        OpenbTrace trace = given.checked("--pods", () -> OpenbTrace.read(pods));
        Workload workload = given.checked("--pods", () -> workload(trace, fleet.capacityMilli() * last / 100));
        List<PublishedCurves.Curve> curves = given.checked("--published", () -> curves(published));

        PrintWriter out = spec.commandLine().getOut();
        OpenbReport report = new OpenbReport(out, fleet, workload, last, curves);
        report.printGiven(nodes, pods.toString(), drawn);
        List<Series> played = play(fleet, workload, contestants, last, drawn);
        report.printPlayed(played);
        if (drawing != null) {
            given.write(drawing, CurveDrawing.of(name(), played, curves, last, drawn.size()));
            out.println("drawn: " + drawing);
        }
        out.println(Text.mean(played.get(0).allocatedPercent(last), 2));
        return 0;
    }

    private static List<Series> play(
            Fleet fleet, Workload workload, List<Contestant> contestants, int percent, List<Long> seeds) {
        long runs = Series.warmUps(fleet, workload, percent) + seeds.size();
        ProgressBar bar = new ProgressBar(System.err, runs * contestants.size());
        List<Series> played = new ArrayList<>();
        int[] done = new int[1];
        try (Stopping stopping = Stopping.on("experiment stopped by a signal", () -> {})) {
            for (Contestant contestant : contestants) {
                Runnable afterEach = () -> bar.show(++done[0], contestant.name());
                played.add(Series.play(fleet, workload, contestant, percent, seeds, afterEach));
            }
        }
        bar.finish();
        return played;
    }

    private Fleet fleet() {
        Fleet fleet = Fleet.of(Fleets.named(nodes), List.of());
        if (fleet.capacityMilli() == 0) {
            throw new IllegalArgumentException(nodes + " has no GPUs; give nodes with GPUs");
        }
        return fleet;
    }

    /** The workload, if a run of it ends in reasonable time. */
    private Workload workload(OpenbTrace trace, long milli) {
        Workload workload = workload(trace);
        if (workload.arrivalsFor(milli) > MOST_ARRIVALS) {
            throw new IllegalArgumentException(
                    "the pods of " + pods + " ask for so few GPUs that a run takes more than " + MOST_ARRIVALS
                            + " of them; give pods that ask for more, or fewer nodes, or a smaller --percent");
        }
        return workload;
    }

    static Workload workload(OpenbTrace trace) {
        return Workload.of(trace.byName().stream()
                .map(pod -> new Workload.Pod(
                        new PodShape(pod.gpus(), pod.gpuMilli(), pod.cpuMilli(), pod.memoryMib()), pod.flavors()))
                .toList());
    }

    private List<PublishedCurves.Curve> curves(@Nullable Path file) {
        return file == null ? List.of() : PublishedCurves.read(file, name());
    }

    private List<Contestant> contestants() {
        if (policies == null) {
            return Contestant.all();
        }
        Set<String> names = new LinkedHashSet<>(List.of(Policies.standard().name()));
        List<String> given =
                Arrays.stream(policies.split(",", -1)).map(String::strip).toList();
        if (Set.copyOf(given).size() < given.size()) {
            throw new IllegalArgumentException("\"" + policies + "\" names a policy twice; give each once");
        }
        names.addAll(given);
        return names.stream().map(OpenbCommand::contestant).toList();
    }

    private static Contestant contestant(String name) {
        return Contestant.find(name)
                .orElseThrow(() -> new IllegalArgumentException("there is no policy \"" + name + "\"; give some of "
                        + String.join(
                                ",",
                                Contestant.all().stream().map(Contestant::name).toList())));
    }

    /** The name of the pods' file without its ending: what published results call the workload. */
    private String name() {
        return String.valueOf(pods.getFileName()).replaceFirst("\\.csv$", "");
    }
}
