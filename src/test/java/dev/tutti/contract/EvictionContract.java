package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Plan.Eviction;
import dev.tutti.allocator.Plan.Placement;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.BindOutbox.Settlement;
import dev.tutti.control.BindTask;
import dev.tutti.control.Ledger.Change;
import dev.tutti.control.PlanId;
import dev.tutti.control.Receipt;
import dev.tutti.model.JobId;
import dev.tutti.model.job.DisruptionBudget;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.Preemption;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberFact;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What every ledger does with the evictions of a plan: those for one job together, only for one that waits, once. */
public abstract class EvictionContract extends StoreContract {

    @Test
    final void aVictimStopsForItsBeneficiaryAndHoldsOnUntilItIsGone() {
        nodes(1);
        JobId victim = running("victim", 0, 1);
        long age = running(victim).submittedAtMicros();
        JobId urgent = submit(job("urgent", 1, 8));

        Receipt receipt = evict(eviction(victim, urgent, EndCause.RECLAIMED));

        assertThat(receipt.evicted()).containsExactly(victim);
        assertThat(receipt.stale()).isEmpty();
        assertThat(run(victim).state()).isEqualTo(JobState.STOPPING);
        assertThat(run(victim).stopping()).isEqualTo(EndCause.RECLAIMED);
        assertThat(running(victim).leaving()).isTrue();
        assertThat(running(victim).beneficiaries()).containsExactly(urgent);
        assertThat(running(victim).members()).hasSize(1);
        assertThat(heldMilli("n0")).isEqualTo(2_000);
        assertThat(store.outbox().claim(cluster, 10, Duration.ofSeconds(10), leader))
                .singleElement()
                .matches(task -> task.wish() == BindTask.Wish.DELETE);

        JobRun back = see(victim, MemberPhase.FAILED, EndCause.EXIT_CODE);

        assertThat(back.state()).isEqualTo(JobState.QUEUED);
        assertThat(back.failures()).isZero();
        WaitingJob waits = waiting(victim);
        assertThat(waits.submittedAtMicros()).as("its place").isEqualTo(age);
        assertThat(waits.notBeforeMicros()).as("no back-off").isZero();
        assertThat(waits.verdict()).extracting(Reason::code).isEqualTo(ReasonCode.NOT_YET_EVALUATED);
        assertNothingHeld();
    }

    @Test
    final void anotherEvictionCostsTheVictimNoMoreThanTheFirst() {
        nodes(1);
        JobId victim = submit(job("victim", 1, 2));
        for (int i = 0; i < 4; i++) {
            commit(place(victim, "n0", 0, 1));
            see(victim, MemberPhase.RUNNING, null);
            evict(eviction(victim, submit(job("urgent", 1, 8)), EndCause.PREEMPTED));
            see(victim, MemberPhase.GONE, EndCause.PREEMPTED);
            assertThat(waiting(victim).notBeforeMicros()).isZero();
        }
        assertThat(run(victim).attempt()).isEqualTo(4);
        assertThat(run(victim).failures()).isZero();
    }

    @Test
    final void whatIsReclaimedAgainSoonIsLeftAloneForLongerEachTime() {
        nodes(1);
        JobId victim = submit(job("victim", 1, 2));
        for (long seconds : new long[] {0, 30, 60, 120}) {
            commit(place(victim, "n0", 0, 1));
            see(victim, MemberPhase.RUNNING, null);
            long before = everything().nowMicros();
            evict(eviction(victim, submit(job("urgent", 1, 8)), EndCause.RECLAIMED));
            see(victim, MemberPhase.GONE, EndCause.RECLAIMED);
            WaitingJob waits = waiting(victim);
            if (seconds == 0) {
                assertThat(waits.notBeforeMicros()).isZero();
            } else {
                assertThat(waits.notBeforeMicros())
                        .isBetween(before + seconds * 1_000_000, everything().nowMicros() + seconds * 1_000_000);
                assertThat(waits.verdict()).extracting(Reason::code).isEqualTo(ReasonCode.BACKING_OFF);
            }
        }
        assertThat(run(victim).failures()).isZero();
    }

