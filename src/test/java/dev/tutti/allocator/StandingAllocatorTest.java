package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.board.Board;
import dev.tutti.allocator.board.PodShape;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.allocator.policy.Costs;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.allocator.policy.Policies;
import dev.tutti.allocator.policy.Policy;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.Lane;
import dev.tutti.model.life.Reason;
import dev.tutti.model.queue.PastShare;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.QuotaResource;
import dev.tutti.model.queue.Use;
import dev.tutti.testkit.scenario.AppliedPlan;
import dev.tutti.testkit.scenario.TestFleet;
import dev.tutti.testkit.scenario.TestJobs;
import dev.tutti.testkit.scenario.TestNode;
import dev.tutti.testkit.scenario.TestQueues;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What remembers must decide as what starts from nothing, whatever happened in between: jobs come, go, wait and back off;
 * pods end, nodes close and open, quota changes, and the ledger commits only part of a plan.
 */
class StandingAllocatorTest {

    private static final List<SmallCase.Kind> FLEETS =
            List.of(SmallCase.Kind.PLAIN, SmallCase.Kind.MIG, SmallCase.Kind.NICS);

    private static final List<String> FALLBACKS =
            List.of("", " fallback=lane", " fallback=lane", " fallback=1", " fallback=3", " fallback=9");
    private static final int SEEDS = 400;
    private static final int STEPS = 45;

