package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.quota.HalfLife;
import dev.tutti.control.Actor;
import dev.tutti.control.ClusterGateway;
import dev.tutti.control.JobBook;
import dev.tutti.control.JobBook.Steered;
import dev.tutti.control.JobBook.Submitted;
import dev.tutti.control.Ledger;
import dev.tutti.control.PlanId;
import dev.tutti.control.loop.Binder;
import dev.tutti.control.loop.CallRunner;
import dev.tutti.control.loop.ClusterObserver;
import dev.tutti.control.loop.ClusterSync;
import dev.tutti.control.loop.DependencyKeeper;
import dev.tutti.control.loop.GangWatchdog;
import dev.tutti.control.loop.JobKeeper;
import dev.tutti.control.loop.Lease;
import dev.tutti.control.loop.PastKeeper;
import dev.tutti.control.loop.QuarantineKeeper;
import dev.tutti.control.loop.Reconciler;
import dev.tutti.control.loop.SchedulingCycle;
import dev.tutti.control.loop.SightingInbox;
import dev.tutti.control.loop.Ticker;
import dev.tutti.control.loop.TimeKeeper;
import dev.tutti.model.JobId;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.Preemption;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.model.queue.Quotas;
import dev.tutti.simulator.ClusterTimings;
import dev.tutti.simulator.FakeCluster;
import dev.tutti.simulator.SimulatedGateway;
import dev.tutti.simulator.VirtualClock;
import dev.tutti.simulator.fleet.NodeSpec;
import dev.tutti.testkit.Ports;
import dev.tutti.testkit.Truth;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One service on one small cluster, every loop turned by hand once a second, on either ledger: for cases that need
 * the real loops, the real state machine and a clock that goes as the case says.
 */
final class Stage implements AutoCloseable {

    static final Duration READY_TIMEOUT = Duration.ofSeconds(600);
    static final Actor.Caller ANNA = new Actor.Caller("anna");
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** What the administrator wrote of the network; read at the start of the service. */
    TopologyLevels levels = new TopologyLevels(List.of(new TopologyLevels.Level("rack", List.of("rack"))));

    final VirtualClock clock = new VirtualClock(START);
    final Database database;
    final JobBook book;
    final FakeCluster cluster;
    private final ClusterGateway gateway;
    /** Pods as they were seen last, by name. */
    final Map<String, PodSighting> sightings = new HashMap<>();

    /** Whether books and machines are compared every second. */
    boolean watched;

    /** Shuffles the loops of every second; null for their usual order. */
    @Nullable
    Random chance;

    /** What happens in the next second before a loop of that place, 0 to 8. */
    final Map<Integer, Runnable> between = new HashMap<>();

    /** Whether the API server refuses every bind, as an admission hook may. */
    boolean refusesBinds;

    /** What the API server answers to a bind of a pod of that name instead of what it would. */
    @Nullable
    BiFunction<String, Supplier<ClusterGateway.Outcome>, ClusterGateway.Outcome> onBind;

    /** What the cluster says of a pod and of a node instead of what it would. */
    UnaryOperator<PodSighting> seesPod = pod -> pod;

    UnaryOperator<NodeSighting> seesNode = node -> node;

    /** The service is killed in the next second before the loop of that place, and starts again; below 0 it lives on. */
    int killedBefore = -1;

    /** Whether nothing that happens to pods is told: only a list shows it. */
    boolean deaf;

    private final List<String> alarms = new ArrayList<>();
    private final List<Runnable> loops = new ArrayList<>();
    private Ledger ledger;
    private Actor.Leader leader;
    private SightingInbox inbox;
    private int starts;
    private long plans;

    /** @param gpus GPUs of the only node */
    Stage(Database database, int gpus) {
        this(database, gpus, ClusterTimings.DEFAULT);
    }

    Stage(Database database, int gpus, ClusterTimings timings) {
        this(database, List.of(node("n1", "h100", gpus)), timings);
    }

    Stage(Database database, List<NodeSpec> nodes, ClusterTimings timings) {
        this(database, nodes, timings, Quotas.NONE);
    }

    /** @param quotas of the queue "team" */
    Stage(Database database, int gpus, Quotas quotas) {
        this(database, List.of(node("n1", "h100", gpus)), ClusterTimings.DEFAULT, quotas);
    }

    private Stage(Database database, List<NodeSpec> nodes, ClusterTimings timings, Quotas quotas) {
        this.database = database;
        database.now(START);
        book = database.jobBook();
        database.addQueue("team", quotas);
        cluster = new FakeCluster(nodes, clock, timings, "stage", 100);
        gateway = Ports.around(
                ClusterGateway.class,
                new SimulatedGateway(database.addCluster("c1"), cluster),
                (method, call) -> switch (method.getName()) {
                    case "bind" -> bind((PodSighting) call.arguments()[0], call);
                    case "pods" -> seen(call.call(), seesPod);
                    case "nodes" -> seen(call.call(), seesNode);
                    default -> call.call();
                });
        restart();
    }