    @Test
    final void aJobWhoseDisruptionBudgetIsUsedUpIsNoVictimForTheRestOfTheTime() {
        nodes(1);
        JobId victim = submit(onTerms("victim", new Preemption(true, 40, new DisruptionBudget(2, 3_600))));
        long firstEnd = 0;
        for (int i = 0; i < 2; i++) {
            commit(place(victim, "n0", 0, 1));
            see(victim, MemberPhase.RUNNING, null);
            assertThat(running(victim).protectedUntilMicros()).isZero();
            evict(eviction(victim, submit(job("urgent", 1, 8)), EndCause.RECLAIMED));
            see(victim, MemberPhase.GONE, EndCause.RECLAIMED);
            firstEnd = i == 0 ? everything().nowMicros() : firstEnd;
        }
        commit(place(victim, "n0", 0, 1));

        assertThat(running(victim).protectedUntilMicros())
                .isBetween(running(victim).submittedAtMicros() + 3_600_000_000L, firstEnd + 3_600_000_000L);
        assertThat(running(victim).checkpointMicros()).isEqualTo(40_000_000);
    }

    @Test
    final void endsOfAnotherKindUseUpNoBudget() {
        nodes(1);
        JobId unlucky = submit(onTerms("unlucky", new Preemption(true, null, new DisruptionBudget(1, 3_600))));
        commit(place(unlucky, "n0", 0, 1));
        see(unlucky, MemberPhase.GONE, EndCause.NODE_LOST);
        assertThat(run(unlucky).state()).isEqualTo(JobState.QUEUED);
        commit(place(unlucky, "n0", 0, 1));

        assertThat(running(unlucky).protectedUntilMicros()).isZero();
    }

    @Test
    final void aJobThatMayNotBePreemptedIsNeverAVictim() {
        nodes(1);
        JobSpec green = onTerms("green", Preemption.ALWAYS).with(Lane.GREEN, 0, TimeLimits.NONE, Map.of());
        JobId safe = submit(StoreContract.with(green, new Preemption(false, null, null)));
        commit(place(safe, "n0", 0, 1));

        assertThat(running(safe).protectedUntilMicros()).isEqualTo(Long.MAX_VALUE);
    }

    private static JobSpec onTerms(String name, Preemption terms) {
        return StoreContract.with(job(name, 1, 2), terms);
    }

    @Test
    final void ofVictimsForOneJobAllStopOrNone() {
        nodes(1);
        JobId first = running("first", 0, 1);
        JobId moved = running("moved", 2, 3);
        JobId other = running("other", 4, 5);
        JobId urgent = submit(job("urgent", 1, 4));
        JobId modest = submit(job("modest", 1, 2));
        Eviction[] plan = {
            eviction(first, urgent, EndCause.PREEMPTED),
            eviction(moved, urgent, EndCause.PREEMPTED),
            eviction(other, modest, EndCause.PREEMPTED)
        };
        seeFirst(moved, MemberPhase.SUCCEEDED, EndCause.COMPLETED);

        Receipt receipt = evict(plan);

        assertThat(receipt.evicted()).containsExactly(other);
        assertThat(receipt.stale()).containsExactly(moved);
        assertThat(run(first).state()).isEqualTo(JobState.RUNNING);
        assertThat(run(other).state()).isEqualTo(JobState.STOPPING);
    }

    @Test
    final void twoVictimsForOneJobStopTogether() {
        nodes(1);
        JobId first = running("first", 0, 1);
        JobId second = running("second", 2, 3);
        JobId urgent = submit(job("urgent", 1, 8));

        Receipt receipt =
                evict(eviction(first, urgent, EndCause.PREEMPTED), eviction(second, urgent, EndCause.PREEMPTED));

        assertThat(receipt.evicted()).containsExactlyInAnyOrder(first, second);
        assertThat(running(first).beneficiaries()).containsExactly(urgent);
        assertThat(running(second).beneficiaries()).containsExactly(urgent);
    }

