package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Plan.Placement;
import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.allocator.Plan.Wait;
import dev.tutti.control.ChangeFeed.DeviceRow;
import dev.tutti.control.Deposed;
import dev.tutti.control.Ledger.Change;
import dev.tutti.control.PlanId;
import dev.tutti.control.Receipt;
import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberFact;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What every ledger does: a plan made true whole or not at all, and state changes with what follows from them. */
public abstract class LedgerContract extends StoreContract {

    @Test
    final void aGangCommitsWholeAndHoldsWhatItWasGiven() {
        nodes(2);
        JobId job = submit(job("gang", 2, 8));
        Placement gang = place(
                job, 0, List.of(pod(job, 0, "n0", 0, 1, 2, 3, 4, 5, 6, 7), pod(job, 1, "n1", 0, 1, 2, 3, 4, 5, 6, 7)));

        Receipt receipt = commit(gang);

        assertThat(receipt.committed()).containsExactly(job);
        JobRun run = run(job);
        assertThat(run.state()).isEqualTo(JobState.ALLOCATED);
        assertThat(run.attempt()).isEqualTo(1);
        assertThat(run.version()).isEqualTo(1);
        assertThat(run.members()).extracting(Member::rank).containsExactly(0, 1);
        assertThat(run.members())
                .extracting(Member::node)
                .containsExactly(node("n0").id(), node("n1").id());
        assertThat(run.members()).allMatch(m -> m.phase() == MemberPhase.COMMITTED && m.podUid() == null);
        assertThat(devices("n0")).allMatch(device -> device.heldMilli() == 1_000);
        assertThat(node("n1").heldCpuMilli()).isEqualTo(1_000);
        assertThat(node("n1").heldMemoryMib()).isEqualTo(1_024);
        assertThat(node("n1").heldPods()).isEqualTo(1);
        assertThat(waits(job)).isFalse();
    }

    @Test
    final void aPlanIsCommittedOnceHoweverOftenItIsSent() {
        nodes(1);
        JobId job = submit(job("once", 1, 1));
        Placement placement = place(job, "n0", 0);
        PlanId id = new PlanId(UUID.randomUUID());
        assertThat(store.ledger().receipt(id)).isEmpty();

        Receipt first = commit(id, placement);

        assertThat(commit(id, placement)).isEqualTo(first);
        assertThat(store.ledger().receipt(id)).contains(first);
        assertThat(heldMilli("n0")).isEqualTo(1_000);
        assertThat(run(job).attempt()).isEqualTo(1);
    }

    @Test
    final void aJobThatMovedOnDropsOutAndTheRestStands() {
        nodes(1);
        JobId cancelled = submit(job("cancelled", 1, 1));
        JobId other = submit(job("other", 1, 1));
        Placement late = place(cancelled, "n0", 0);
        store.jobs().stop(cancelled, EndCause.CANCELLED_BY_USER, null, ANNA);

        Receipt receipt = commit(late, place(other, "n0", 1));

        assertThat(receipt.stale()).containsExactly(cancelled);
        assertThat(receipt.committed()).containsExactly(other);
        assertThat(heldMilli("n0")).isEqualTo(1_000);
    }

    @Test
    final void aPlacementOnANodeThatMovedOnIsStale() {
        nodes(4);
        JobId onGone = submit(job("on-gone", 1, 1));
        JobId onNotReady = submit(job("on-not-ready", 1, 1));
        JobId onCordoned = submit(job("on-cordoned", 1, 1));
        JobId onSick = submit(job("on-sick", 1, 8));
        Placement[] plan = {
            place(onGone, "n0", 0),
            place(onNotReady, "n1", 0),
            place(onCordoned, "n2", 0),
            place(onSick, "n3", 0, 1, 2, 3, 4, 5, 6, 7)
        };
        observe(
                gone("n0"),
                sighting("n1", "uid-n1", "boot-1", false, true, 8),
                sighting("n2", "uid-n2", "boot-1", true, false, 8),
                sighting("n3", "uid-n3", "boot-1", true, true, 7));

        Receipt receipt = commit(plan);

        assertThat(receipt.stale()).containsExactlyInAnyOrder(onGone, onNotReady, onCordoned, onSick);
        assertThat(waits(onGone)).isTrue();
    }

