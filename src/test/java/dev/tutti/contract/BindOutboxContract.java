package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.Actor;
import dev.tutti.control.BindOutbox.Settlement;
import dev.tutti.control.BindTask;
import dev.tutti.control.BindTask.Wish;
import dev.tutti.control.Deposed;
import dev.tutti.control.PodOrder;
import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.PodName;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.MemberPhase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What every outbox does: each wish handed out once at a time, and never forgotten what may have been bound. */
public abstract class BindOutboxContract extends StoreContract {

    private static final Duration CLAIM = Duration.ofSeconds(20);

    @Test
    final void aCommittedMemberIsAWishToBindWithAllOfItsPod() {
        JobId job = gangOnN0();

        List<BindTask> tasks = claim();

        assertThat(tasks).hasSize(2);
        BindTask second = tasks.get(1);
        assertThat(second.wish()).isEqualTo(Wish.BIND);
        assertThat(second.cluster()).isEqualTo(cluster);
        assertThat(second.podUid()).isNull();
        assertThat(second.mayHaveBound()).isFalse();
        assertThat(second.tries()).isZero();
        PodOrder order = second.order();
        assertThat(order.name()).isEqualTo(PodName.of(job, 1, 1));
        assertThat(order.allocation()).isEqualTo(second.allocation());
        assertThat(order.jobName()).isEqualTo("gang");
        assertThat(order.attempt()).isEqualTo(1);
        assertThat(order.rank()).isEqualTo(1);
        assertThat(order.podSet()).isEqualTo("worker");
        assertThat(order.pods()).isEqualTo(2);
        assertThat(order.node()).isEqualTo("n0");
        assertThat(order.gpus()).isEqualTo(2);
        assertThat(order.gpuMilli()).isZero();
        assertThat(order.devices()).containsExactly(2, 5);
        assertThat(order.cpuMilli()).isEqualTo(1_000);
        assertThat(order.memoryMib()).isEqualTo(1_024);
        assertThat(order.nodes()).isEqualTo(RULES);
        assertThat(order.graceSeconds()).isEqualTo(30);
        assertThat(order.expectedRuntimeSeconds()).isEqualTo(60);
        assertThat(order.template().image()).isEqualTo("busybox:1");
        assertThat(order.template().args()).containsExactly("sleep 1");
        assertThat(order.template().env()).isEqualTo(Map.of("A", "b"));
    }

    @Test
    final void aShareNamesItsMilliAndItsDevice() {
        nodes(1);
        JobId job = submit(job("share", 1, 250));
        commit(place(job, "n0", 3));

        PodOrder order = claim().get(0).order();

        assertThat(order.gpus()).isZero();
        assertThat(order.gpuMilli()).isEqualTo(250);
        assertThat(order.devices()).containsExactly(3);
    }

    @Test
    final void anInstanceNamesItsProfileItsDeviceAndItsUnits() {
        nodes(1);
        JobId job = submit(mig("slice", 1, "2g.20gb"));
        commit(cut(job, "n0", 3, 4));

        PodOrder order = claim().get(0).order();

        assertThat(order.gpus()).isZero();
        assertThat(order.gpuMilli()).isZero();
        assertThat(order.devices()).containsExactly(3);
        assertThat(order.mig()).isEqualTo(new MigInstance("2g.20gb", 4, 2));
    }

    @Test
    final void aCpuOnlyPodNamesNoDevice() {
        nodes(1);
        JobId job = submit(job("cpu", 1, 0));
        commit(place(job, "n0"));

        PodOrder order = claim().get(0).order();

        assertThat(order.gpus()).isZero();
        assertThat(order.gpuMilli()).isZero();
        assertThat(order.devices()).isEmpty();
    }

    @Test
    final void noTaskIsClaimedTwiceAtATimeAndTheLimitIsKept() {
        gangOnN0();
        List<BindTask> first = store.outbox().claim(cluster, 1, CLAIM, leader);
        List<BindTask> second = claim();

        assertThat(first).hasSize(1);
        assertThat(second).hasSize(1);
        assertThat(second.get(0).allocation()).isNotEqualTo(first.get(0).allocation());
        assertThat(claim()).isEmpty();
        assertThat(store.outbox().claim(store.fleet().register("paris", "simulated"), 10, CLAIM, leader))
                .isEmpty();
    }

    @Test
    final void aClaimThatIsOverIsHandedOutAgainAndMayHaveBound() {
        gangOnN0();
        List<BindTask> first = claim();
        store.advance(CLAIM.plusSeconds(1));
        List<BindTask> again = claim();

        assertThat(again).extracting(BindTask::allocation).containsExactlyElementsOf(allocations(first));
        assertThat(again).allMatch(task -> task.mayHaveBound() && task.tries() == 1);
    }

    @Test
    final void aSettledTaskIsDoneOrComesBackAfterItsWait() {
        gangOnN0();
        List<BindTask> tasks = claim();
        settle(tasks.get(0), true, false, Duration.ZERO);
        settle(tasks.get(1), false, false, Duration.ofSeconds(5));
        assertThat(claim()).isEmpty();

        store.advance(Duration.ofSeconds(6));
        List<BindTask> again = claim();

        assertThat(again)
                .extracting(BindTask::allocation)
                .containsExactly(tasks.get(1).allocation());
        assertThat(again.get(0).mayHaveBound()).isTrue();
    }