    @SuppressWarnings("unchecked")
    private static <T> List<T> seen(@Nullable Object list, UnaryOperator<T> as) {
        return ((List<T>) Objects.requireNonNull(list)).stream().map(as).toList();
    }

    private @Nullable Object tell(Ports.Call call, String what) {
        return switch (what) {
            case "pod" -> deaf ? null : call.with(new Object[] {seesPod.apply((PodSighting) call.arguments()[0])});
            case "node" -> call.with(new Object[] {seesNode.apply((NodeSighting) call.arguments()[0])});
            default -> call.call();
        };
    }

    private @Nullable Object bind(PodSighting pod, Ports.Call call) {
        if (refusesBinds) {
            return new ClusterGateway.Outcome.Refused("denied by a hook");
        }
        return onBind == null
                ? call.call()
                : onBind.apply(pod.name(), () -> (ClusterGateway.Outcome) Objects.requireNonNull(call.call()));
    }

    /** The service ends and starts again: only the database and the cluster are what they were. */
    void restart() {
        clock.advance(World.LEASE);
        clock.advance(Duration.ofSeconds(1));
        database.now(clock.instant());
        leader =
                new Actor.Leader(database.leadership().lead("start-" + ++starts).orElseThrow());
        Lease lease = () -> true;
        Ticker ticker = () -> Duration.between(START, clock.instant()).toNanos();
        ledger = database.ledger();
        inbox = new SightingInbox(1_000);
        gateway.watch(Ports.around(ClusterGateway.Inbox.class, inbox, (method, call) -> tell(call, method.getName())));
        ClusterSync sync = new ClusterSync(inbox, ticker);
        JobKeeper keeper = new JobKeeper(ledger, leader, alarms::add);
        ClusterObserver observer =
                new ClusterObserver(gateway.cluster(), inbox, keeper, database.fleet(), levels, leader);
        Reconciler reconciler = new Reconciler(
                gateway,
                inbox,
                ledger,
                database.fleet(),
                database.outbox(),
                keeper,
                sync,
                lease,
                ticker,
                CallRunner.INLINE,
                leader);
        Binder binder = new Binder(
                gateway, inbox, database.outbox(), keeper, sync, lease, ticker, CallRunner.INLINE, leader, 100);
        SchedulingCycle cycle = new SchedulingCycle(
                database.feed(),
                new GangAllocator(),
                ledger,
                levels,
                List.of(sync),
                lease,
                () -> new PlanId(new UUID(7, ++plans)),
                alarms::add,
                leader,
                new PastKeeper(database.pasts(), HalfLife.OFF, leader));
        loops.clear();
        loops.add(reconciler::turn);
        loops.add(observer::turn);
        loops.add(new GangWatchdog(ledger, keeper, READY_TIMEOUT)::turn);
        loops.add(new QuarantineKeeper(gateway.cluster(), sync, ledger, keeper)::turn);
        loops.add(new DependencyKeeper(database.dependencies(), keeper, leader)::turn);
        loops.add(new TimeKeeper(ledger, keeper)::turn);
        loops.add(cycle::turn);
        loops.add(binder::turn);
        loops.add(observer::turn);
    }

    /** So much time passes and nothing turns. */
    void leap(Duration time) {
        clock.advance(time);
        database.now(clock.instant());
        cluster.advance();
    }

    /** Lets so much time pass, all loops turning. */
    void run(int seconds) {
        for (int i = 0; i < seconds; i++) {
            clock.advance(Duration.ofSeconds(1));
            database.now(clock.instant());
            cluster.advance();
            gateway.pods().forEach(pod -> sightings.put(pod.name(), pod));
            turn();
            if (watched) {
                check();
            }
        }
        if (!alarms.isEmpty()) {
            throw new AssertionError(alarms.toString());
        }
    }

    private void turn() {
        List<Runnable> order = new ArrayList<>(loops);
        if (chance != null) {
            Collections.shuffle(order, chance);
        }
        for (int i = 0; i < order.size(); i++) {
            Runnable before = between.remove(i);
            if (before != null) {
                before.run();
            }
            if (i == killedBefore) {
                killedBefore = -1;
                restart();
                return;
            }
            order.get(i).run();
        }
    }