    @Test
    final void theOneThatTheStoreRefusesBacksOffAloneAndTheRestStands() {
        nodes(1);
        JobId first = submit(job("first", 1, 1));
        JobId twice = submit(job("twice", 1, 1));
        JobId third = submit(job("third", 1, 1));

        Receipt receipt = commit(place(first, "n0", 0), place(twice, "n0", 0), place(third, "n0", 1));

        assertThat(receipt.committed()).containsExactlyInAnyOrder(first, third);
        assertThat(receipt.refused()).containsOnlyKeys(twice);
        assertThat(receipt.refused().get(twice)).isNotBlank();
        assertThat(heldMilli("n0")).isEqualTo(2_000);
        assertThat(waiting(twice).verdict()).extracting(Reason::code).isEqualTo(ReasonCode.BACKING_OFF);
        assertThat(waiting(twice).notBeforeMicros()).isGreaterThan(everything().nowMicros());
    }

    @Test
    final void anOverfullNodeIsRefused() {
        nodes(1);
        JobId big = submit(job("big", 1, 0));
        Plan.PodPlacement pod = new Plan.PodPlacement("worker", 0, node("n0").id(), "h100", List.of(), 0, 64_001, 1);

        assertThat(commit(place(big, 0, List.of(pod))).refused()).containsOnlyKeys(big);
        assertThat(node("n0").heldCpuMilli()).isZero();
    }

    @Test
    final void aVerdictIsWrittenOnlyWhenItsCodeChanges() {
        JobId job = submit(job("waits", 1, 1));
        assertThat(waiting(job).verdict()).extracting(Reason::code).isEqualTo(ReasonCode.NOT_YET_EVALUATED);
        Reason full = new Reason(ReasonCode.WAITING_FOR_CAPACITY, "gpuMilli", 1_000, 0, "No GPU is free.");
        Reason fuller = new Reason(ReasonCode.WAITING_FOR_CAPACITY, "gpuMilli", 1_000, 500, "No whole GPU is free.");

        waitFor(new Wait(job, 0, full));
        waitFor(new Wait(job, 1, fuller));

        assertThat(waiting(job).verdict()).isEqualTo(full);
        assertThat(waiting(job).version()).isEqualTo(1);
    }

    @Test
    final void aVerdictOnAJobThatMovedOnIsDropped() {
        JobId job = submit(job("waits", 1, 1));
        waitFor(new Wait(job, 7, new Reason(ReasonCode.TOPOLOGY, null, 0, 0, "Nowhere.")));
        assertThat(waiting(job).verdict()).extracting(Reason::code).isEqualTo(ReasonCode.NOT_YET_EVALUATED);
    }

    @Test
    final void aDeposedLeaderWritesNothing() {
        nodes(1);
        JobId job = submit(job("job", 1, 1));
        Placement placement = place(job, "n0", 0);
        store.advance(store.lease().multipliedBy(2));
        store.leadership().lead("second").orElseThrow();

        assertThatThrownBy(() -> commit(placement)).isInstanceOf(Deposed.class);
        JobRun before = run(job);
        JobRun after = JobLife.stop(before, EndCause.CANCELLED_BY_USER);
        assertThatThrownBy(() -> store.ledger().apply(List.of(new Change(before, after)), leader))
                .isInstanceOf(Deposed.class);
        assertThat(run(job)).isEqualTo(before);
        assertThat(heldMilli("n0")).isZero();
    }

