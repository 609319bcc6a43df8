package dev.tutti.control.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Allocator;
import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.quota.HalfLife;
import dev.tutti.control.Actor;
import dev.tutti.control.Ledger;
import dev.tutti.control.OutcomeUnknown;
import dev.tutti.control.PlanId;
import dev.tutti.control.Receipt;
import dev.tutti.control.view.FleetMirror;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberFact;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.Reason;
import dev.tutti.testkit.Ports;
import dev.tutti.testkit.memory.MemoryStore;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SchedulingCycleTest {

    private final Bench bench = new Bench();

    @BeforeEach
    void listTheCluster() {
        bench.step();
    }

    private SchedulingCycle cycle(Ledger ledger) {
        return cycle(ledger, bench.allocator);
    }

    private SchedulingCycle cycle(Ledger ledger, Allocator allocator) {
        return new SchedulingCycle(
                bench.store.feed(),
                allocator,
                ledger,
                Bench.LEVELS,
                List.of(bench.sync),
                () -> bench.leaseHolds,
                () -> new PlanId(new UUID(9, ++bench.plans)),
                bench.alarms::add,
                bench.leader,
                new PastKeeper(bench.store.pasts(), HalfLife.OFF, bench.leader));
    }

    @Test
    void decidesOnlyWhenSomethingChanged() {
        bench.submit(1, 1, 60);
        bench.cycle.turn();
        bench.cycle.turn();
        int decisions = bench.allocator.decisions;
        int plans = bench.plans;
        for (int i = 0; i < 5; i++) {
            bench.cycle.turn();
        }
        assertThat(bench.allocator.decisions).isEqualTo(decisions);
        assertThat(bench.plans).isEqualTo(plans);
    }

    @Test
    void aJobThatBacksOffIsTriedWhenItsTimeComesAndNothingElseChanged() {
        JobId job = bench.submit(1, 1, 600);
        bench.step();
        JobRun run = bench.run(job);
        bench.keeper.observe(
                List.of(job),
                one -> List.of(
                        new MemberFact(bench.member(job, 0), MemberPhase.FAILED, null, EndCause.REJECTED_BY_NODE)));
        assertThat(bench.run(job).state()).isEqualTo(JobState.QUEUED);
        bench.cycle.turn();
        assertThat(bench.run(job).state()).isEqualTo(JobState.QUEUED);
        bench.pass(1);
        bench.cycle.turn();
        assertThat(bench.run(job).state()).isEqualTo(JobState.ALLOCATED);
        assertThat(bench.run(job).attempt()).isEqualTo(run.attempt() + 1);
    }

    @Test
    void aLostReplyIsAnsweredByTheReceipt() {
        Ledger real = bench.store.ledger();
        int[] commits = new int[1];
        Ledger losing = Ports.around(Ledger.class, real, (method, call) -> {
            Object answer = call.call();
            if (method.getName().equals("commit") && ++commits[0] == 1) {
                throw new OutcomeUnknown("commit", new IllegalStateException());
            }
            return answer;
        });
        SchedulingCycle cycle = cycle(losing);
        JobId job = bench.submit(1, 1, 60);
        assertThat(cycle.turn()).isZero();
        assertThat(bench.run(job).state()).isEqualTo(JobState.ALLOCATED);
        cycle.turn();
        cycle.turn();
        assertThat(commits[0]).isEqualTo(1);
        assertThat(bench.run(job).attempt()).isEqualTo(1);
    }

    @Test
    void aCommitThatNeverHappenedIsDecidedAgain() {
        int[] commits = new int[1];
        Ledger losing = Ports.around(Ledger.class, bench.store.ledger(), (method, call) -> {
            if (method.getName().equals("commit") && ++commits[0] == 1) {
                throw new OutcomeUnknown("commit", new IllegalStateException());
            }
            return call.call();
        });
        SchedulingCycle cycle = cycle(losing);
        JobId job = bench.submit(1, 1, 60);
        cycle.turn();
        assertThat(bench.run(job).state()).isEqualTo(JobState.QUEUED);
        assertThat(cycle.turn()).isEqualTo(1);
    }

    @Test
    void aJobTheDatabaseRefusesRestsAndRaisesAnAlarm() {
        bench.submit(1, 4, 600);
        bench.submit(1, 4, 600);
        bench.step();
        Plan wrong = new Decoy().decide(bench.store);
        Receipt receipt = bench.store.ledger().commit(new PlanId(new UUID(5, 5)), wrong, bench.leader);
        assertThat(receipt.refused()).hasSize(1);
        SchedulingCycle stubborn = new SchedulingCycle(
                bench.store.feed(),
                new Decoy(),
                bench.store.ledger(),
                Bench.LEVELS,
                List.of(bench.sync),
                () -> true,
                () -> new PlanId(new UUID(6, ++bench.plans)),
                bench.alarms::add,
                bench.leader,
                new PastKeeper(bench.store.pasts(), HalfLife.OFF, bench.leader));
        bench.submit(1, 1, 60);
        stubborn.turn();
        assertThat(bench.alarms).isNotEmpty();
        int alarms = bench.alarms.size();
        int plans = bench.plans;
        assertThat(plans).isPositive();
        bench.pass(31);
        stubborn.turn();
        assertThat(bench.alarms.size()).isGreaterThan(alarms);
    }

    @Test
    void withoutItsLeaseItDecidesNothing() {
        JobId job = bench.submit(1, 1, 60);
        bench.leaseHolds = false;
        assertThat(bench.cycle.turn()).isZero();
        assertThat(bench.run(job).state()).isEqualTo(JobState.QUEUED);
    }

    /** Gives every job the first device there is, free or not. */
    private final class Decoy implements Allocator {

        Plan decide(MemoryStore store) {
            bench.submit(1, 1, 60);
            FleetMirror mirror = new FleetMirror(Bench.LEVELS);
            mirror.take(store.feed().since(null));
            return decide(mirror.snapshot(), mirror.waiting(), mirror.nowMicros());
        }

        @Override
        public Plan decide(Snapshot snapshot, Collection<WaitingJob> waiting, long nowMicros) {
            List<Plan.Placement> placements = waiting.stream()
                    .map(job -> new Plan.Placement(
                            job.job(),
                            job.version(),
                            List.of(new Plan.PodPlacement(
                                    "worker",
                                    0,
                                    new NodeId(snapshot.fleet().nodeId()[0]),
                                    "h100",
                                    List.of(snapshot.fleet().deviceId()[0]),
                                    1000,
                                    0,
                                    0,
                                    null,
                                    List.of()))))
                    .toList();
            return new Plan(snapshot.revision(), placements, List.of());
        }
    }

    @Test
    void whatWasWrittenFollowsItsNumbersThoughNothingElseHappens() {
        SchedulingCycle cycle = cycle(bench.store.ledger(), new GangAllocator());
        JobId small = bench.submit(1, 2, 600);
        cycle.turn();
        JobId big = bench.submit(2, 4, 600);
        cycle.turn();
        assertThat(told(big).available()).isEqualTo(6_000);
        JobId other = bench.submit(1, 1, 600);
        cycle.turn();
        cycle.turn();
        assertThat(told(big).available()).isEqualTo(6_000);
        assertThat(bench.run(other).state()).isEqualTo(JobState.ALLOCATED);

        bench.pass(5);
        cycle.turn();

        assertThat(told(big).available()).isEqualTo(5_000);
        int plans = bench.plans;
        cycle.turn();
        bench.pass(20);
        cycle.turn();
        assertThat(bench.plans).as("nothing is said twice").isEqualTo(plans);
        assertThat(bench.run(small).state()).isEqualTo(JobState.ALLOCATED);
    }

    private Reason told(JobId job) {
        return Objects.requireNonNull(bench.store.feed().since(null).waiting().stream()
                .filter(one -> one.job().equals(job))
                .findFirst()
                .orElseThrow()
                .verdict());
    }

    @Test
    void theActorOfEveryCommitIsTheLeaderOfThisTerm() {
        Actor[] seen = new Actor[1];
        Ledger watching = Ports.around(Ledger.class, bench.store.ledger(), (method, call) -> {
            if (method.getName().equals("commit")) {
                seen[0] = (Actor) call.arguments()[2];
            }
            return call.call();
        });
        bench.submit(1, 1, 60);
        cycle(watching).turn();
        assertThat(seen[0]).isEqualTo(bench.leader);
    }
}
