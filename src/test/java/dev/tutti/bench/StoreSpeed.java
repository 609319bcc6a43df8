package dev.tutti.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Plan.Placement;
import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.Actor;
import dev.tutti.control.JobBook.Submission;
import dev.tutti.control.PlanId;
import dev.tutti.control.Receipt;
import dev.tutti.control.view.ChangeFeed.Changes;
import dev.tutti.control.view.ChangeFeed.DeviceRow;
import dev.tutti.control.view.ChangeFeed.NodeRow;
import dev.tutti.control.view.VictimRules;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.fleet.SqlFleetBook;
import dev.tutti.store.identity.SqlLeadership;
import dev.tutti.store.ledger.SqlBindOutbox;
import dev.tutti.store.ledger.SqlLedger;
import dev.tutti.store.stream.SqlChangeFeed;
import dev.tutti.store.work.SqlJobBook;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;

/** Measures the store on a durable PostgreSQL of its own and prints each figure. Run {@code main}; it takes a minute. */
public final class StoreSpeed {

    private static final int NODES = 1_000;

    private final PrintStream out;
    private final SqlJobBook jobs;
    private final SqlChangeFeed feed;
    private final SqlLedger ledger;
    private final SqlFleetBook fleet;
    private final SqlBindOutbox outbox;
    private final Actor.Leader leader;
    private final ClusterId cluster;

    private StoreSpeed(SqlTransactions transactions, PrintStream out) {
        this.out = out;
        this.jobs = new SqlJobBook(transactions);
        this.feed = new SqlChangeFeed(transactions, VictimRules.NONE);
        this.ledger = new SqlLedger(transactions);
        this.fleet = new SqlFleetBook(transactions);
        this.outbox = new SqlBindOutbox(transactions);
        this.leader = new Actor.Leader(new SqlLeadership(transactions, Duration.ofHours(1))
                .lead("bench")
                .orElseThrow());
        this.cluster = fleet.register("bench", "simulated");
    }

    /** Needs no arguments. */
    public static void main(String[] arguments) throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start()) {
            HikariConfig config = new HikariConfig();
            config.setDataSource(postgres.getPostgresDatabase());
            config.setMaximumPoolSize(16);
            try (HikariDataSource pool = new HikariDataSource(config)) {
                Flyway.configure()
                        .dataSource(pool)
                        .locations("classpath:db/migration")
                        .load()
                        .migrate();
                new StoreSpeed(
                                new SqlTransactions(pool),
                                new PrintStream(new FileOutputStream(FileDescriptor.out), true))
                        .measure();
            }
        }
    }

    private void measure() throws InterruptedException {
        time("observe " + NODES + " new nodes, 8 GPUs each", this::observe);
        time("observe them again, unchanged", this::observe);
        submits(1, 1_000);
        submits(1, 2_000);
        submits(16, 8_000);
        for (int i = 0; i < 5; i++) {
            time(
                    "submit a batch of 1,000",
                    () -> submit(
                            IntStream.range(0, 1_000).mapToObj(n -> spec(1)).toList()));
        }
        Changes all = read();
        time("read everything (" + all.waiting().size() + " waiting, 8,000 devices)", this::read);
        time("read everything, again", this::read);
        head(all.cursor());
        for (int i = 0; i < 3; i++) {
            gang(i);
        }
        time("claim 500 bind tasks", () -> outbox.claim(cluster, 500, Duration.ofMinutes(1), leader));
        head(read().cursor());
    }

    private void gang(int number) {
        JobId job = submit(List.of(spec(1_000))).get(0);
        Changes all = read();
        long version = all.waiting().stream()
                .filter(one -> one.job().equals(job))
                .mapToLong(WaitingJob::version)
                .findFirst()
                .orElseThrow();
        List<PodPlacement> pods = new ArrayList<>();
        for (NodeRow node : all.nodes()) {
            List<DeviceRow> devices = all.devices().get(node.id());
            pods.add(new PodPlacement(
                    "w",
                    pods.size(),
                    node.id(),
                    "h100",
                    List.of(devices.get(number).id()),
                    1_000,
                    1_000,
                    1_024,
                    null,
                    List.of()));
        }
        Plan plan = new Plan(1, List.of(new Placement(job, version, pods)), List.of());
        time("commit a gang of 1,000 members", () -> {
            Receipt receipt = ledger.commit(new PlanId(UUID.randomUUID()), plan, leader);
            if (receipt.committed().size() != 1) {
                throw new IllegalStateException(receipt.toString());
            }
        });
    }

    private void head(String cursor) {
        for (int i = 0; i < 50; i++) {
            feed.since(cursor);
        }
        long start = System.nanoTime();
        for (int i = 0; i < 200; i++) {
            feed.since(cursor);
        }
        say("head query with nothing changed", (System.nanoTime() - start) / 200);
    }

    private Changes read() {
        return feed.since(null);
    }

    private void submits(int threads, int count) throws InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            executor.execute(() -> submit(List.of(spec(1))));
        }
        executor.shutdown();
        executor.awaitTermination(5, TimeUnit.MINUTES);
        long nanos = System.nanoTime() - start;
        out.printf("%-60s %8.0f /s%n", "single submits, keyed, " + threads + " threads", count * 1e9 / nanos);
    }

    private List<JobId> submit(List<JobSpec> specs) {
        List<JobId> ids = new ArrayList<>();
        jobs.submit(new Submission(new Actor.Caller("bench"), UUID.randomUUID().toString(), "hash", specs, fresh -> {
            ids.addAll(fresh);
            return new byte[300];
        }));
        return ids;
    }

    private void observe() {
        List<NodeSighting> nodes =
                IntStream.range(0, NODES).mapToObj(StoreSpeed::sighting).toList();
        fleet.observe(
                cluster,
                nodes,
                nodes.stream().map(node -> List.of("z", "b", "r")).toList(),
                leader);
    }

    private static NodeSighting sighting(int number) {
        String name = "node-%04d".formatted(number);
        List<NodeSighting.Device> devices = IntStream.range(0, 8)
                .mapToObj(i -> new NodeSighting.Device(i, name + "-" + i, i / 4, true))
                .toList();
        return new NodeSighting(
                name, name, "b", true, true, false, "h100", "H100", 81_920, 64_000, 524_288, 100, List.of(), Map.of(),
                List.of(), devices, List.of());
    }

    private static JobSpec spec(int pods) {
        PodTemplate template = new PodTemplate("busybox:1", List.of("sh"), List.of("-c", "sleep 60"), Map.of());
        PodSet set = new PodSet("w", pods, pods, new GpuRequest.Whole(1), List.of("h100"), 1_000, 1_024, template);
        return new JobSpec(
                "job", "default", Lane.YELLOW, 0, List.of(set), TopologyWish.NONE, 60, 30, 3, Map.of("team", "nlp"));
    }

    private void time(String what, Runnable work) {
        long start = System.nanoTime();
        work.run();
        say(what, System.nanoTime() - start);
    }

    private void say(String what, long nanos) {
        out.printf("%-60s %8.2f ms%n", what, nanos / 1e6);
    }
}