    @Test
    void decidesAsTheOneThatForgets() {
        int placed = 0;
        int told = 0;
        int retold = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            World world = new World(seed);
            StandingAllocator standing = new GangAllocator().standing();
            for (int step = 0; step < STEPS; step++) {
                world.change();
                Plan expected = new GangAllocator().decide(world.snapshot, world.jobs.values(), world.now);
                Plan plan = standing.decide(world.snapshot, world.book, world.now);
                assertThat(plan)
                        .as("seed %d step %d%n%s", seed, step, world.jobs.values())
                        .isEqualTo(expected);
                placed += plan.placements().size();
                told += plan.waits().size();
                retold += plan.retold().size();
                world.commit(plan);
            }
        }
        assertThat(placed).isGreaterThan(4 * SEEDS);
        assertThat(told).isGreaterThan(5 * SEEDS);
        assertThat(retold).isGreaterThan(SEEDS);
    }

    @Test
    void decidesRightAfterADecisionThatFailedOnItsWay() {
        int failures = 0;
        for (int seed = 0; seed < 50; seed++) {
            World world = new World(seed);
            Faulty policy = new Faulty(new Random(seed));
            StandingAllocator standing = new GangAllocator(policy).standing();
            for (int step = 0; step < STEPS; step++) {
                world.change();
                Plan expected = new GangAllocator().decide(world.snapshot, world.jobs.values(), world.now);
                Plan plan = null;
                policy.oneIn = 20;
                while (plan == null) {
                    try {
                        plan = standing.decide(world.snapshot, world.book, world.now);
                    } catch (IllegalStateException fault) {
                        failures++;
                    }
                }
                assertThat(plan).as("seed %d step %d", seed, step).isEqualTo(expected);
                world.commit(plan);
            }
        }
        assertThat(failures).isGreaterThan(50);
    }

    /** The standard policy, which now and then fails when it is asked; after each fault more rarely. */
    private static final class Faulty implements Policy {
        private final Random random;
        private int oneIn;

        private Faulty(Random random) {
            this.random = random;
        }

        @Override
        public String name() {
            return "faulty";
        }

        @Override
        public Costs over(Board board, Mix mix) {
            Costs costs = Policies.standard().over(board, mix);
            return new Costs() {
                @Override
                public void refresh(int position) {
                    costs.refresh(position);
                }

                @Override
                public long of(int position, PodShape shape) {
                    if (random.nextInt(oneIn) == 0) {
                        oneIn *= 2;
                        throw new IllegalStateException("a fault");
                    }
                    return costs.of(position, shape);
                }

                @Override
                public int device(int position, PodShape shape) {
                    return costs.device(position, shape);
                }
            };
        }
    }

    @Test
    void saysNothingTwiceAndPlacesNothingTwice() {
        World world = new World(1);
        StandingAllocator standing = new GangAllocator().standing();
        for (int step = 0; step < STEPS; step++) {
            world.change();
            world.commitAll(standing.decide(world.snapshot, world.book, world.now));
        }
        world.commitAll(standing.decide(world.snapshot, world.book, world.now));
        assertThat(standing.decide(world.snapshot, world.book, world.now).isEmpty())
                .isTrue();
    }

    /** A small fleet under a seed, with what runs on it. */
    private static final class World {
        final Random random;
        final WaitingBook book = new WaitingBook();
        final Map<JobId, WaitingJob> jobs = new LinkedHashMap<>();
        final TestQueues queues = new TestQueues();
        final List<Plan.Placement> running = new ArrayList<>();
        final Map<JobId, WaitingJob> started = new HashMap<>();
        Snapshot snapshot;
        long now = TestJobs.NOW_MICROS;
        int age;

        World(long seed) {
            random = new Random(seed);
            List<TestNode> nodes = new ArrayList<>();
            SmallCase.Kind kind = FLEETS.get((int) (seed % FLEETS.size()));
            for (String line : SmallCase.of(seed, kind).fleet()) {
                nodes.add(TestNode.of(line));
            }
            queues.add("other");
            snapshot = TestFleet.snapshot(nodes, queues.shares());
        }

        void change() {
            int changes = random.nextInt(4);
            for (int i = 0; i < changes; i++) {
                switch (random.nextInt(8)) {
                    case 0, 1, 2 -> arrive();
                    case 3 -> leave();
                    case 4 -> end();
                    case 5 -> openOrClose();
                    case 6 -> changePast();
                    default -> changeQuota();
                }
            }
            now += random.nextInt(3) * 1_000_000L;
        }

        private void arrive() {
            SmallCase.Kind kind = SmallCase.Kind.values()[random.nextInt(SmallCase.Kind.values().length)];
            String line = SmallCase.of(random.nextInt(50), kind).job() + (random.nextBoolean() ? " queue=other" : "");
            line = line.contains(" + ") ? line.replaceFirst(" \\+ ", "QUEUE + ").replace(" queue=other", "") : line;
            line = line.replace("QUEUE", random.nextBoolean() ? " queue=other" : "");
            line = line.replaceFirst(
                    "^(\\S+)",
                    "$1" + FALLBACKS.get(random.nextInt(FALLBACKS.size())) + " since="
                            + (now - TestJobs.NOW_MICROS) / 1_000_000);
            WaitingJob job = TestJobs.of(line, age++, queues);
            put(random.nextInt(5) == 0 ? with(job, now + random.nextInt(4) * 1_000_000L, null) : job);
        }

        private void leave() {
            if (!jobs.isEmpty()) {
                remove(List.copyOf(jobs.keySet()).get(random.nextInt(jobs.size())));
            }
        }

        private void end() {
            if (!running.isEmpty()) {
                Plan.Placement ended = running.remove(random.nextInt(running.size()));
                WaitingJob job = started.get(ended.job());
                snapshot = Reversed.apply(snapshot, ended, job.queue(), job.lane());
            }
        }

        private void openOrClose() {
            FleetArrays fleet = snapshot.fleet();
            boolean[] open = fleet.open().clone();
            int n = random.nextInt(open.length);
            open[n] = !open[n];
            snapshot = Reversed.with(snapshot, fleet, open);
        }

        private void changeQuota() {
            Map<QueueId, QueueShares.Share> shares =
                    new HashMap<>(snapshot.queues().queues());
            QueueId id = queues.id(random.nextBoolean() ? "default" : "other");
            QueueShares.Share old = shares.get(id);
            Long borrowing = random.nextBoolean() ? null : (Long) (random.nextInt(3) * 500L);
            Long lending = random.nextBoolean() ? null : (Long) (random.nextInt(3) * 500L);
            Map<QuotaKey, Quota> nominal = random.nextInt(3) == 0
                    ? Map.of()
                    : Map.of(
                            QuotaKey.gpus("a"),
                            new Quota(random.nextInt(5) * 500L, borrowing, lending),
                            QuotaKey.gpus("b"),
                            Quota.of(1_000L));
            shares.put(
                    id,
                    new QueueShares.Share(
                            old.path(),
                            old.parent(),
                            new QueueRules(random.nextInt(6) == 0, random.nextInt(3) == 0, 1 + random.nextInt(3)),
                            nominal,
                            old.used(),
                            old.past()));
            snapshot = new Snapshot(
                    snapshot.revision() + 1,
                    snapshot.names(),
                    snapshot.fleet(),
                    new QueueShares(
                            shares,
                            new LanesNow(
                                    random.nextInt(4) == 0 ? Map.of(Lane.values()[random.nextInt(3)], 9L) : Map.of(),
                                    random.nextInt(3) == 0
                                            ? Map.of(
                                                    Lane.values()[random.nextInt(3)],
                                                    new LanesNow.Rate(5, random.nextInt(4), 9L))
                                            : Map.of(),
                                    random.nextInt(4) == 0 ? Set.of(Lane.values()[random.nextInt(3)]) : Set.of(),
                                    Map.of(
                                            Lane.YELLOW,
                                            random.nextInt(4) == 0
                                                    ? LanesNow.NEVER
                                                    : random.nextInt(5) * 1_000_000L + 1))),
                    snapshot.mix());
        }

        private void changePast() {
            Map<QueueId, QueueShares.Share> shares =
                    new HashMap<>(snapshot.queues().queues());
            shares.computeIfPresent(
                    queues.id(random.nextBoolean() ? "default" : "other"),
                    (id, old) -> new QueueShares.Share(
                            old.path(),
                            old.parent(),
                            old.rules(),
                            old.quotas(),
                            old.used(),
                            new PastShare(
                                    random.nextInt(4) * (PastShare.WHOLE / 4),
                                    random.nextInt(4) * (PastShare.WHOLE / 4),
                                    now)));
            snapshot = new Snapshot(
                    snapshot.revision() + 1,
                    snapshot.names(),
                    snapshot.fleet(),
                    new QueueShares(shares, snapshot.queues().lanes()),
                    snapshot.mix());
        }

        /** Some placements drop out, and some verdicts are lost. */
        void commit(Plan plan) {
            plan.retold().stream().filter(w -> random.nextInt(5) > 0).forEach(this::retell);
            List<Plan.Placement> committed = plan.placements().stream()
                    .filter(p -> random.nextInt(5) > 0)
                    .toList();
            List<Plan.Wait> written =
                    plan.waits().stream().filter(w -> random.nextInt(5) > 0).toList();
            take(plan, committed, written);
        }

        void commitAll(Plan plan) {
            plan.retold().forEach(this::retell);
            take(plan, plan.placements(), plan.waits());
        }

        private void retell(Plan.Wait wait) {
            put(jobs.get(wait.job()).told(wait.reason(), now));
        }

        private void take(Plan plan, List<Plan.Placement> committed, List<Plan.Wait> written) {
            Collection<WaitingJob> all = List.copyOf(jobs.values());
            snapshot = AppliedPlan.apply(snapshot, new Plan(plan.revision(), committed, List.of()), all);
            for (Plan.Placement placement : committed) {
                started.put(placement.job(), jobs.get(placement.job()));
                running.add(placement);
                remove(placement.job());
            }
            for (Plan.Wait wait : written) {
                WaitingJob job = jobs.get(wait.job());
                put(with(job, job.notBeforeMicros(), null).told(wait.reason(), now));
            }
        }

        private void put(WaitingJob job) {
            jobs.put(job.job(), job);
            book.put(job);
        }

        private void remove(JobId id) {
            jobs.remove(id);
            book.remove(id);
        }

        private static WaitingJob with(WaitingJob job, long notBefore, Reason verdict) {
            return new WaitingJob(
                    job.job(),
                    job.version() + 1,
                    job.queue(),
                    job.lane(),
                    job.priority(),
                    job.submittedAtMicros(),
                    notBefore,
                    job.mayRunSeconds(),
                    job.podSets(),
                    job.topology(),
                    verdict,
                    job.user(),
                    job.growth(),
                    job.fallback());
        }
    }

    /** Gives back what a placement holds. */
    private static final class Reversed {

        private Reversed() {}

        static Snapshot apply(Snapshot before, Plan.Placement ended, QueueId queue, Lane lane) {
            FleetArrays old = before.fleet();
            long[] cpu = old.cpuFreeMilli().clone();
            long[] memory = old.memoryFreeMib().clone();
            int[] pods = old.podsFree().clone();
            int[] free = old.deviceFreeMilli().clone();
            int[] units = old.deviceUnits().clone();
            int[] nics = old.nics().free().clone();
            Map<QueueId, QueueShares.Share> shares =
                    new HashMap<>(before.queues().queues());
            for (Plan.PodPlacement pod : ended.members()) {
                int n = (int) pod.node().value() - 1;
                cpu[n] += pod.cpuMilli();
                memory[n] += pod.memoryMib();
                pods[n]++;
                pod.nics().forEach(group -> nics[AppliedPlan.indexOf(old.nics().groupId(), group)]++);
                for (long device : pod.devices()) {
                    for (int d = 0; d < free.length; d++) {
                        free[d] += old.deviceId()[d] == device ? pod.milliPerDevice() : 0;
                        units[d] &= old.deviceId()[d] == device && pod.mig() != null
                                ? ~pod.mig().bits()
                                : -1;
                    }
                }
                long milli = (long) pod.devices().size() * pod.milliPerDevice();
                for (QueueId q = queue; q != null; q = shares.get(q).parent()) {
                    QueueShares.Share share = shares.get(q);
                    Map<QuotaKey, Use> used = new HashMap<>(share.used());
                    used.computeIfPresent(QuotaKey.gpus(pod.flavor()), (key, held) -> held.plus(lane, -milli));
                    used.computeIfPresent(
                            new QuotaKey(pod.flavor(), QuotaResource.CPU_MILLI),
                            (key, held) -> held.plus(lane, -pod.cpuMilli()));
                    used.computeIfPresent(
                            new QuotaKey(pod.flavor(), QuotaResource.MEMORY_MIB),
                            (key, held) -> held.plus(lane, -pod.memoryMib()));
                    shares.put(
                            q,
                            new QueueShares.Share(
                                    share.path(), share.parent(), share.rules(), share.quotas(), used, share.past()));
                }
            }
            FleetArrays fleet = old.withFree(old.open(), cpu, memory, pods, free, old.deviceWhole(), units, nics);
            return new Snapshot(
                    before.revision() + 1,
                    before.names(),
                    fleet,
                    new QueueShares(shares, before.queues().lanes()),
                    before.mix());
        }

        static Snapshot with(Snapshot before, FleetArrays old, boolean[] open) {
            FleetArrays fleet = old.withFree(
                    open,
                    old.cpuFreeMilli(),
                    old.memoryFreeMib(),
                    old.podsFree(),
                    old.deviceFreeMilli(),
                    old.deviceWhole(),
                    old.deviceUnits(),
                    old.nics().free());
            return new Snapshot(before.revision() + 1, before.names(), fleet, before.queues(), before.mix());
        }
    }
}
