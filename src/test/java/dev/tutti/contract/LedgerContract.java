package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Plan.Placement;
import dev.tutti.allocator.Plan.Wait;
import dev.tutti.control.Deposed;
import dev.tutti.control.Ledger.Change;
import dev.tutti.control.PlanId;
import dev.tutti.control.Receipt;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What every ledger does with a plan: made true whole or not at all, once, and by the leader alone. */
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
        Plan.PodPlacement pod =
                new Plan.PodPlacement("worker", 0, node("n0").id(), "h100", List.of(), 0, 64_001, 1, null, List.of());

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
    final void newNumbersOfAVerdictAreWrittenWithoutANewVersion() {
        JobId job = submit(job("waits", 1, 1));
        Reason full = new Reason(ReasonCode.WAITING_FOR_CAPACITY, "gpuMilli", 1_000, 0, "No GPU is free.");
        Reason fuller = new Reason(ReasonCode.WAITING_FOR_CAPACITY, "gpuMilli", 1_000, 500, "No whole GPU is free.");
        waitFor(new Wait(job, 0, full));
        long told = waiting(job).toldMicros();
        store.advance(Duration.ofSeconds(7));

        retell(new Wait(job, 1, fuller));

        assertThat(waiting(job).verdict()).isEqualTo(fuller);
        assertThat(waiting(job).version()).isEqualTo(1);
        assertThat(told).isPositive();
        assertThat(waiting(job).toldMicros()).isGreaterThan(told);
    }

    @Test
    final void newNumbersOfAnotherVerdictOrOfAJobThatMovedOnAreDropped() {
        JobId job = submit(job("waits", 1, 1));
        Reason full = new Reason(ReasonCode.WAITING_FOR_CAPACITY, "gpuMilli", 1_000, 0, "No GPU is free.");
        waitFor(new Wait(job, 0, full));

        retell(
                new Wait(job, 1, new Reason(ReasonCode.TOPOLOGY, null, 0, 0, "Nowhere.")),
                new Wait(job, 1, new Reason(ReasonCode.FRAGMENTED, null, 0, 0, "In crumbs.")));
        retell(new Wait(job, 0, new Reason(ReasonCode.WAITING_FOR_CAPACITY, "gpuMilli", 1_000, 5, "As of before.")));

        assertThat(waiting(job).verdict()).isEqualTo(full);
    }

    private void retell(Wait... waits) {
        store.ledger()
                .commit(
                        new PlanId(UUID.randomUUID()),
                        new Plan(1, List.of(), List.of(), List.of(), List.of(), List.of(waits)),
                        leader);
    }

    @Test
    final void whoWaitsForAnotherJobIsToldWhenItIsAnotherOrLater() {
        JobId job = submit(job("waits", 1, 1));
        Reason first = new Reason(ReasonCode.RESERVED_FOR_OTHER, null, 0, 0, "Reserved for job a.");
        Reason other = new Reason(ReasonCode.RESERVED_FOR_OTHER, null, 0, 0, "Reserved for job b.");

        waitFor(new Wait(job, 0, first));
        waitFor(new Wait(job, 1, other));
        waitFor(new Wait(job, 2, other));

        assertThat(waiting(job).verdict()).isEqualTo(other);
        assertThat(waiting(job).version()).isEqualTo(2);
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
}
