package dev.tutti.control.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.Actor;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.Deposed;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReconcilerTest {

    private final Bench bench = new Bench();

    @Test
    void nothingIsDecidedOrBoundBeforeTheFirstList() {
        bench.submit(1, 1, 30);
        assertThat(bench.cycle.turn()).isZero();
        assertThat(bench.binder.turn()).isZero();
        bench.reconciler.turn();
        bench.observer.turn();
        assertThat(bench.cycle.turn()).isEqualTo(1);
        assertThat(bench.binder.turn()).isEqualTo(1);
    }

    @Test
    void findsByListingWhatTheWatchMissed() {
        JobId job = bench.submit(1, 1, 600);
        bench.run(5);
        bench.cluster.faults().interruptWatches();
        bench.cluster.faults().forceDelete(bench.pod(job, 0));
        bench.run(2);
        assertThat(bench.phases(job)).containsOnly(MemberPhase.RUNNING);
        bench.run(20);
        assertThat(bench.phases(job)).containsOnly(MemberPhase.LOST);
    }

    @Test
    void aGapIsListedAtOnceAndHoldsQuarantineBack() {
        JobId job = bench.submit(1, 1, 600);
        bench.run(5);
        bench.cluster.faults().forceDelete(bench.pod(job, 0));
        bench.run(40);
        bench.cluster.faults().interruptWatches();
        bench.cluster.faults().mendWatches();
        assertThat(bench.sync.watched()).isEqualTo(Duration.ZERO);
        bench.run(60);
        assertThat(bench.run(job).state()).isEqualTo(JobState.STOPPING);
        bench.run(15);
        assertThat(bench.run(job).attempt()).isEqualTo(2);
    }

    @Test
    void podsThatNobodyWantsAreDeleted() {
        JobId job = bench.submit(1, 1, 5);
        bench.run(9);
        assertThat(bench.run(job).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(bench.gateway.pods()).hasSize(1);
        bench.run(20);
        assertThat(bench.gateway.pods()).isEmpty();
    }

    @Test
    void foreignPodsAreLeftAlone() {
        bench.cluster.faults().addForeignPod("nginx", "n1", List.of(), Map.of());
        bench.run(45);
        assertThat(bench.cluster.annotations("nginx")).isNotNull();
        assertThat(bench.gateway.calls).doesNotContain("delete");
    }

    @Test
    void aClusterOutOfReachIsClosedAndNothingOnItIsStopped() {
        JobId job = bench.submit(1, 1, 600);
        bench.run(5);
        bench.gateway.away = true;
        bench.run(60);
        assertThat(bench.sync.isReady()).isFalse();
        assertThat(bench.sync.isSettled()).isTrue();
        assertThat(bench.run(job).state()).isEqualTo(JobState.RUNNING);
        JobId later = bench.submit(1, 1, 30);
        bench.run(5);
        assertThat(bench.run(later).state()).isEqualTo(JobState.QUEUED);
        bench.gateway.away = false;
        bench.run(10);
        assertThat(bench.run(later).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void aNewLeaderMakesLateBindsStaleBeforeItBinds() {
        JobId job = bench.submit(1, 1, 600);
        bench.step();
        Runnable[] late = new Runnable[1];
        Outcome[] answer = new Outcome[1];
        JobId second = bench.submit(1, 1, 600);
        bench.cycle.turn();
        bench.gateway.onBind = call -> {
            late[0] = () -> answer[0] = call.get();
            throw new IllegalStateException("the process stops here");
        };
        try {
            bench.binder.turn();
        } catch (IllegalStateException stopped) {
            bench.gateway.onBind = null;
        }
        bench.pass(11);
        bench.lead("second");
        bench.gateway.calls.clear();
        bench.reconciler.turn();
        assertThat(bench.gateway.calls).contains("touch");
        late[0].run();
        assertThat(answer[0]).isInstanceOf(Outcome.Conflict.class);
        bench.run(5);
        assertThat(bench.run(second).state()).isEqualTo(JobState.RUNNING);
        assertThat(bench.run(job).state()).isEqualTo(JobState.RUNNING);
        assertThat(bench.cluster.witness().overloadCount()).isZero();
    }

    @Test
    void aNewLeaderThatCannotTouchDoesNotBind() {
        JobId job = bench.submit(1, 1, 600);
        bench.reconciler.turn();
        bench.observer.turn();
        bench.cycle.turn();
        bench.store.outbox().claim(bench.id, 10, Duration.ofSeconds(60), bench.leader);
        bench.pass(11);
        bench.lead("second");
        bench.gateway.onTouch = ScriptedGateway::loseCall;
        bench.run(3);
        assertThat(bench.sync.isReady()).isFalse();
        assertThat(bench.phases(job)).containsOnly(MemberPhase.COMMITTED);
        bench.gateway.onTouch = null;
        bench.run(10);
        // Nobody knows whether the first leader bound it, and there is no pod.
        assertThat(bench.phases(job)).containsOnly(MemberPhase.LOST);
    }

    @Test
    void aGangThatIsNotBoundInTimeIsStoppedAndTriedAgain() {
        JobId job = bench.submit(2, 1, 600);
        bench.gateway.onBind = call -> bench.gateway.calls.contains("bind 1") ? new Outcome.Refused("") : call.get();
        bench.run(59);
        assertThat(bench.phases(job)).containsExactly(MemberPhase.RUNNING, MemberPhase.COMMITTED);
        bench.gateway.onBind = null;
        bench.gateway.onCreate = ScriptedGateway::loseCall;
        bench.pass(1);
        bench.watchdog.turn();
        assertThat(bench.run(job).state()).isEqualTo(JobState.STOPPING);
        assertThat(bench.run(job).stopping()).isEqualTo(EndCause.NOT_READY_IN_TIME);
        bench.gateway.onCreate = null;
        bench.run(75);
        assertThat(bench.run(job).attempt()).isEqualTo(2);
        assertThat(bench.run(job).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void whoIsDeposedStops() {
        bench.run(2);
        bench.pass(11);
        Actor.Leader old = bench.leader;
        bench.store.leadership().lead("second");
        assertThat(old.term())
                .isLessThan(bench.store.leadership().lead("second").orElseThrow());
        bench.submit(1, 1, 30);
        assertThatThrownBy(bench.cycle::turn).isInstanceOf(Deposed.class);
    }
}
