package dev.tutti.simulation;

import dev.tutti.control.loop.Ticker;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.life.JobState;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Quotas;
import dev.tutti.simulator.VirtualClock;
import dev.tutti.simulator.faults.FaultKind;
import dev.tutti.simulator.faults.FaultRates;
import dev.tutti.simulator.faults.Weather;
import dev.tutti.testkit.Truth;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** One run under one seed: two replicas, two clusters, users, trouble, and the eyes that see both truths. */
final class World {

    static final Duration LEASE = Duration.ofSeconds(10);
    static final TopologyLevels LEVELS = new TopologyLevels(List.of(
            new TopologyLevels.Level("block", List.of("block")), new TopologyLevels.Level("rack", List.of("rack"))));
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final FaultRates BAD = rates();

    final long seed;
    final Setting setting;
    final Database database;
    final Mutant mutant;
    final Random chance;
    final Tape tape = new Tape();
    final VirtualClock clock = new VirtualClock(START);
    final Ticker ticker = () -> Duration.between(START, clock.instant()).toNanos();
    final Weather weather;
    final List<Site> sites;
    final List<Replica> replicas;
    final Users users;
    private final Trouble trouble;
    private final Invariants invariants;
    private final InOrder order;
    private final Agreement agreement;
    boolean databaseAway;

    /** What the rows said at the end of the last tick. */
    Map<JobId, JobState> states = Map.of();

    List<Truth.Job> live = List.of();
    boolean calm;

    /** The latest term that was ever granted. */
    long term;

    private long uuids;

    World(long seed, Setting setting, Database database, Mutant mutant) {
        this.seed = seed;
        this.setting = setting;
        this.database = database;
        this.mutant = mutant;
        this.chance = new Random(seed);
        this.weather = new Weather(chance.nextLong(), BAD);
        database.now(START);
        sites = List.of(
                new Site("east", database.addCluster("east"), Site.fleet("e", "h100", 4, 2, 8), clock),
                new Site("west", database.addCluster("west"), Site.fleet("w", "a100", 2, 2, 4), clock));
        database.addQueue("free", Quotas.NONE);
        database.addQueue("team", Quotas.ofGpus(Map.of("h100", 48_000L, "a100", 12_000L)));
        database.addQueue("team/a", new Quotas(Map.of(QuotaKey.gpus("h100"), new Quota(24_000, 8_000L, null))));
        database.addQueue(
                "team/b",
                new Quotas(Map.of(
                        QuotaKey.gpus("h100"), new Quota(24_000, null, 12_000L),
                        QuotaKey.gpus("a100"), new Quota(8_000, 0L, null))));
        database.addQueue("lab", Quotas.ofGpus(Map.of("h100", 24_000L)));
        replicas = List.of(new Replica(this, "r1"), new Replica(this, "r2"));
        users = new Users(this);
        trouble = new Trouble(this);
        invariants = new Invariants(this);
        order = new InOrder(this);
        agreement = new Agreement(this);
    }

    private static FaultRates rates() {
        Map<FaultKind, Integer> rates = new EnumMap<>(FaultKind.class);
        for (FaultKind kind : FaultKind.values()) {
            rates.put(kind, 15);
        }
        return new FaultRates(rates, 25);
    }

    /** Runs to the end; throws {@link Violation} at the first tick at which an invariant does not hold. */
    Report run() {
        while (tape.tick < setting.ticks() || !users.allEnded()) {
            tick();
            if (tape.tick > setting.patience()) {
                throw violation(
                        "I10",
                        "jobs that never ended: "
                                + users.notEnded().stream()
                                        .map(database.truth()::describe)
                                        .toList());
            }
        }
        agreement.checkEmpty();
        countWeather();
        return new Report(
                seed,
                tape.tick,
                users.submitted(),
                users.gangs(),
                invariants.attempts(),
                invariants.instances(),
                invariants.withNics(),
                order.kept(),
                order.fellBack(),
                tape.counts);
    }

    private void tick() {
        tape.tick++;
        clock.advance(Duration.ofSeconds(1));
        database.now(clock.instant());
        trouble.turn();
        sites.forEach(site -> site.cluster.advance());
        weather.step();
        users.turn();
        boolean ledBefore = replicas.stream().anyMatch(Replica::leads);
        for (Replica replica : replicas) {
            if (replica.isUp()) {
                replica.turn();
            }
        }
        calm = ledBefore
                && replicas.stream().anyMatch(Replica::leads)
                && !databaseAway
                && sites.stream().noneMatch(site -> site.away);
        sites.forEach(Site::look);
        states = database.truth().states();
        live = database.truth().live();
        invariants.check();
        order.check();
        agreement.check(tape.tick - setting.lastTrouble());
    }

    private void countWeather() {
        Map<FaultKind, Fault> names = Map.of(
                FaultKind.REQUEST_LOST, Fault.CALL_LOST,
                FaultKind.REQUEST_LATE, Fault.CALL_LATE,
                FaultKind.REPLY_LOST, Fault.CALL_REPLY_LOST,
                FaultKind.BUSY, Fault.CALL_BUSY,
                FaultKind.LIST_UNREACHABLE, Fault.LIST_UNREACHABLE,
                FaultKind.LIST_OLD, Fault.LIST_OLD,
                FaultKind.EVENT_LATE, Fault.EVENT_LATE,
                FaultKind.EVENT_REPEATED, Fault.EVENT_REPEATED,
                FaultKind.EVENT_LOST, Fault.EVENT_LOST_THEN_GAP);
        tape.add(
                Fault.TIME_WAS_OVER,
                states.values().stream()
                        .filter(state -> state == JobState.TIMED_OUT)
                        .count());
        weather.counts().forEach((kind, times) -> tape.add(names.get(kind), times));
    }

    /** One of a thousand chances, only while things go wrong. */
    boolean strikes(int perMille) {
        return tape.tick <= setting.lastTrouble() && chance.nextInt(1_000) < perMille;
    }

    UUID nextUuid() {
        return new UUID(seed, ++uuids);
    }

    /** The database refused what the allocator placed: the two disagree about what is free, which is never right. */
    void alarm(String what) {
        throw violation("R3", what);
    }

    Violation violation(String rule, String what) {
        return new Violation(rule, seed, tape.tick, what, tape.story());
    }
}
