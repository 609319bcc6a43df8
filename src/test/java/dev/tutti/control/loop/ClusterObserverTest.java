package dev.tutti.control.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.PodMarks;
import dev.tutti.control.view.ChangeFeed.NodeRow;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterObserverTest {

    private final Bench bench = new Bench();

    private NodeRow node(String name) {
        return bench.store.feed().since(null).nodes().stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private PodSighting sighting(JobId job, String uid, PodSighting.Phase phase, boolean deleted) {
        return new PodSighting(
                bench.pod(job, 0), uid, "1", bench.member(job, 0), "n1", phase, false, deleted, null, "");
    }

    private String uid(JobId job) {
        return bench.run(job).members().get(0).podUid();
    }

    @Test
    void seesAJobThroughToItsEnd() {
        JobId job = bench.submit(2, 2, 20);
        bench.run(5);
        assertThat(bench.run(job).state()).isEqualTo(JobState.RUNNING);
        bench.run(20);
        assertThat(bench.run(job).state()).isEqualTo(JobState.SUCCEEDED);
        bench.run(25);
        assertThat(bench.gateway.pods()).isEmpty();
        assertThat(bench.store.feed().since(null).devices().values())
                .allSatisfy(devices -> assertThat(devices).allMatch(device -> device.heldMilli() == 0));
    }

    @Test
    void aBadExitFailsTheJob() {
        JobId job = bench.submit(1, 1, 5, Map.of("SIMULATED_EXIT_CODE", "3"));
        bench.run(15);
        assertThat(bench.run(job).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void findsTheDomainUnderTheFirstLabelThatIsThere() {
        bench.step();
        assertThat(node("n1").domains()).containsExactly("b1", "");
        assertThat(node("n2").domains()).containsExactly("b2", "");
    }

    @Test
    void aForceDeletedPodIsLostAndHeldUntilItsNodeWasQuietLongEnough() {
        JobId job = bench.submit(1, 1, 600);
        bench.run(5);
        bench.cluster.faults().forceDelete(bench.pod(job, 0));
        bench.run(1);
        assertThat(bench.phases(job)).containsOnly(MemberPhase.LOST);
        bench.run(67);
        assertThat(bench.run(job).state()).isEqualTo(JobState.STOPPING);
        bench.run(10);
        assertThat(bench.run(job).attempt()).isEqualTo(2);
        assertThat(bench.run(job).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void aNodeThatRefusesIsLeftAloneForAWhile() {
        bench.step();
        bench.cluster.faults().addForeignPod("other", "n1", List.of(0, 1, 2, 3), Map.of());
        bench.run(3);
        JobId job = bench.submit(1, 1, 30);
        bench.run(8);
        assertThat(node("n1").closedUntilMicros()).isPositive();
        assertThat(node("n2").closedUntilMicros()).isZero();
        assertThat(bench.run(job).attempt()).isEqualTo(2);
        assertThat(bench.run(job).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void aRefusalOfAPodThatHadRunFreesNothing() {
        JobId known = bench.submit(1, 1, 600);
        bench.run(5);
        bench.inbox.pod(sighting(known, uid(known), PodSighting.Phase.REJECTED, false));
        bench.run(1);
        assertThat(bench.phases(known)).containsOnly(MemberPhase.LOST);
    }

    @Test
    void aRefusalHeardTogetherWithTheRunBeforeItFreesNothing() {
        SightingInbox inbox = new SightingInbox(10);
        JobId job = bench.submit(1, 1, 600);
        bench.run(5);
        inbox.pod(sighting(job, uid(job), PodSighting.Phase.RUNNING, false));
        inbox.pod(sighting(job, uid(job), PodSighting.Phase.REJECTED, false));
        assertThat(inbox.pods(1)).extracting(PodSighting::phase).containsExactly(PodSighting.Phase.DISOWNED);
    }

    @Test
    void aPodWithAnotherUidProvesNothing() {
        JobId job = bench.submit(1, 1, 600);
        bench.run(5);
        bench.inbox.pod(sighting(job, "somebody-else", PodSighting.Phase.RUNNING, true));
        bench.run(1);
        assertThat(bench.phases(job)).containsOnly(MemberPhase.RUNNING);
    }

    @Test
    void anAnnotationThatSomebodyEditedChangesNothing() {
        JobId one = bench.submit(1, 1, 600);
        JobId two = bench.submit(1, 1, 600);
        bench.run(5);
        String other = bench.member(two, 0).toString();
        bench.cluster.faults().annotate(bench.pod(one, 0), PodMarks.ALLOCATION, other);
        bench.cluster.faults().endContainers(bench.pod(one, 0), 0);
        bench.run(2);
        assertThat(bench.run(one).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(bench.run(two).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void whatWasSaidIsNotUnsaidByALateReport() {
        JobId job = bench.submit(1, 1, 600);
        bench.run(5);
        String uid = uid(job);
        PodSighting gone = sighting(job, uid, PodSighting.Phase.RUNNING, true);
        bench.inbox.pod(gone);
        bench.inbox.pod(sighting(job, uid, PodSighting.Phase.RUNNING, false));
        bench.observer.turn();
        assertThat(bench.phases(job)).containsOnly(MemberPhase.LOST);
    }

    @Test
    void podsOfNobodyAreForgotten() {
        bench.inbox.pod(
                new PodSighting("nginx", "u", "1", null, "n1", PodSighting.Phase.RUNNING, false, false, null, ""));
        bench.observer.turn();
        assertThat(bench.inbox.pods(10)).isEmpty();
    }

    @Test
    void anInboxThatOverflowsSaysThatSomethingWasMissed() {
        SightingInbox inbox = new SightingInbox(2);
        long before = inbox.gaps();
        for (int i = 0; i < 3; i++) {
            inbox.pod(
                    new PodSighting("p", "u" + i, "1", null, null, PodSighting.Phase.PENDING, false, false, null, ""));
        }
        assertThat(inbox.gaps()).isEqualTo(before + 1);
        assertThat(inbox.pods(10)).isEmpty();
    }
}
