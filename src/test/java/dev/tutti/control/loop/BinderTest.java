package dev.tutti.control.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.Actor;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.PodMarks;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BinderTest {

    private final Bench bench = new Bench();

    @BeforeEach
    void listTheCluster() {
        bench.step();
        bench.gateway.calls.clear();
    }

    private JobId allocated(int pods) {
        JobId job = bench.submit(pods, 1, 60);
        bench.cycle.turn();
        assertThat(bench.run(job).state()).isEqualTo(JobState.ALLOCATED);
        return job;
    }

    private void cancel(JobId job) {
        bench.store.jobBook().stop(job, EndCause.CANCELLED_BY_USER, null, new Actor.Caller("me"));
    }

    @Test
    void bindsAGangAndStampsAllocationAndTerm() {
        JobId job = allocated(2);
        assertThat(bench.binder.turn()).isEqualTo(2);
        assertThat(bench.gateway.calls).containsExactly("create 0", "bind 0", "create 1", "bind 1");
        assertThat(bench.phases(job)).containsOnly(MemberPhase.BOUND);
        assertThat(bench.cluster.annotations(bench.pod(job, 0)))
                .containsEntry(PodMarks.ALLOCATION, bench.member(job, 0).toString())
                .containsEntry(PodMarks.TERM, Long.toString(bench.leader.term()));
        assertThat(bench.binder.turn()).isZero();
    }

    @Test
    void aLostReplyOfABindIsReadBackAtOnce() {
        JobId job = allocated(1);
        bench.gateway.onBind = ScriptedGateway::loseReply;
        bench.binder.turn();
        assertThat(bench.phases(job)).containsOnly(MemberPhase.BOUND);
    }

    @Test
    void aLostBindIsSentAgain() {
        JobId job = allocated(1);
        bench.gateway.onBind = ScriptedGateway::loseCall;
        bench.binder.turn();
        assertThat(bench.phases(job)).containsOnly(MemberPhase.COMMITTED);
        bench.gateway.onBind = null;
        bench.pass(2);
        bench.binder.turn();
        assertThat(bench.phases(job)).containsOnly(MemberPhase.BOUND);
    }

    @Test
    void aPodThatWasNeverBoundIsMadeAgain() {
        JobId job = allocated(1);
        bench.gateway.onBind = call -> new Outcome.Refused("not now");
        bench.binder.turn();
        bench.cluster.faults().forceDelete(bench.pod(job, 0));
        bench.gateway.onBind = null;
        bench.pass(11);
        bench.binder.turn();
        assertThat(bench.phases(job)).containsOnly(MemberPhase.BOUND);
    }

    @Test
    void aPodThatMayHaveRunIsNeverMadeAgain() {
        JobId job = allocated(1);
        bench.gateway.onBind = ScriptedGateway::loseCall;
        bench.binder.turn();
        bench.cluster.faults().forceDelete(bench.pod(job, 0));
        bench.gateway.onBind = null;
        bench.pass(2);
        bench.binder.turn();
        assertThat(bench.phases(job)).containsOnly(MemberPhase.LOST);
        assertThat(bench.run(job).state()).isEqualTo(JobState.STOPPING);
    }

    @Test
    void aStrangerUnderOurNameIsRemovedFirst() {
        JobId job = allocated(1);
        bench.cluster.faults().addForeignPod(bench.pod(job, 0), null, List.of(), Map.of());
        bench.binder.turn();
        assertThat(bench.phases(job)).containsOnly(MemberPhase.COMMITTED);
        bench.pass(2);
        bench.binder.turn();
        assertThat(bench.phases(job)).containsOnly(MemberPhase.BOUND);
    }

    @Test
    void aStrangersClaimOfOurAllocationOnAnotherNodeIsNotBelieved() {
        JobId job = allocated(1);
        bench.cluster
                .faults()
                .addForeignPod(
                        bench.pod(job, 0),
                        "n2",
                        List.of(),
                        Map.of(PodMarks.ALLOCATION, bench.member(job, 0).toString()));
        bench.binder.turn();
        assertThat(bench.phases(job)).containsOnly(MemberPhase.COMMITTED);
        assertThat(bench.gateway.calls).containsExactly("create 0", "delete");
    }

    @Test
    void withoutItsLeaseItCallsNobody() {
        JobId job = allocated(2);
        bench.gateway.onCreate = call -> {
            Outcome outcome = call.get();
            bench.leaseHolds = false;
            return outcome;
        };
        bench.binder.turn();
        assertThat(bench.gateway.calls).containsExactly("create 0");
        assertThat(bench.phases(job)).containsOnly(MemberPhase.COMMITTED);
        assertThat(bench.binder.turn()).isZero();
    }

    @Test
    void aClaimThatIsOverCallsNobody() {
        allocated(2);
        bench.gateway.onCreate = call -> {
            bench.clock.advance(Binder.CLAIM);
            return call.get();
        };
        bench.binder.turn();
        assertThat(bench.gateway.calls).containsExactly("create 0");
    }

    @Test
    void aSilentClusterCostsThreeTimeoutsAndNoMore() {
        allocated(4);
        bench.gateway.onCreate = ScriptedGateway::loseCall;
        bench.binder.turn();
        assertThat(bench.gateway.calls).hasSize(3);
    }

    @Test
    void busyMeansLaterAsItSays() {
        JobId job = allocated(1);
        bench.gateway.onCreate = call -> new Outcome.Busy(Duration.ofSeconds(7));
        bench.binder.turn();
        bench.gateway.onCreate = null;
        bench.pass(6);
        assertThat(bench.binder.turn()).isZero();
        bench.pass(1);
        bench.binder.turn();
        assertThat(bench.phases(job)).containsOnly(MemberPhase.BOUND);
    }

    @Test
    void cancelledBeforeAnyPodWasMadeIsGoneAtOnce() {
        JobId job = allocated(2);
        cancel(job);
        bench.binder.turn();
        assertThat(bench.run(job).state()).isEqualTo(JobState.CANCELLED);
        assertThat(bench.gateway.calls).containsOnly("read");
    }

    @Test
    void anUnboundPodIsRemovedAndGone() {
        JobId job = allocated(1);
        bench.gateway.onBind = call -> new Outcome.Refused("not now");
        bench.binder.turn();
        cancel(job);
        bench.binder.turn();
        assertThat(bench.run(job).state()).isEqualTo(JobState.CANCELLED);
        assertThat(bench.cluster.annotations(bench.pod(job, 0))).isNull();
    }

    @Test
    void anUnboundPodThatMayHaveRunBeforeGoesIntoQuarantine() {
        JobId job = allocated(1);
        bench.gateway.onBind = ScriptedGateway::loseCall;
        bench.binder.turn();
        cancel(job);
        bench.binder.turn();
        assertThat(bench.run(job).state()).isEqualTo(JobState.STOPPING);
        assertThat(bench.phases(job)).containsOnly(MemberPhase.LOST);
    }

    @Test
    void aRunningPodIsDeletedAndHeldUntilItsEndIsTold() {
        JobId job = allocated(1);
        bench.run(3);
        assertThat(bench.run(job).state()).isEqualTo(JobState.RUNNING);
        cancel(job);
        bench.binder.turn();
        assertThat(bench.run(job).state()).isEqualTo(JobState.STOPPING);
        assertThat(bench.phases(job)).containsOnly(MemberPhase.RUNNING);
        bench.run(4);
        assertThat(bench.run(job).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void aBoundPodWhoseBindNobodyHeardOfIsWrittenDownBeforeItIsLetGo() {
        JobId job = allocated(1);
        bench.gateway.onBind = call -> {
            call.get();
            bench.gateway.away = true;
            return new Outcome.Unknown("lost");
        };
        bench.binder.turn();
        bench.gateway.away = false;
        cancel(job);
        bench.binder.turn();
        assertThat(bench.phases(job)).containsOnly(MemberPhase.BOUND);
    }
}