    @Test
    final void membersThatEndWellFreeWhatTheyHeldAndTheJobSucceeds() {
        JobId job = allocated();

        assertThat(see(job, MemberPhase.BOUND, null).state()).isEqualTo(JobState.ALLOCATED);
        assertThat(see(job, MemberPhase.RUNNING, null).state()).isEqualTo(JobState.RUNNING);
        assertThat(run(job).members().get(0).podUid())
                .isEqualTo("pod-" + run(job).members().get(0).id());
        assertThat(heldMilli("n0")).isEqualTo(2_000);
        JobRun end = see(job, MemberPhase.SUCCEEDED, null);

        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(end.stopping()).isEqualTo(EndCause.COMPLETED);
        assertThat(end.members()).isEmpty();
        assertNothingHeld();
    }

    @Test
    final void aWholeLifeSeenInOneLookIsWrittenAsOne() {
        JobId job = allocated();
        assertThat(see(job, MemberPhase.SUCCEEDED, null).state()).isEqualTo(JobState.SUCCEEDED);
        assertNothingHeld();
    }

    @Test
    final void aStoppingJobKeepsWhatItHoldsUntilTheEndIsConfirmed() {
        JobId job = allocated();
        see(job, MemberPhase.RUNNING, null);

        JobRun stopping = stop(job, EndCause.CANCELLED_BY_USER);
        assertThat(stopping.state()).isEqualTo(JobState.STOPPING);
        assertThat(stopping.stopping()).isEqualTo(EndCause.CANCELLED_BY_USER);
        assertThat(stopping.members()).hasSize(2);
        assertThat(heldMilli("n0")).isEqualTo(2_000);

        assertThat(see(job, MemberPhase.GONE, EndCause.CANCELLED_BY_USER).state())
                .isEqualTo(JobState.CANCELLED);
        assertNothingHeld();
    }

    @Test
    final void oneMemberAfterTheOtherIsFreed() {
        JobId job = allocated();
        stop(job, EndCause.CANCELLED_BY_USER);
        JobRun before = run(job);
        AllocationId first = before.members().get(0).id();
        JobRun after = JobLife.observe(before, List.of(new MemberFact(first, MemberPhase.GONE, null, null)));

        assertThat(store.ledger().apply(List.of(new Change(before, after)), leader))
                .containsExactly(job);

        assertThat(heldMilli("n0")).isEqualTo(1_000);
        assertThat(run(job).state()).isEqualTo(JobState.STOPPING);
    }

    @Test
    final void aPreemptedJobIsTriedAgainAtOnceTheFirstTime() {
        JobId job = allocated();
        stop(job, EndCause.PREEMPTED);
        JobRun back = see(job, MemberPhase.GONE, EndCause.PREEMPTED);

        assertThat(back.state()).isEqualTo(JobState.QUEUED);
        assertThat(back.stopping()).isNull();
        assertThat(back.members()).isEmpty();
        assertThat(back.attempt()).isEqualTo(1);
        assertThat(waiting(job).notBeforeMicros()).isZero();
        assertThat(waiting(job).verdict()).extracting(Reason::code).isEqualTo(ReasonCode.NOT_YET_EVALUATED);
        assertNothingHeld();

        commit(two(job));
        assertThat(run(job).attempt()).isEqualTo(2);
    }

    @Test
    final void aJobThatFailsBacksOffLongerEachTimeAndFailsInTheEnd() {
        JobId job = allocated();
        long first = failAndMeasureDelay(job);
        commit(two(job));
        long second = failAndMeasureDelay(job);
        commit(two(job));

        assertThat(first).isPositive();
        assertThat(second).isGreaterThan(first);
        assertThat(waitsOrEnds(job)).isEqualTo(JobState.FAILED);
        assertThat(run(job).failures()).isEqualTo(3);
        assertThat(run(job).stopping()).isEqualTo(EndCause.EXIT_CODE);
        assertNothingHeld();
    }

