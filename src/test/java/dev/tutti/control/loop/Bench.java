package dev.tutti.control.loop;

import dev.tutti.allocator.quota.HalfLife;
import dev.tutti.control.Actor;
import dev.tutti.control.JobBook;
import dev.tutti.control.PlanId;
import dev.tutti.model.AllocationId;
import dev.tutti.model.ClusterId;
import dev.tutti.model.JobId;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.queue.Quotas;
import dev.tutti.simulator.ClusterTimings;
import dev.tutti.simulator.FakeCluster;
import dev.tutti.simulator.SimulatedGateway;
import dev.tutti.simulator.VirtualClock;
import dev.tutti.simulator.fleet.NodeSpec;
import dev.tutti.testkit.FirstFit;
import dev.tutti.testkit.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** One leader over one fake cluster of two nodes with four GPUs each, every loop turned by hand. */
final class Bench {

    static final TopologyLevels LEVELS = new TopologyLevels(List.of(
            new TopologyLevels.Level("block", List.of("new/block", "old/block")),
            new TopologyLevels.Level("rack", List.of("rack"))));

    final VirtualClock clock = new VirtualClock(Instant.parse("2026-01-01T00:00:00Z"));
    final MemoryStore store = new MemoryStore(
            () -> clock.instant().getEpochSecond() * 1_000_000 + clock.instant().getNano() / 1000,
            Duration.ofSeconds(10));
    final FakeCluster cluster = new FakeCluster(
            List.of(node("n1", Map.of("old/block", "b1")), node("n2", Map.of("new/block", "b2", "old/block", "x"))),
            clock,
            ClusterTimings.DEFAULT,
            "test",
            1000);
    final ClusterId id = store.addCluster("c1");
    final ScriptedGateway gateway = new ScriptedGateway(new SimulatedGateway(id, cluster));
    final SightingInbox inbox = new SightingInbox(1000);
    final List<String> alarms = new ArrayList<>();
    final FirstFit allocator = new FirstFit();
    final Ticker ticker = () -> Duration.between(Instant.EPOCH, clock.instant()).toNanos();
    boolean leaseHolds = true;
    int plans;

    Actor.Leader leader;
    ClusterSync sync;
    JobKeeper keeper;
    ClusterObserver observer;
    Binder binder;
    Reconciler reconciler;
    SchedulingCycle cycle;
    static final Duration READY_TIMEOUT = Duration.ofSeconds(600);
    GangWatchdog watchdog;
    QuarantineKeeper quarantine;

    Bench() {
        store.addQueue("team", Quotas.NONE);
        gateway.watch(inbox);
        lead("first");
    }

    /** Another process takes over: all loops are made anew, only the inbox stays. */
    void lead(String holder) {
        leader = new Actor.Leader(store.leadership().lead(holder).orElseThrow());
        Lease lease = () -> leaseHolds;
        sync = new ClusterSync(inbox, ticker);
        keeper = new JobKeeper(store.ledger(), leader, alarms::add);
        observer = new ClusterObserver(id, inbox, keeper, store.fleet(), LEVELS, leader);
        binder =
                new Binder(gateway, inbox, store.outbox(), keeper, sync, lease, ticker, CallRunner.INLINE, leader, 100);
        reconciler = new Reconciler(
                gateway,
                inbox,
                store.ledger(),
                store.fleet(),
                store.outbox(),
                keeper,
                sync,
                lease,
                ticker,
                CallRunner.INLINE,
                leader);
        cycle = new SchedulingCycle(
                store.feed(),
                allocator,
                store.ledger(),
                LEVELS,
                List.of(sync),
                lease,
                () -> new PlanId(new UUID(leader.term(), ++plans)),
                alarms::add,
                leader,
                new PastKeeper(store.pasts(), HalfLife.OFF, leader));
        watchdog = new GangWatchdog(store.ledger(), keeper, READY_TIMEOUT);
        quarantine = new QuarantineKeeper(id, sync, store.ledger(), keeper);
    }

    /** Lets so much time pass in steps of half a second, all loops turning. */
    void run(int seconds) {
        for (int i = 0; i < 2 * seconds; i++) {
            step();
            clock.advance(Duration.ofMillis(500));
            cluster.advance();
        }
        step();
    }

    void step() {
        observer.turn();
        reconciler.turn();
        observer.turn();
        watchdog.turn();
        quarantine.turn();
        cycle.turn();
        binder.turn();
        observer.turn();
    }

    void pass(int seconds) {
        clock.advance(Duration.ofSeconds(seconds));
        cluster.advance();
    }

    JobId submit(int pods, int gpus, int seconds) {
        return submit(pods, gpus, seconds, Map.of());
    }

    JobId submit(int pods, int gpus, int seconds, Map<String, String> env) {
        PodTemplate template = new PodTemplate("image", List.of(), List.of(), env);
        PodSet set = new PodSet("worker", pods, pods, new GpuRequest.Whole(gpus), List.of(), 0, 0, template);
        JobSpec spec =
                new JobSpec("job", "team", Lane.YELLOW, 0, List.of(set), TopologyWish.NONE, seconds, 10, 0, Map.of());
        List<JobId> ids = new ArrayList<>();
        store.jobBook().submit(new JobBook.Submission(new Actor.Caller("me"), null, "", List.of(spec), made -> {
            ids.addAll(made);
            return new byte[0];
        }));
        return ids.get(0);
    }

    JobRun run(JobId job) {
        return store.ledger().runs(List.of(job)).get(0);
    }

    List<MemberPhase> phases(JobId job) {
        return run(job).members().stream().map(Member::phase).toList();
    }

    AllocationId member(JobId job, int rank) {
        return run(job).members().get(rank).id();
    }

    String pod(JobId job, int rank) {
        return PodName.of(job, run(job).attempt(), rank);
    }

    private static NodeSpec node(String name, Map<String, String> labels) {
        return new NodeSpec(
                name,
                "h100",
                "H100",
                80_000,
                64_000,
                65_536,
                110,
                List.of(),
                IntStream.range(0, 4).mapToObj(i -> i / 2).toList(),
                labels);
    }
}