    @Test
    final void whatWasNeverSentCannotHaveBound() {
        gangOnN0();
        BindTask task = claim().get(0);
        settle(task, false, true, Duration.ZERO);

        BindTask again = claim().get(0);

        assertThat(again.allocation()).isEqualTo(task.allocation());
        assertThat(again.mayHaveBound()).isFalse();
        assertThat(again.tries()).isEqualTo(1);
    }

    @Test
    final void theLateSettlementOfAnOlderClaimHasNoEffect() {
        gangOnN0();
        BindTask late = claim().get(0);
        store.advance(CLAIM.plusSeconds(1));
        claim();
        settle(late, true, true, Duration.ZERO);
        assertThat(claim()).as("the younger claim stands").isEmpty();

        store.advance(CLAIM.plusSeconds(1));

        assertThat(claim())
                .filteredOn(task -> task.allocation().equals(late.allocation()))
                .singleElement()
                .matches(BindTask::mayHaveBound);
    }

    @Test
    final void aStoppedMemberIsAWishToDeleteOnceTheOldClaimIsSettled() {
        JobId job = gangOnN0();
        List<BindTask> binds = claim();
        stop(job, EndCause.PREEMPTED);
        assertThat(claim()).as("the claims of the old wish stand").isEmpty();

        settle(binds.get(0), true, false, Duration.ZERO);
        BindTask delete = claim().get(0);

        assertThat(delete.allocation()).isEqualTo(binds.get(0).allocation());
        assertThat(delete.wish()).isEqualTo(Wish.DELETE);
        assertThat(delete.generation()).isGreaterThan(binds.get(0).generation());
        assertThat(delete.mayHaveBound()).isTrue();
        assertThat(delete.tries()).isZero();

        store.advance(CLAIM.plusSeconds(1));
        assertThat(claim()).as("or over").hasSize(2).allMatch(task -> task.wish() == Wish.DELETE);
    }

    @Test
    final void thatNothingWasSentIsRememberedEvenWhenTheWishChanged() {
        JobId job = gangOnN0();
        List<BindTask> binds = claim();
        stop(job, EndCause.PREEMPTED);
        settle(binds.get(0), false, true, Duration.ZERO);

        assertThat(claim()).singleElement().matches(task -> task.wish() == Wish.DELETE && !task.mayHaveBound());
    }

    @Test
    final void aMemberNeverClaimedIsAWishToDeleteThatCannotHaveBound() {
        JobId job = gangOnN0();
        stop(job, EndCause.PREEMPTED);
        assertThat(claim()).hasSize(2).allMatch(task -> task.wish() == Wish.DELETE && !task.mayHaveBound());
    }

    @Test
    final void aReleasedMemberIsNeverBoundAgain() {
        JobId job = gangOnN0();
        claim();
        see(job, MemberPhase.SUCCEEDED, null);
        store.advance(CLAIM.plusSeconds(1));
        assertThat(claim()).isEmpty();
    }

    @Test
    final void thePodsUidIsHandedOutOnceKnown() {
        JobId job = gangOnN0();
        see(job, MemberPhase.BOUND, null);
        assertThat(claim()).allMatch(task -> ("pod-" + task.allocation()).equals(task.podUid()));
    }

    @Test
    final void whatAnEarlierTermLeftUnsettledIsHandedOutOnlyAfterItWasReopened() {
        gangOnN0();
        List<BindTask> old = claim();
        Actor.Leader next = takeOver();

        assertThat(store.outbox().claim(cluster, 10, CLAIM, next)).isEmpty();
        List<BindTask> unsettled = store.outbox().unsettledOfEarlierTerms(cluster, 10, next);
        assertThat(allocations(unsettled)).containsExactlyElementsOf(allocations(old));
        assertThat(unsettled).allMatch(BindTask::mayHaveBound);

        store.outbox().reopen(allocations(unsettled), next);
        assertThat(store.outbox().unsettledOfEarlierTerms(cluster, 10, next)).isEmpty();
        assertThat(store.outbox().claim(cluster, 10, CLAIM, next)).hasSize(2).allMatch(BindTask::mayHaveBound);
    }

    @Test
    final void aDeposedLeaderNeitherClaimsNorSettles() {
        gangOnN0();
        BindTask task = claim().get(0);
        takeOver();

        assertThatThrownBy(this::claim).isInstanceOf(Deposed.class);
        assertThatThrownBy(() -> settle(task, true, false, Duration.ZERO)).isInstanceOf(Deposed.class);
    }

    private Actor.Leader takeOver() {
        store.advance(store.lease().multipliedBy(2));
        return new Actor.Leader(store.leadership().lead("second").orElseThrow());
    }

    private List<BindTask> claim() {
        return store.outbox().claim(cluster, 10, CLAIM, leader);
    }

    private void settle(BindTask task, boolean done, boolean neverSent, Duration retryAfter) {
        store.outbox()
                .settle(
                        List.of(new Settlement(task.allocation(), task.generation(), done, neverSent, retryAfter)),
                        leader);
    }

    private static List<AllocationId> allocations(List<BindTask> tasks) {
        return tasks.stream().map(BindTask::allocation).toList();
    }

    private JobId gangOnN0() {
        nodes(1);
        JobId job = submit(job("gang", 2, 2));
        commit(place(job, 0, List.of(pod(job, 0, "n0", 0, 1), pod(job, 1, "n0", 2, 5))));
        return job;
    }
}