    @Test
    final void aChangeOfAnOlderVersionIsNotWritten() {
        JobId job = allocated();
        JobRun old = run(job);
        see(job, MemberPhase.RUNNING, null);
        JobRun after = JobLife.stop(old, EndCause.PREEMPTED);

        assertThat(store.ledger().apply(List.of(new Change(old, after)), leader))
                .isEmpty();
        assertThat(run(job).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    final void runsAreFoundByTheirMembers() {
        JobId job = allocated();
        AllocationId member = run(job).members().get(1).id();

        assertThat(store.ledger().runsOf(List.of(member, new AllocationId(999_999))))
                .containsExactly(run(job));
        assertThat(store.ledger().runs(List.of(new JobId(UUID.randomUUID())))).isEmpty();
        see(job, MemberPhase.SUCCEEDED, null);
        assertThat(store.ledger().runsOf(List.of(member))).isEmpty();
    }

    @Test
    final void instancesLieSideBySideOnOneDevice() {
        nodes(1);
        JobId gang = submit(mig("gang", 2, "3g.40gb"));
        JobId small = submit(mig("small", 1, "1g.10gb"));

        Receipt receipt = commit(
                place(gang, 0, List.of(instance(gang, 0, "n0", 0, 4), instance(gang, 1, "n0", 1, 0))),
                cut(small, "n0", 0, 3));

        assertThat(receipt.committed()).containsExactlyInAnyOrder(gang, small);
        assertThat(devices("n0").subList(0, 3)).extracting(DeviceRow::heldUnits).containsExactly(0xF8, 0x0F, 0);
        assertThat(devices("n0").subList(0, 3)).extracting(DeviceRow::heldMilli).containsExactly(625, 500, 0);
        assertThat(devices("n0")).allMatch(device -> "h100-80gb".equals(device.migLayout()));
        see(gang, MemberPhase.SUCCEEDED, null);
        assertThat(devices("n0").get(0).heldUnits()).isEqualTo(1 << 3);
        see(small, MemberPhase.SUCCEEDED, null);
        assertNothingHeld();
        assertThat(devices("n0")).allMatch(device -> device.heldUnits() == 0);
        JobId whole = submit(job("whole", 1, 8));
        assertThat(commit(place(whole, "n0", 0, 1, 2, 3, 4, 5, 6, 7)).committed())
                .as("one whole GPU again")
                .containsExactly(whole);
    }

    @Test
    final void nicsAreGivenAndComeBack() {
        nodes(1);
        JobId first = submit(job("first", 1, 1));
        JobId second = submit(job("second", 1, 1));
        JobId over = submit(job("over", 1, 1));

        Receipt receipt = commit(place(first, "n0", 0, List.of(0, 0)), place(second, "n0", 2, List.of(1, 3)));

        assertThat(receipt.committed()).containsExactlyInAnyOrder(first, second);
        assertThat(heldNics("n0")).containsExactly(2, 1, 0, 1);
        assertThat(commit(place(over, "n0", 4, List.of(2, 0))).refused())
                .as("one of a group of which none is left")
                .containsOnlyKeys(over);
        assertThat(heldNics("n0")).containsExactly(2, 1, 0, 1);
        see(first, MemberPhase.SUCCEEDED, null);
        assertThat(heldNics("n0")).containsExactly(0, 1, 0, 1);
        see(second, MemberPhase.SUCCEEDED, null);
        assertThat(heldNics("n0")).containsExactly(0, 0, 0, 0);
    }

    @Test
    final void nicsOfAnotherNodeAreRefusedAsStale() {
        nodes(2);
        JobId job = submit(job("job", 1, 1));
        Placement here = place(job, "n0", 0, List.of(0));
        Placement there = place(job, "n1", 0, List.of(0));
        PodPlacement pod = here.members().get(0);
        PodPlacement mixed = new PodPlacement(
                pod.podSet(),
                0,
                pod.node(),
                pod.flavor(),
                pod.devices(),
                pod.milliPerDevice(),
                pod.cpuMilli(),
                pod.memoryMib(),
                null,
                there.members().get(0).nics());

        Receipt receipt = commit(place(job, here.jobVersion(), List.of(mixed)));

        assertThat(receipt.committed()).isEmpty();
        assertNothingHeld();
        assertThat(heldNics("n1")).containsExactly(0, 0, 0, 0);
    }

    @Test
    final void aUnitIsNotGivenTwice() {
        nodes(1);
        JobId first = submit(mig("first", 1, "2g.20gb"));
        JobId over = submit(mig("over", 1, "1g.10gb"));
        JobId inOneGang = submit(mig("gang", 2, "1g.20gb"));
        commit(cut(first, "n0", 0, 2));

        Receipt receipt = commit(
                cut(over, "n0", 0, 3),
                place(inOneGang, 0, List.of(instance(inOneGang, 0, "n0", 0, 6), instance(inOneGang, 1, "n0", 0, 6))));

        assertThat(receipt.refused()).containsOnlyKeys(over, inOneGang);
        assertThat(devices("n0").get(0).heldUnits()).isEqualTo(0b1100);
    }

    @Test
    final void aDeviceIsInOneMode() {
        nodes(1);
        JobId share = submit(job("share", 1, 100));
        JobId whole = submit(job("whole", 1, 1));
        JobId cut = submit(mig("cut", 1, "1g.10gb"));
        JobId late = submit(job("late", 1, 100));
        JobId besideShare = submit(mig("beside-share", 1, "1g.10gb"));
        JobId besideWhole = submit(mig("beside-whole", 1, "1g.10gb"));
        commit(place(share, "n0", 0), place(whole, "n0", 1), cut(cut, "n0", 2, 6));

        Receipt receipt = commit(cut(besideShare, "n0", 0, 0), cut(besideWhole, "n0", 1, 0), place(late, "n0", 2));

        assertThat(receipt.refused()).containsOnlyKeys(besideShare, besideWhole, late);
    }

    @Test
    final void anInstanceOnADeviceThatMayNoLongerBeCutIsStale() {
        nodes(1);
        JobId job = submit(mig("late", 1, "1g.10gb"));
        Placement placement = cut(job, "n0", 0, 0);
        NodeSighting node = sighting("n0");
        observe(new NodeSighting(
                node.name(),
                node.uid(),
                node.bootId(),
                true,
                true,
                false,
                node.flavor(),
                node.gpuModel(),
                node.gpuMemoryMib(),
                node.cpuMilli(),
                node.memoryMib(),
                node.podSlots(),
                node.nics(),
                node.labels(),
                node.taints(),
                node.devices().stream()
                        .map(one -> new NodeSighting.Device(one.index(), one.uuid(), one.island(), true))
                        .toList(),
                List.of()));

        assertThat(commit(placement).stale()).containsExactly(job);
        assertThat(devices("n0")).allMatch(device -> device.migLayout() == null);
    }

    /** A job of two members with one GPU each, on n0. */
    private JobId allocated() {
        nodes(1);
        JobId job = submit(job("two", 2, 1));
        assertThat(commit(two(job)).committed()).isEqualTo(Set.of(job));
        return job;
    }

    private Placement two(JobId job) {
        return place(job, waiting(job).version(), List.of(pod(job, 0, "n0", 0), pod(job, 1, "n0", 1)));
    }

    private long failAndMeasureDelay(JobId job) {
        assertThat(waitsOrEnds(job)).isEqualTo(JobState.QUEUED);
        return waiting(job).notBeforeMicros() - everything().nowMicros();
    }

    private JobState waitsOrEnds(JobId job) {
        return see(job, MemberPhase.FAILED, EndCause.EXIT_CODE).state();
    }

    private void assertNothingHeld() {
        assertThat(heldMilli("n0")).isZero();
        assertThat(node("n0").heldPods()).isZero();
        assertThat(node("n0").heldCpuMilli()).isZero();
        assertThat(node("n0").heldMemoryMib()).isZero();
        assertThat(everything().queues().values())
                .allMatch(share -> share.used().values().stream().allMatch(use -> use.total() == 0));
    }
}