    /** What holds at every moment: no device twice, use is what members use, and machines never ran more than they have. */
    private void check() {
        Map<String, Long> held = new HashMap<>();
        Map<String, Long> used = new HashMap<>();
        for (Truth.Job job : database.truth().live()) {
            for (Truth.Member member : job.members()) {
                if (member.isHeld()) {
                    member.devices()
                            .forEach(device -> held.merge(
                                    member.cluster() + "/" + member.node() + "/" + device,
                                    (long) member.milliPerDevice(),
                                    Long::sum));
                    long milli = (long) member.devices().size() * member.milliPerDevice();
                    for (String queue = milli == 0 ? "" : job.queue();
                            !queue.isEmpty();
                            queue = queue.substring(0, Math.max(0, queue.lastIndexOf('/')))) {
                        used.merge(queue + "/" + member.flavor(), milli, Long::sum);
                    }
                }
            }
        }
        assertThat(held.values()).allMatch(milli -> milli <= 1_000);
        assertThat(database.truth().heldMilli()).isEqualTo(held);
        Map<String, Long> rows = new HashMap<>();
        database.truth().used().forEach((key, use) -> rows.put(key, use.total()));
        assertThat(rows).isEqualTo(used);
        assertThat(cluster.witness().overloadCount()).isZero();
    }

    /** Pods of the job that are there, whatever they do. */
    List<PodSighting> podsOf(JobId job) {
        return gateway.pods().stream()
                .filter(pod -> PodName.parse(pod.name())
                        .map(name -> name.job().equals(job))
                        .orElse(false))
                .toList();
    }

    /** Turns until the job is in that state; returns after how many seconds. */
    int until(JobId job, JobState state, int most) {
        for (int seconds = 0; seconds <= most; seconds++) {
            if (state(job) == state) {
                return seconds;
            }
            run(1);
        }
        throw new AssertionError(database.truth().describe(job) + " is not " + state + " after " + most + " s");
    }

    JobSpec spec(String name, int pods, int runSeconds, TimeLimits limits) {
        return spec(name, 0, pods, runSeconds, limits);
    }

    JobSpec spec(String name, int priority, int pods, int runSeconds, TimeLimits limits) {
        PodTemplate template = new PodTemplate("image", List.of(), List.of(), Map.of());
        PodSet set = new PodSet("worker", pods, pods, new GpuRequest.Whole(1), List.of(), 0, 0, template);
        return new JobSpec(
                name,
                "team",
                Lane.YELLOW,
                priority,
                List.of(set),
                TopologyWish.NONE,
                runSeconds,
                5,
                2,
                Map.of(),
                limits,
                false,
                List.of(),
                Preemption.ALWAYS);
    }

    /** Whole GPUs, in a queue of its own choice. */
    JobSpec spec(String name, String queue, int pods, int gpusEach, List<String> flavors) {
        PodTemplate template = new PodTemplate("image", List.of(), List.of(), Map.of());
        PodSet set = new PodSet("worker", pods, pods, new GpuRequest.Whole(gpusEach), flavors, 0, 0, template);
        return new JobSpec(name, queue, Lane.YELLOW, 0, List.of(set), TopologyWish.NONE, 1_000_000, 5, 2, Map.of());
    }

    JobId submit(JobSpec spec) {
        return submit(book, spec);
    }

    static JobId submit(JobBook book, JobSpec spec) {
        List<JobId> ids = new ArrayList<>();
        Submitted submitted = book.submit(new JobBook.Submission(ANNA, null, "", List.of(spec), made -> {
            ids.addAll(made);
            return new byte[0];
        }));
        if (!(submitted instanceof Submitted.Stored)) {
            throw new AssertionError("not stored: " + submitted);
        }
        return ids.get(0);
    }

    Steered suspend(JobId job) {
        return book.suspend(job, null, ANNA);
    }

    Steered resume(JobId job) {
        return book.resume(job, null, ANNA);
    }

    /** What a decision to preempt does to its victim. */
    void preempt(JobId job) {
        JobRun before = of(job);
        JobRun after = JobLife.stop(before, EndCause.PREEMPTED);
        if (!ledger.apply(List.of(new Ledger.Change(before, after)), leader).contains(job)) {
            throw new AssertionError("not written");
        }
    }

    JobRun of(JobId job) {
        return ledger.runs(List.of(job)).get(0);
    }

    JobState state(JobId job) {
        return of(job).state();
    }

    String pod(JobId job, int rank) {
        return PodName.of(job, of(job).attempt(), rank);
    }

    long term() {
        return leader.term();
    }

    /** The cluster says once more, late, what it said of this pod before. */
    void sayAgain(PodSighting pod) {
        inbox.pod(pod);
    }

    long heldMilli() {
        return database.truth().heldMilli().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** What queues have in use, as their rows have it; empty when nothing is. */
    Map<String, ?> used() {
        return database.truth().used();
    }

    @Override
    public void close() {
        database.close();
    }

    static NodeSpec node(String name, String flavor, int gpus) {
        return new NodeSpec(
                name,
                flavor,
                flavor,
                80_000,
                64_000,
                65_536,
                110,
                List.of(),
                IntStream.range(0, gpus).mapToObj(i -> 0).toList(),
                Map.of("rack", "r1"));
    }
}