    @Test
    final void nobodyStopsForAJobThatIsNoLongerWaiting() {
        nodes(2);
        JobId victim = running("victim", 0, 1);
        JobId cancelled = submit(job("cancelled", 1, 8));
        store.jobs().stop(cancelled, EndCause.CANCELLED_BY_USER, null, ANNA);
        JobId suspended = submit(job("suspended", 1, 8));
        store.jobs().suspend(suspended, null, ANNA);
        JobId placed = submit(job("placed", 1, 8));
        commit(place(placed, "n1", 0, 1, 2, 3, 4, 5, 6, 7));
        JobId unknown = new JobId(UUID.randomUUID());

        for (JobId beneficiary : List.of(cancelled, suspended, placed, unknown)) {
            Receipt receipt = evict(eviction(victim, beneficiary, EndCause.PREEMPTED));
            assertThat(receipt.evicted()).isEmpty();
            assertThat(receipt.stale()).containsExactly(beneficiary);
            assertThat(run(victim).state()).isEqualTo(JobState.RUNNING);
        }
    }

    @Test
    final void whoStopsAlreadyOrWaitsIsNoVictim() {
        nodes(1);
        JobId victim = running("victim", 0, 1);
        JobId urgent = submit(job("urgent", 1, 8));
        stop(victim, EndCause.CANCELLED_BY_USER);

        assertThat(evict(eviction(victim, urgent, EndCause.PREEMPTED)).stale()).containsExactly(victim);
        assertThat(run(victim).stopping()).isEqualTo(EndCause.CANCELLED_BY_USER);

        JobId waits = submit(job("waits", 1, 1));
        Eviction ofWaiting = new Eviction(waits, 0, List.of(), urgent, EndCause.PREEMPTED);
        assertThat(evict(ofWaiting).stale()).containsExactly(waits);
        assertThat(run(waits).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    final void aPlanThatIsSentTwiceEvictsOnce() {
        nodes(1);
        JobId victim = running("victim", 0, 1);
        Eviction eviction = eviction(victim, submit(job("urgent", 1, 8)), EndCause.PREEMPTED);
        PlanId id = new PlanId(UUID.randomUUID());
        Plan plan = new Plan(1, List.of(), List.of(), List.of(eviction));

        Receipt first = store.ledger().commit(id, plan, leader);
        long version = run(victim).version();

        assertThat(store.ledger().commit(id, plan, leader)).isEqualTo(first);
        assertThat(store.ledger().receipt(id)).contains(first);
        assertThat(first.evicted()).containsExactly(victim);
        assertThat(run(victim).version()).isEqualTo(version);
    }

    @Test
    final void aVictimGivesUpSomeMembersDownToItsMinimumAndRunsOn() {
        nodes(1);
        JobId gang = submit(JobBookContract.elastic("gang", 3, 1, 3));
        commit(place(gang, 0, List.of(pod(gang, 0, "n0", 0), pod(gang, 1, "n0", 1), pod(gang, 2, "n0", 2))));
        see(gang, MemberPhase.RUNNING, null);
        JobId urgent = submit(job("urgent", 1, 7));
        long version = run(gang).version();

        Receipt tooMany = evict(new Eviction(gang, version, List.of(0, 1, 2), urgent, EndCause.PREEMPTED));
        Receipt two = evict(new Eviction(gang, version, List.of(1, 2), urgent, EndCause.PREEMPTED));

        assertThat(tooMany.evicted()).isEmpty();
        assertThat(tooMany.stale()).containsExactly(gang);
        assertThat(two.evicted()).containsExactly(gang);
        assertThat(run(gang).state()).isEqualTo(JobState.RUNNING);
        assertThat(running(gang).leavingRanks()).containsExactlyInAnyOrder(1, 2);
        assertThat(running(gang).leaving()).isFalse();
        assertThat(running(gang).beneficiaries()).containsExactly(urgent);
        assertThat(running(gang).askedFor()).containsExactly(urgent);

        leave(gang, 1, 2);

        assertThat(running(gang).leavingRanks()).isEmpty();
        assertThat(running(gang).beneficiaries()).isEmpty();
        assertThat(running(gang).askedFor())
                .as("nobody is asked twice for one that waits")
                .containsExactly(urgent);

        commit(place(urgent, "n0", 1, 2, 3, 4, 5, 6, 7));
        assertThat(running(gang).askedFor()).as("it has what it waited for").isEmpty();
    }

    @Test
    final void aVictimThatRunsAgainIsKnownToHaveMadeWayForAJobThatWaitsStill() {
        nodes(1);
        JobId victim = running("victim", 0, 1);
        JobId urgent = submit(job("urgent", 1, 8));
        evict(eviction(victim, urgent, EndCause.PREEMPTED));
        assertThat(running(victim).askedFor()).containsExactly(urgent);
        see(victim, MemberPhase.GONE, EndCause.PREEMPTED);

        commit(place(victim, "n0", 0, 1));

        assertThat(running(victim).beneficiaries()).isEmpty();
        assertThat(running(victim).askedFor()).containsExactly(urgent);
        store.advance(Duration.ofSeconds(1));
        store.jobs().suspend(urgent, null, ANNA);
        store.jobs().resume(urgent, null, ANNA);
        assertThat(running(victim).askedFor()).as("it waits anew").isEmpty();
    }

    @Test
    final void placementsAndEvictionsOfOnePlanBothStand() {
        nodes(1);
        JobId victim = running("victim", 0, 1);
        JobId urgent = submit(job("urgent", 1, 8));
        JobId small = submit(job("small", 1, 1));
        JobId refused = submit(job("refused", 1, 1));
        List<Placement> placements = List.of(place(small, "n0", 2), place(refused, "n0", 0));
        Plan plan = new Plan(1, placements, List.of(), List.of(eviction(victim, urgent, EndCause.PREEMPTED)));

        Receipt receipt = store.ledger().commit(new PlanId(UUID.randomUUID()), plan, leader);

        assertThat(receipt.committed()).containsExactly(small);
        assertThat(receipt.refused()).containsOnlyKeys(refused);
        assertThat(receipt.evicted()).as("whatever else is refused").containsExactly(victim);
        assertThat(run(victim).state()).isEqualTo(JobState.STOPPING);
    }

    @Test
    final void aVictimThatItsUserCancelsStopsForNobody() {
        nodes(1);
        JobId victim = running("victim", 0, 1);
        evict(eviction(victim, submit(job("urgent", 1, 8)), EndCause.PREEMPTED));

        store.jobs().stop(victim, EndCause.CANCELLED_BY_USER, null, ANNA);

        assertThat(running(victim).leaving()).isTrue();
        assertThat(running(victim).beneficiaries()).isEmpty();
        assertThat(see(victim, MemberPhase.GONE, EndCause.PREEMPTED).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    final void aVictimThatItsUserSuspendsIsSuspendedWhenItHasStopped() {
        nodes(1);
        JobId victim = running("victim", 0, 1);
        evict(eviction(victim, submit(job("urgent", 1, 8)), EndCause.PREEMPTED));

        store.jobs().suspend(victim, null, ANNA);

        assertThat(running(victim).beneficiaries()).hasSize(1);
        assertThat(see(victim, MemberPhase.GONE, EndCause.PREEMPTED).state()).isEqualTo(JobState.SUSPENDED);
    }

    /** A job of one pod that runs on these devices of n0. */
    private JobId running(String name, int... devices) {
        JobId job = submit(job(name, 1, devices.length));
        commit(place(job, "n0", devices));
        see(job, MemberPhase.RUNNING, null);
        store.outbox()
                .claim(cluster, 10, Duration.ofSeconds(10), leader)
                .forEach(task -> store.outbox()
                        .settle(
                                List.of(new Settlement(
                                        task.allocation(), task.generation(), true, false, Duration.ZERO)),
                                leader));
        return job;
    }

    /** Members that were asked to leave are gone. */
    private void leave(JobId job, Integer... ranks) {
        JobRun before = run(job);
        List<MemberFact> gone = before.members().stream()
                .filter(member -> List.of(ranks).contains(member.rank()))
                .map(member -> new MemberFact(member.id(), MemberPhase.GONE, null, EndCause.PREEMPTED))
                .toList();
        store.ledger().apply(List.of(new Change(before, JobLife.observe(before, gone))), leader);
    }

    private RunningJob running(JobId job) {
        return everything().running().stream()
                .filter(one -> one.job().equals(job))
                .findFirst()
                .orElseThrow(() -> new AssertionError(job + " holds nothing"));
    }

    private Eviction eviction(JobId victim, JobId beneficiary, EndCause cause) {
        return new Eviction(victim, run(victim).version(), List.of(), beneficiary, cause);
    }

    private Receipt evict(Eviction... evictions) {
        Plan plan = new Plan(1, List.of(), List.of(), List.of(evictions));
        return store.ledger().commit(new PlanId(UUID.randomUUID()), plan, leader);
    }
}
