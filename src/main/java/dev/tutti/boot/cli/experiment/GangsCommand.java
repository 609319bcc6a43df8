package dev.tutti.boot.cli.experiment;

import dev.tutti.boot.cli.Given;
import dev.tutti.boot.cli.HelpOption;
import dev.tutti.boot.cli.ProgressBar;
import dev.tutti.boot.cli.Stopping;
import dev.tutti.boot.cli.chart.Text;
import dev.tutti.simulator.experiment.Contestant;
import dev.tutti.simulator.experiment.Fleet;
import dev.tutti.simulator.experiment.Gang;
import dev.tutti.simulator.experiment.GangOutcome;
import dev.tutti.simulator.experiment.GangSeries;
import dev.tutti.simulator.fleet.Fleets;
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

/**
 * Gangs arrive on partly used fleets; for each an independent count says which is the smallest domain that holds it. The
 * last line printed is one number: percent of the gangs of one pod set that got it.
 */
@Command(
        name = "gangs",
        description =
                "Place gangs of 2 to 1,024 GPUs on generated fleets with zones, blocks and racks that are partly in"
                        + " use. The last line is the percentage of gangs of one pod set that got the smallest domain that could"
                        + " hold them.")
final class GangsCommand implements Callable<Integer> {

    /** Fleets by the number of their GPUs. */
    private static final Map<String, String> FLEETS = Map.of("1k", "default", "10k", "10k", "100k", "100k");

    private static final List<String> LEVELS = List.of(
            "topology.kubernetes.io/zone", "network.topology.nvidia.com/block", "network.topology.nvidia.com/rack");
    private static final int MOST_GANGS = 100_000;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--fleets",
            description = "Some of 1k,10k,100k (GPUs), with commas between; default ${DEFAULT-VALUE}.")
    private String fleets = "1k,10k,100k";

    @Option(names = "--seeds", description = "Seeds such as 42-51 or 1,5,42; default ${DEFAULT-VALUE}.")
    private String seeds = "42-44";

    @Option(names = "--gangs", description = "Gangs in each run, 1 to 100000; default ${DEFAULT-VALUE}.")
    private String gangs = "1000";

    @Option(names = "--svg", description = "Draw the time of a placement over the size of the fleet into this file.")
    private @Nullable Path svg;

    @Mixin
    private HelpOption help = new HelpOption();

    @Override
    public Integer call() {
        Given given = new Given(spec.commandLine());
        Map<String, Fleet> played = given.checked("--fleets", this::fleets);
        List<Long> seeded = given.checked("--seeds", () -> Seeds.parse(seeds));
        int each = given.number("--gangs", gangs, 1, MOST_GANGS);
        Path drawing = svg == null ? null : given.newFile("--svg", svg);

        PrintWriter out = spec.commandLine().getOut();
        List<GangSeries> series = play(played, each, seeded);
        new GangsReport(out, series).print(each, seeded.size());
        if (drawing != null) {
            given.write(drawing, drawn(series));
            out.println("drawn: " + drawing);
        }
        out.println(Text.of(
                series.stream()
                        .mapToDouble(one -> one.smallestPercent(gang -> gang.kind() != Gang.Kind.TWO_SETS))
                        .min()
                        .orElseThrow(),
                2));
        return 0;
    }

    private static String drawn(List<GangSeries> series) {
        List<GangSeries> timed = series.stream()
                .filter(one -> one.count(GangOutcome::placed) > 0)
                .toList();
        if (timed.isEmpty()) {
            throw new IllegalStateException("no gang was placed, so there is no time to draw; give more --gangs");
        }
        return GangsDrawing.of(timed);
    }

    private static List<GangSeries> play(Map<String, Fleet> fleets, int gangs, List<Long> seeds) {
        ProgressBar bar = new ProgressBar(System.err, (seeds.size() + 1L) * fleets.size());
        List<GangSeries> played = new ArrayList<>();
        int[] done = new int[1];
        Contestant contestant = Contestant.all().get(0);
        try (Stopping stopping = Stopping.on("experiment stopped by a signal", () -> {})) {
            fleets.forEach((name, fleet) -> {
                Runnable afterEach = () -> bar.show(++done[0], name);
                played.add(GangSeries.play(name, fleet, contestant, gangs, seeds, afterEach));
            });
        }
        bar.finish();
        return played;
    }

    private Map<String, Fleet> fleets() {
        Map<String, Fleet> made = new LinkedHashMap<>();
        for (String name : fleets.split(",", -1)) {
            if (!FLEETS.containsKey(name.strip())) {
                throw new IllegalArgumentException("there is no fleet \"" + name + "\"; give some of 1k,10k,100k");
            }
            if (made.containsKey(name.strip())) {
                throw new IllegalArgumentException(
                        "\"" + fleets + "\" names the fleet " + name.strip() + " twice; give each once");
            }
            made.put(name.strip(), Fleet.of(Fleets.named(FLEETS.get(name.strip())), LEVELS));
        }
        return made;
    }
}
