package dev.tutti.simulation;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.quota.HalfLife;
import dev.tutti.control.Actor;
import dev.tutti.control.BindOutbox;
import dev.tutti.control.ClusterGateway;
import dev.tutti.control.Dependencies;
import dev.tutti.control.Deposed;
import dev.tutti.control.FleetBook;
import dev.tutti.control.Leadership;
import dev.tutti.control.Ledger;
import dev.tutti.control.OutcomeUnknown;
import dev.tutti.control.PastBook;
import dev.tutti.control.PlanId;
import dev.tutti.control.Unavailable;
import dev.tutti.control.loop.Binder;
import dev.tutti.control.loop.CallRunner;
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
import dev.tutti.control.loop.SightingInbox;
import dev.tutti.control.loop.TimeKeeper;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.simulator.SimulatedGateway;
import dev.tutti.simulator.faults.FaultyGateway;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One process of the service: all it knows is lost when it ends. It leads, follows, stands still or is down. */
final class Replica {

    /** Short, so that the past comes and goes within a run. */
    private static final HalfLife HALF_LIFE = new HalfLife(120);

    private static final int TASKS_A_TURN = 6;
    private static final int INBOX = 10_000;
    private static final int RENEW_EVERY = 2;

    private final World world;
    final String name;
    private int lives;
    private Wire wire;
    private LeaseKeeper keeper;
    private final List<ClusterGateway> gateways = new ArrayList<>();
    private final List<SightingInbox> inboxes = new ArrayList<>();
    private @Nullable Term term;
    private int staleAnswers;
    private boolean goingOn;
    long standsStillUntil;
    long downUntil;

    Replica(World world, String name) {
        this.world = world;
        this.name = name;
        start();
    }

    /** The loops of one term. */
    private record Term(long number, List<Runnable> loops, List<ClusterSync> syncs) {}

    boolean isUp() {
        return world.tape.tick >= downUntil && world.tape.tick >= standsStillUntil;
    }

    /** Whether it leads and knows all clusters, as far as it can tell itself. */
    boolean leads() {
        return isUp() && term != null && term.syncs().stream().allMatch(ClusterSync::isReady);
    }

    boolean believesToLead() {
        return term != null;
    }

    private void start() {
        lives++;
        wire = new Wire(world, name);
        keeper = new LeaseKeeper(
                wire.database(Leadership.class, world.database.leadership()),
                name + "#" + lives,
                World.LEASE,
                world.ticker);
        for (Site site : world.sites) {
            ClusterGateway real = new SimulatedGateway(site.id, site.cluster);
            ClusterGateway seen = new FaultyGateway(world.mutant.gateway(real), world.weather);
            ClusterGateway gateway = wire.cluster(ClusterGateway.class, new SiteGateway(seen, site));
            SightingInbox inbox = new SightingInbox(INBOX);
            gateway.watch(inbox);
            gateways.add(gateway);
            inboxes.add(inbox);
        }
    }

    /** The process ends; another begins some ticks later, with nothing but its name. */
    void crash(int ticksDown) {
        wire.fuse = -1;
        gateways.forEach(ClusterGateway::close);
        gateways.clear();
        inboxes.clear();
        term = null;
        downUntil = world.tape.tick + ticksDown;
        start();
    }

    /** It will end inside a step, so many calls from now. */
    void lightFuse(int calls) {
        wire.fuse = calls;
    }

    /** It stands still and goes on later where it was: what it asked its lease just before, it believes. */
    void standStill(int ticks, int answers) {
        standsStillUntil = world.tape.tick + ticks;
        staleAnswers = answers;
        goingOn = true;
    }

    void turn() {
        try {
            boolean actFirst = goingOn;
            goingOn = false;
            if (!actFirst && world.tape.tick % RENEW_EVERY == 0) {
                renew();
            }
            if (term != null) {
                loops(term);
            }
            staleAnswers = 0;
        } catch (Crash crash) {
            crash(world.chance.nextInt(8));
        } catch (Deposed deposed) {
            term = null;
        }
    }

    private void renew() {
        try {
            OptionalLong now = keeper.turn();
            if (now.isEmpty()) {
                term = null;
            } else if (term == null || term.number() != now.getAsLong()) {
                world.tape.say(name + " leads in term " + now.getAsLong());
                term = lead(now.getAsLong());
            }
        } catch (Away away) {
            world.tape.say(name + " cannot renew");
        }
    }

    private void loops(Term now) {
        List<Runnable> order = new ArrayList<>(now.loops());
        Collections.shuffle(order, world.chance);
        for (Runnable loop : order) {
            if (world.chance.nextInt(100) < 93) {
                try {
                    loop.run();
                } catch (Away | Unavailable | OutcomeUnknown away) {
                    world.tape.say(name + " " + away.getMessage());
                }
            }
        }
    }

    private Term lead(long number) {
        Actor.Leader leader = new Actor.Leader(number);
        Lease real = keeper.lease(number);
        Lease lease = () -> staleAnswers-- > 0 || real.holds();
        Ledger ledger = wire.database(Ledger.class, world.mutant.ledger(world.database.ledger(), world.database));
        BindOutbox outbox =
                wire.database(BindOutbox.class, world.mutant.outbox(world.database.outbox(), world.database));
        FleetBook fleet = wire.database(FleetBook.class, world.mutant.fleet(world.database.fleet(), world.database));
        JobKeeper jobs = new JobKeeper(ledger, leader, world::alarm);
        List<Runnable> loops = new ArrayList<>();
        List<ClusterSync> syncs = new ArrayList<>();
        for (int i = 0; i < world.sites.size(); i++) {
            SightingInbox inbox = inboxes.get(i);
            ClusterGateway gateway = gateways.get(i);
            ClusterSync sync = new ClusterSync(inbox, world.ticker);
            ClusterObserver observer =
                    new ClusterObserver(world.sites.get(i).id, inbox, jobs, fleet, World.LEVELS, leader);
            Reconciler reconciler = new Reconciler(
                    gateway, inbox, ledger, fleet, outbox, jobs, sync, lease, world.ticker, CallRunner.INLINE, leader);
            Binder binder = new Binder(
                    gateway, inbox, outbox, jobs, sync, lease, world.ticker, CallRunner.INLINE, leader, TASKS_A_TURN);
            QuarantineKeeper quarantine = new QuarantineKeeper(world.sites.get(i).id, sync, ledger, jobs);
            syncs.add(sync);
            loops.addAll(List.of(observer::turn, reconciler::turn, binder::turn, quarantine::turn));
        }
        SchedulingCycle cycle = new SchedulingCycle(
                wire.database(ChangeFeed.class, world.database.feed()),
                new GangAllocator(),
                ledger,
                World.LEVELS,
                syncs,
                lease,
                () -> new PlanId(world.nextUuid()),
                world::alarm,
                leader,
                new PastKeeper(wire.database(PastBook.class, world.database.pasts()), HALF_LIFE, leader));
        loops.add(cycle::turn);
        loops.add(new GangWatchdog(ledger, jobs, Stage.READY_TIMEOUT)::turn);
        loops.add(
                new DependencyKeeper(wire.database(Dependencies.class, world.database.dependencies()), jobs, leader)
                        ::turn);
        loops.add(new TimeKeeper(ledger, jobs)::turn);
        return new Term(number, loops, syncs);
    }
}
