package dev.tutti.boot.loops;

import dev.tutti.control.Actor;
import dev.tutti.control.PlanId;
import dev.tutti.control.loop.Alarm;
import dev.tutti.control.loop.Binder;
import dev.tutti.control.loop.ClusterObserver;
import dev.tutti.control.loop.ClusterSync;
import dev.tutti.control.loop.DependencyKeeper;
import dev.tutti.control.loop.GangWatchdog;
import dev.tutti.control.loop.JobKeeper;
import dev.tutti.control.loop.Lease;
import dev.tutti.control.loop.LeaseKeeper;
import dev.tutti.control.loop.PastKeeper;
import dev.tutti.control.loop.QuarantineKeeper;
import dev.tutti.control.loop.Reconciler;
import dev.tutti.control.loop.SchedulingCycle;
import dev.tutti.control.loop.Ticker;
import dev.tutti.control.loop.TimeKeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loops of one term: built when this replica begins to lead, ended when it no longer does. */
final class TermLoops implements LeaderDuty.TermWork {

    private static final Logger LOG = LoggerFactory.getLogger(TermLoops.class);
    private static final Alarm ALARM = what -> LOG.error("{}", what);
    private static final Ticker TICKER = System::nanoTime;
    private static final Duration BRISK = Duration.ofMillis(250);
    private static final Duration CALM = Duration.ofSeconds(1);
    private static final Duration RARELY = Duration.ofMinutes(5);
    private static final int TASKS_A_TURN = 512;
    private static final int ROWS_A_TURN = 5_000;

    private final Ports ports;
    private final List<Cluster> clusters;
    private final LeaseKeeper keeper;
    private final Bells bells;
    private final int callsAtOnce;
    private final List<Loop> loops = new ArrayList<>();
    private final List<PooledCalls> pools = new ArrayList<>();

    TermLoops(Ports ports, List<Cluster> clusters, LeaseKeeper keeper, Bells bells, int callsAtOnce) {
        this.ports = ports;
        this.clusters = List.copyOf(clusters);
        this.keeper = keeper;
        this.bells = bells;
        this.callsAtOnce = callsAtOnce;
    }

    @Override
    public void start(long term) {
        Actor.Leader leader = new Actor.Leader(term);
        Lease lease = keeper.lease(term);
        JobKeeper jobs = new JobKeeper(ports.ledger(), leader, ALARM);
        List<ClusterSync> syncs = new ArrayList<>();
        for (Cluster cluster : clusters) {
            ClusterSync sync = new ClusterSync(cluster.inbox(), TICKER);
            syncs.add(sync);
            addCluster(cluster, sync, jobs, lease, leader);
        }
        SchedulingCycle cycle = new SchedulingCycle(
                ports.feed(),
                ports.allocator(),
                ports.ledger(),
                ports.levels(),
                syncs,
                lease,
                () -> new PlanId(UUID.randomUUID()),
                ALARM,
                leader,
                new PastKeeper(ports.pasts(), ports.memory().halfLife(), leader));
        add("cycle", cycle::turn, bells.cycle(), BRISK);
        GangWatchdog watchdog =
                new GangWatchdog(ports.ledger(), jobs, ports.ready().timeout());
        add("gang-watchdog", watchdog::turn, new Bell(), CALM);
        add("dependencies", new DependencyKeeper(ports.dependencies(), jobs, leader)::turn, new Bell(), BRISK);
        add("timekeeper", new TimeKeeper(ports.ledger(), jobs)::turn, new Bell(), CALM);
        add("retention", () -> prune(leader), new Bell(), RARELY);
        loops.forEach(Loop::start);
    }

    @Override
    public void stop() {
        loops.forEach(Loop::stop);
        loops.forEach(Loop::join);
        loops.clear();
        pools.forEach(PooledCalls::close);
        pools.clear();
    }

    private void addCluster(Cluster cluster, ClusterSync sync, JobKeeper jobs, Lease lease, Actor.Leader leader) {
        PooledCalls calls = new PooledCalls(cluster.name(), callsAtOnce);
        pools.add(calls);
        Reconciler reconciler = new Reconciler(
                cluster.gateway(),
                cluster.inbox(),
                ports.ledger(),
                ports.fleet(),
                ports.outbox(),
                jobs,
                sync,
                lease,
                TICKER,
                calls,
                leader);
        ClusterObserver observer = new ClusterObserver(
                cluster.gateway().cluster(), cluster.inbox(), jobs, ports.fleet(), ports.levels(), leader);
        Binder binder = new Binder(
                cluster.gateway(),
                cluster.inbox(),
                ports.outbox(),
                jobs,
                sync,
                lease,
                TICKER,
                calls,
                leader,
                TASKS_A_TURN);
        QuarantineKeeper quarantine = new QuarantineKeeper(cluster.gateway().cluster(), sync, ports.ledger(), jobs);
        add("reconciler-" + cluster.name(), reconciler::turn, new Bell(), BRISK);
        add("observer-" + cluster.name(), observer::turn, cluster.news(), BRISK);
        add("binder-" + cluster.name(), binder::turn, bells.binders(), BRISK);
        add("quarantine-" + cluster.name(), quarantine::turn, new Bell(), CALM);
    }

    private int prune(Actor.Leader leader) {
        return ports.retention().prune(ROWS_A_TURN, leader)
                + ports.retention().pruneJobs(ports.kept().age(), ROWS_A_TURN, leader);
    }

    /** Whatever one loop did may be work for the others. */
    private void add(String name, Loop.Step step, Bell bell, Duration idleTime) {
        loops.add(new Loop(name, step, bell, idleTime, () -> {
            bells.cycle().ring();
            bells.binders().ring();
        }));
    }
}
