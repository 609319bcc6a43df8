package dev.tutti.boot.cli.replay;

import dev.tutti.boot.cli.Given;
import dev.tutti.boot.cli.HelpOption;
import dev.tutti.boot.cli.Stopping;
import dev.tutti.boot.cli.trace.OpenbTrace;
import dev.tutti.boot.cli.trace.TracePod;
import dev.tutti.boot.postgres.EmbeddedDatabase;
import dev.tutti.model.Limits;
import dev.tutti.simulator.SimulatedCluster;
import dev.tutti.simulator.fleet.Fleets;
import dev.tutti.simulator.fleet.NodeSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Starts a service of its own, on an empty data folder, with the trace's nodes as its simulated cluster; then pods arrive
 * through the REST API until more was asked for than there is.
 */
@Command(
        name = "openb",
        description = "Nodes and pods of the public trace cluster-trace-gpu-v2023 (alibaba/clusterdata).")
final class OpenbCommand implements Callable<Integer> {

    private static final int PERCENT = 100;
    private static final int FLEET_POLLS = 600;
    private static final long POLL_MILLIS = 50;
    private static final int DISCARD_ROUNDS = 20;

    private static final int MOST_PODS = 1_000_000;
    private static final int MOST_IN_A_BATCH = 1_000;
    private static final int MOST_PERCENT = 1_000;

    private final Class<?> application;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(names = "--nodes", required = true, description = "CSV with sn,cpu_milli,memory_mib,gpu,model.")
    private Path nodes = Path.of("");

    @Option(
            names = "--pods",
            required = true,
            description = "CSV with name,cpu_milli,memory_mib,num_gpu,gpu_milli[,…].")
    private Path pods = Path.of("");

    @Option(names = "--first", description = "Pods before the first report, 1 and up; default ${DEFAULT-VALUE}.")
    private String first = "2000";

    @Option(
            names = "--batch",
            description = "Pods a request, 1 to 1000; all truths are compared after each. Default ${DEFAULT-VALUE}.")
    private String batch = "100";

    @Option(
            names = "--until",
            description = "Arrived GPU work in percent of the capacity, 1 to 1000; default ${DEFAULT-VALUE}.")
    private String untilPercent = "130";

    @Option(names = "--seed", description = "Draws the pods after the trace's own, and the cancels.")
    private long seed = 42;

    @Mixin
    private HelpOption help = new HelpOption();

    /** @param application the class whose package is searched for the service's parts */
    OpenbCommand(Class<?> application) {
        this.application = application;
    }

    @Override
    public Integer call() {
        PrintStream out = System.out;
        Given given = new Given(spec.commandLine());
        Load load = new Load(
                given.number("--first", first, 1, MOST_PODS),
                given.number("--batch", batch, 1, MOST_IN_A_BATCH),
                given.number("--until", untilPercent, 1, MOST_PERCENT));
        long gpus = given.checked("--nodes", this::gpus);
        OpenbTrace trace = given.checked("--pods", () -> OpenbTrace.read(pods));
        Path folder = temporaryFolder();
        out.println("Starting a service with the nodes of " + nodes + " …");
        try (Stopping stopping = Stopping.on("replay stopped by a signal", () -> discard(folder))) {
            try (ConfigurableApplicationContext service = start(folder)) {
                replay(service, trace, load, gpus, out);
            } finally {
                delete(folder);
            }
            return 0;
        }
    }

    /** Beside threads that still write there, so more than once. */
    private static void discard(Path folder) {
        for (int i = 0; i < DISCARD_ROUNDS && (i == 0 || Files.exists(folder)); i++) {
            EmbeddedDatabase.stopAllNow();
            delete(folder);
            Pauses.millis(POLL_MILLIS);
        }
    }

    private static void delete(Path folder) {
        try {
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException e) {
            System.err.println("tutti: " + folder + " could not be removed: " + e.getMessage());
        }
    }

    private long gpus() {
        return Fleets.named(nodes.toString()).stream().mapToLong(NodeSpec::gpus).sum();
    }

    private ConfigurableApplicationContext start(Path folder) {
        SpringApplication service = new SpringApplication(application);
        service.setRegisterShutdownHook(false); // nothing of it is kept
        return service.run(
                "--server.port=0",
                "--server.shutdown=immediate",
                "--spring.lifecycle.timeout-per-shutdown-phase=2s",
                "--tutti.data-dir=" + folder,
                "--tutti.simulator.fleet=" + nodes.toAbsolutePath(),
                "--tutti.welcome=false",
                "--tutti.rate-limit.per-second=1000000",
                "--tutti.rate-limit.burst=1000000",
                "--logging.level.root=warn");
    }

    private void replay(
            ConfigurableApplicationContext service, OpenbTrace trace, Load load, long gpus, PrintStream out) {
        String port = service.getEnvironment().getRequiredProperty("local.server.port");
        ApiClient api = new ApiClient(URI.create("http://127.0.0.1:" + port + "/api/v1"));
        SimulatedCluster machines = service.getBean(SimulatedCluster.class);
        LedgerProbe ledger = new LedgerProbe(service.getBean(JdbcClient.class));
        long capacityMilli = awaitFleet(api, gpus);
        List<TracePod> arrivals = trace.arrivals(capacityMilli * load.untilPercent / PERCENT, seed);
        TruthCheck truth = new TruthCheck(ledger::heldByDevice, machines.cluster()::takenMilli, () -> heldInApi(api));
        new OpenbReplay(api, ledger, truth, new TraceJobs(), out, load.batch, seed)
                .play(arrivals, load.first, capacityMilli);
    }

    private record Load(int first, int batch, int untilPercent) {}

    /** Waits until the inventory has every device of the cluster; returns its milli-GPU. */
    private static long awaitFleet(ApiClient api, long gpus) {
        for (int i = 0; i < FLEET_POLLS; i++) {
            long[] seen = new long[1];
            api.get("/flavors")
                    .path("items")
                    .forEach(flavor -> seen[0] += flavor.path("gpus").asLong());
            if (seen[0] >= gpus) {
                return gpus * Limits.DEVICE_MILLI;
            }
            Pauses.millis(POLL_MILLIS);
        }
        throw new IllegalStateException("the inventory did not show all " + gpus + " GPUs in time");
    }

    private static Map<String, Integer> heldInApi(ApiClient api) {
        Map<String, Integer> held = new TreeMap<>();
        api.forEach("/gpus?free=false", gpu -> {
            int milli = gpu.path("gpuMilliHeld").asInt();
            if (milli > 0) {
                held.put(gpu.path("uuid").asString(), milli);
            }
        });
        return held;
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("tutti-replay-");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder for the replay's data", e);
        }
    }
}
