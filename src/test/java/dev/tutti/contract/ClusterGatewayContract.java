package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.PodMarks;
import dev.tutti.control.PodOrder;
import dev.tutti.model.AllocationId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.fleet.PodSighting.Phase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link ClusterGateway} promises to the loops that use it. */
@ExtendWith(ContractCount.class)
public abstract class ClusterGatewayContract {

    private static final long TERM = 7;

    private ClusterUnderTest cluster;
    private ClusterGateway gateway;
    private String node;
    private String otherNode;

    /** A cluster without pods, and nodes that no earlier test has used. */
    protected abstract ClusterUnderTest open();

    @BeforeEach
    final void openCluster() {
        cluster = open();
        gateway = cluster.gateway();
        node = cluster.nodes().get(0);
        otherNode = cluster.nodes().get(1);
    }

    @AfterEach
    final void closeCluster() {
        cluster.close();
    }

    // Creating.

    @Test
    void aNewPodIsUnboundAndKnowsItsAllocation() {
        PodOrder order = Orders.on(node);

        PodSighting pod = created(order);

        assertThat(pod.name()).isEqualTo(order.name());
        assertThat(pod.uid()).isNotEmpty();
        assertThat(pod.resourceVersion()).isNotEmpty();
        assertThat(pod.allocation()).isEqualTo(order.allocation());
        assertThat(pod.node()).isNull();
        assertThat(pod.phase()).isEqualTo(Phase.PENDING);
        assertThat(pod.terminating()).isFalse();
        assertThat(pod.deleted()).isFalse();
        assertThat(pod.exitCode()).isNull();
    }

    @Test
    void creatingTwiceFindsTheFirstPod() {
        PodOrder order = Orders.on(node);
        PodSighting first = created(order);

        Outcome second = gateway.create(order);

        assertThat(second).isInstanceOfSatisfying(Outcome.Exists.class, exists -> {
            assertThat(exists.pod().uid()).isEqualTo(first.uid());
            assertThat(exists.pod().allocation()).isEqualTo(order.allocation());
        });
    }

    @Test
    void creatingUnderTheNameOfAnothersPodFindsItWithoutTheAllocationItClaims() {
        PodOrder order = Orders.on(node);
        cluster.addForeignPod(
                order.name(), Map.of(PodMarks.ALLOCATION, order.allocation().toString()));

        assertThat(gateway.create(order))
                .isInstanceOfSatisfying(
                        Outcome.Exists.class,
                        exists -> assertThat(exists.pod().allocation()).isNull());
        assertThat(present(order).allocation()).isNull();
    }

    @Test
    void aPodMadeAgainAfterItsEndHasAnotherUid() {
        PodOrder order = Orders.on(node);
        PodSighting first = created(order);
        gateway.delete(order.name(), first.uid());

        PodSighting second = created(order);

        assertThat(second.uid()).isNotEqualTo(first.uid());
    }

    @Test
    void everyAttemptHasAPodOfItsOwn() {
        PodOrder order = Orders.on(node);
        PodSighting first = created(order);

        PodSighting second = created(Orders.nextAttempt(order));

        assertThat(second.name()).isNotEqualTo(first.name());
        assertThat(gateway.pods()).extracting(PodSighting::uid).contains(first.uid(), second.uid());
    }

    @Test
    void anOrderThatNoClusterTakesIsRefused() {
        PodOrder order = Orders.withName(Orders.on(node), "Not_A_Name");

        assertThat(gateway.create(order)).isInstanceOf(Outcome.Refused.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "训练大模型 🚀🎻 全体合奏",
                "تدريب النموذج",
                "אימון \"מודל\" {x: 'y'} \\n |",
                "e\u0301 \u200fmixed\u200e 👩\u200d🔬 <b>&amp;",
                " leading and trailing "
            })
    void theJobsNameIsKeptAsItWasWritten(String jobName) {
        PodOrder order = Orders.named(jobName, node);

        created(order);

        assertThat(cluster.annotations(order.name())).containsEntry(PodMarks.JOB_NAME, jobName);
    }

    @Test
    void aNameOfTheGreatestLengthIsKept() {
        String jobName = "大🎻".repeat(64);
        PodOrder order = Orders.named(jobName, node);

        created(order);

        assertThat(cluster.annotations(order.name())).containsEntry(PodMarks.JOB_NAME, jobName);
    }

    // Binding.

    @Test
    void bindingGivesThePodItsNodeAndStampsAllocationAndTerm() {
        PodOrder order = Orders.on(node);

        PodSighting bound = bound(order);

        assertThat(bound.node()).isEqualTo(node);
        assertThat(bound.allocation()).isEqualTo(order.allocation());
        assertThat(present(order).node()).isEqualTo(node);
        assertThat(cluster.annotations(order.name()))
                .containsEntry(PodMarks.ALLOCATION, order.allocation().toString())
                .containsEntry(PodMarks.TERM, Long.toString(TERM))
                .containsEntry(PodMarks.JOB, order.job().toString());
    }

    @Test
    void bindingWithAnotherUidIsAConflictAndBindsNothing() {
        PodOrder order = Orders.on(node);
        PodSighting pod = created(order);

        Outcome outcome = gateway.bind(withUid(pod, UUID.randomUUID().toString()), order, TERM);

        assertThat(outcome).isInstanceOf(Outcome.Conflict.class);
        assertThat(present(order).node()).isNull();
    }

    @Test
    void bindingThePredecessorsUidIsAConflict() {
        PodOrder order = Orders.on(node);
        PodSighting first = created(order);
        gateway.delete(order.name(), first.uid());
        created(order);

        assertThat(gateway.bind(first, order, TERM)).isInstanceOf(Outcome.Conflict.class);
        assertThat(present(order).node()).isNull();
    }

    @Test
    void bindingWithAnOldResourceVersionIsAConflictAndBindsNothing() {
        PodOrder order = Orders.on(node);
        PodSighting old = created(order);
        cluster.annotate(order.name(), "example.org/note", "changed");

        assertThat(gateway.bind(old, order, TERM)).isInstanceOf(Outcome.Conflict.class);
        assertThat(present(order).node()).isNull();
    }

    @Test
    void aTouchMakesAnOldLeadersBindStale() {
        PodOrder order = Orders.on(node);
        PodSighting old = created(order);

        Outcome touched = gateway.touch(order.name(), TERM + 1);

        assertThat(gateway.bind(old, Orders.elsewhere(order, otherNode), TERM)).isInstanceOf(Outcome.Conflict.class);
        PodSighting now = done(touched);
        assertThat(now.uid()).isEqualTo(old.uid());
        assertThat(done(gateway.bind(now, order, TERM + 1)).node()).isEqualTo(node);
        assertThat(cluster.annotations(order.name())).containsEntry(PodMarks.TERM, Long.toString(TERM + 1));
    }

    @Test
    void touchingTwiceMovesOnTwice() {
        PodOrder order = Orders.on(node);
        created(order);

        PodSighting once = done(gateway.touch(order.name(), TERM));
        PodSighting twice = done(gateway.touch(order.name(), TERM));

        assertThat(twice.resourceVersion()).isNotEqualTo(once.resourceVersion());
    }

    @Test
    void touchingNothingIsAbsent() {
        assertThat(gateway.touch(Orders.on(node).name(), TERM)).isInstanceOf(Outcome.Absent.class);
    }

    @Test
    void aSecondBindIsAConflictAndChangesNothing() {
        PodOrder order = Orders.on(node);
        bound(order);
        PodSighting now = present(order);

        assertThat(gateway.bind(now, order, TERM)).isInstanceOf(Outcome.Conflict.class);
        assertThat(gateway.bind(now, Orders.elsewhere(order, otherNode), TERM)).isInstanceOf(Outcome.Conflict.class);
        assertThat(present(order).node()).isEqualTo(node);
        assertThat(present(order).allocation()).isEqualTo(order.allocation());
    }

    @Test
    void bindingWhatIsNotThereIsAbsent() {
        PodOrder order = Orders.on(node);
        PodSighting pod = created(order);
        gateway.delete(order.name(), pod.uid());

        assertThat(gateway.bind(pod, order, TERM)).isInstanceOf(Outcome.Absent.class);
    }

    @Test
    void bindingToANodeThatDoesNotExistIsAccepted() {
        PodOrder order = Orders.on("no-such-node");

        assertThat(bound(order).node()).isEqualTo("no-such-node");
    }

    @Test
    void bindingADeletedPodThatIsStillThereIsAConflict() {
        PodOrder order = Orders.on(node);
        bound(order);
        cluster.silence(node);
        PodSighting ending = done(gateway.delete(order.name(), present(order).uid()));

        assertThat(gateway.bind(ending, order, TERM)).isInstanceOf(Outcome.Conflict.class);
    }

    // Running and ending.

    @Test
    void aBoundPodRunsAndItsGoodEndIsReported() {
        PodOrder order = running(Orders.on(node));

        cluster.endContainers(order.name(), 0);

        awaitPhase(order, Phase.SUCCEEDED);
        assertThat(present(order).exitCode()).isZero();
    }

    @Test
    void aFailedPodTellsItsExitCode() {
        PodOrder order = running(Orders.on(node));

        cluster.endContainers(order.name(), 42);

        awaitPhase(order, Phase.FAILED);
        assertThat(present(order).exitCode()).isEqualTo(42);
    }

    @Test
    void aRunningPodHasNoExitCode() {
        PodOrder order = running(Orders.on(node));

        assertThat(present(order).exitCode()).isNull();
        assertThat(present(order).terminating()).isFalse();
    }

    @Test
    void aPodThatItsNodeRefusesIsRejectedAndSaysWhy() {
        PodOrder order = Orders.withCpu(node, 10_000_000);

        bound(order);

        awaitPhase(order, Phase.REJECTED);
        assertThat(present(order).reason()).contains("OutOfcpu");
    }

    @Test
    void thePodThatOverfillsTheGpusOfANodeIsRejectedAndTheFirstRunsOn() {
        PodOrder first = running(Orders.withGpus(node, 8));
        PodOrder second = Orders.withGpus(node, 1);

        bound(second);

        awaitPhase(second, Phase.REJECTED);
        assertThat(present(first).phase()).isEqualTo(Phase.RUNNING);
    }

    @Test
    void aRejectedPodCanBeDeleted() {
        PodOrder order = Orders.withCpu(node, 10_000_000);
        bound(order);
        awaitPhase(order, Phase.REJECTED);

        gateway.delete(order.name(), present(order).uid());

        awaitAbsent(order);
    }

    @Test
    void aGangOfManyPodsRunsWhole() {
        List<PodOrder> gang = Orders.gang(cluster.nodes(), 12);

        gang.forEach(this::bound);

        gang.forEach(order -> awaitPhase(order, Phase.RUNNING));
    }

    // Deleting.

    @Test
    void deletingAPodThatWasNeverBoundRemovesIt() {
        PodOrder order = Orders.on(node);
        PodSighting pod = created(order);

        assertThat(gateway.delete(order.name(), pod.uid())).isInstanceOf(Outcome.RemovedUnbound.class);
        assertThat(gateway.read(order.name())).isInstanceOf(Outcome.Absent.class);
    }

    @Test
    void deletingWithAnotherUidIsAbsentAndLeavesThePod() {
        PodOrder order = running(Orders.on(node));

        Outcome outcome = gateway.delete(order.name(), UUID.randomUUID().toString());

        assertThat(outcome).isInstanceOf(Outcome.Absent.class);
        cluster.settle();
        assertThat(present(order).phase()).isEqualTo(Phase.RUNNING);
        assertThat(present(order).terminating()).isFalse();
    }

    @Test
    void deletingNothingIsAbsent() {
        assertThat(gateway.delete(Orders.on(node).name(), UUID.randomUUID().toString()))
                .isInstanceOf(Outcome.Absent.class);
    }

    @Test
    void aDeletedRunningPodIsReportedTerminatedBeforeItIsGone() {
        RecordingInbox inbox = watching();
        PodOrder order = running(Orders.on(node));

        PodSighting ending = done(gateway.delete(order.name(), present(order).uid()));

        assertThat(ending.terminating()).isTrue();
        assertThat(ending.deleted()).isFalse();
        assertThat(ending.exitCode()).isNull();
        cluster.await("the pod is gone", () -> inbox.sawPod(order.name(), PodSighting::deleted));
        assertThat(inbox.pods(order.name()))
                .as("terminated containers were seen before the object went")
                .anySatisfy(seen -> {
                    assertThat(seen.deleted()).isFalse();
                    assertThat(seen.exitCode()).isNotNull();
                });
        awaitAbsent(order);
    }

    @Test
    void deletingTwiceIsTheSameAsOnce() {
        PodOrder order = running(Orders.on(node));
        String uid = present(order).uid();
        cluster.silence(node);

        PodSighting first = done(gateway.delete(order.name(), uid));
        PodSighting second = done(gateway.delete(order.name(), uid));

        assertThat(first.terminating()).isTrue();
        assertThat(second.terminating()).isTrue();
        assertThat(second.uid()).isEqualTo(uid);
    }

    @Test
    void deletingAPodThatHasEndedRemovesIt() {
        PodOrder order = running(Orders.on(node));
        cluster.endContainers(order.name(), 0);
        awaitPhase(order, Phase.SUCCEEDED);

        PodSighting last = done(gateway.delete(order.name(), present(order).uid()));

        assertThat(last.phase()).isEqualTo(Phase.SUCCEEDED);
        assertThat(last.exitCode()).isZero();
        awaitAbsent(order);
    }

    @Test
    void aDeletedPodOnASilentNodeStaysUntilTheNodeSpeaks() {
        PodOrder order = running(Orders.on(node));
        cluster.silence(node);

        gateway.delete(order.name(), present(order).uid());

        cluster.settle();
        assertThat(present(order).terminating()).isTrue();
        assertThat(present(order).exitCode()).isNull();
        cluster.recover(node);
        awaitAbsent(order);
    }

    // Reading and listing.

    @Test
    void readingNothingIsAbsent() {
        assertThat(gateway.read(Orders.on(node).name())).isInstanceOf(Outcome.Absent.class);
    }

    @Test
    void theListHasExactlyThePodsOfTutti() {
        PodOrder unbound = Orders.on(node);
        PodOrder bound = Orders.on(otherNode);
        created(unbound);
        bound(bound);
        cluster.addForeignPod("their-pod", Map.of());

        List<PodSighting> pods = gateway.pods();

        assertThat(pods).extracting(PodSighting::name).containsExactlyInAnyOrder(unbound.name(), bound.name());
        assertThat(pods)
                .extracting(PodSighting::allocation)
                .containsExactlyInAnyOrder(unbound.allocation(), bound.allocation());
    }

    @Test
    void aForgedAllocationOnAnothersPodIsIgnored() {
        RecordingInbox inbox = watching();
        PodOrder order = Orders.on(node);
        created(order);
        cluster.addForeignPod(
                "their-pod", Map.of(PodMarks.ALLOCATION, order.allocation().toString(), PodMarks.TERM, "99"));
        cluster.await("our pod is seen", () -> inbox.sawPod(order.name(), pod -> true));
        cluster.settle();

        assertThat(gateway.pods())
                .filteredOn(pod -> order.allocation().equals(pod.allocation()))
                .extracting(PodSighting::name)
                .containsExactly(order.name());
        assertThat(inbox.sawPod("their-pod", pod -> pod.allocation() != null)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "-1",
                "0",
                "1.5",
                "99999999999999999999",
                "1; drop table",
                "٣",
                "1e3",
                " 12",
                "+5",
                "0x1F"
            })
    void nonsenseInTheAllocationAnnotationIsNoAllocation(String nonsense) {
        PodOrder order = Orders.on(node);
        PodSighting pod = created(order);

        cluster.annotate(order.name(), PodMarks.ALLOCATION, nonsense);

        assertThat(present(order).allocation()).isNull();
        assertThat(present(order).uid()).isEqualTo(pod.uid());
        assertThat(gateway.pods()).extracting(PodSighting::uid).contains(pod.uid());
    }

    @Test
    void anAllocationThatSomebodyChangedIsReadAsItIs() {
        PodOrder order = Orders.on(node);
        created(order);

        cluster.annotate(order.name(), PodMarks.ALLOCATION, "123456789");

        assertThat(present(order).allocation()).isEqualTo(new AllocationId(123_456_789));
    }

    // Watching.

    @Test
    void theWatchSeesEveryPhaseOfAPod() {
        RecordingInbox inbox = watching();
        PodOrder order = running(Orders.on(node));
        cluster.endContainers(order.name(), 0);

        cluster.await("it succeeded", () -> inbox.sawPod(order.name(), pod -> pod.phase() == Phase.SUCCEEDED));

        assertThat(inbox.sawPod(order.name(), pod -> pod.node() == null)).isTrue();
        assertThat(inbox.sawPod(order.name(), pod -> pod.phase() == Phase.PENDING && node.equals(pod.node())))
                .isTrue();
        assertThat(inbox.sawPod(order.name(), pod -> pod.phase() == Phase.RUNNING))
                .isTrue();
        assertThat(inbox.pods(order.name()))
                .allSatisfy(pod -> assertThat(pod.allocation()).isEqualTo(order.allocation()));
    }

    @Test
    void theWatchSeesAPodThatIsRemovedByForceAsGoneWithoutAReport() {
        RecordingInbox inbox = watching();
        PodOrder order = running(Orders.on(node));

        cluster.forceDelete(order.name());

        cluster.await("it is gone", () -> inbox.sawPod(order.name(), PodSighting::deleted));
        assertThat(inbox.pods(order.name()))
                .allSatisfy(pod -> assertThat(pod.exitCode()).isNull());
    }

    @Test
    void afterABrokenWatchTheInboxHearsOfAGapOrMissesNothing() {
        RecordingInbox inbox = watching();
        PodOrder before = Orders.on(node);
        created(before);
        cluster.await("the watch works", () -> inbox.sawPod(before.name(), pod -> true));
        cluster.breakWatches();
        PodOrder unseen = Orders.on(node);
        created(unseen);
        cluster.mendWatches();

        cluster.await(
                "a gap is told or the pod is seen", () -> inbox.gaps() > 0 || inbox.sawPod(unseen.name(), p -> true));

        assertThat(gateway.pods()).extracting(PodSighting::name).contains(before.name(), unseen.name());
        PodOrder after = Orders.on(node);
        created(after);
        cluster.await("the watch works again", () -> inbox.sawPod(after.name(), pod -> true));
    }

    // Nodes.

    @Test
    void nodesTellWhatTheyHave() {
        NodeSighting seen = seen(node).orElseThrow();

        assertThat(seen.uid()).isNotEmpty();
        assertThat(seen.ready()).isTrue();
        assertThat(seen.schedulable()).isTrue();
        assertThat(seen.deleted()).isFalse();
        assertThat(seen.cpuMilli()).isEqualTo(64_000);
        assertThat(seen.memoryMib()).isEqualTo(524_288);
        assertThat(seen.podSlots()).isPositive();
        assertThat(seen.flavor()).isNotEmpty().isNotEqualTo("cpu");
        assertThat(seen.labels()).containsEntry("kubernetes.io/hostname", node);
        assertThat(seen.devices()).hasSize(8);
        assertThat(seen.devices()).extracting(NodeSighting.Device::index).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(seen.devices()).extracting(NodeSighting.Device::healthy).containsOnly(true);
    }

    @Test
    void aCordonedNodeIsNotSchedulableAndWhatRunsGoesOn() {
        RecordingInbox inbox = watching();
        PodOrder order = running(Orders.on(node));

        cluster.cordon(node);

        cluster.await("the watch sees it", () -> inbox.sawNode(node, seen -> !seen.schedulable()));
        assertThat(seen(node).orElseThrow().schedulable()).isFalse();
        assertThat(seen(node).orElseThrow().ready()).isTrue();
        assertThat(present(order).phase()).isEqualTo(Phase.RUNNING);
        cluster.uncordon(node);
        awaitNode("it is open again", node, NodeSighting::schedulable);
    }

    @Test
    void aSilentNodeIsNotReadyAndItsPodsStayAsTheyWere() {
        RecordingInbox inbox = watching();
        PodOrder order = running(Orders.on(node));

        cluster.silence(node);

        cluster.await("the watch sees it", () -> inbox.sawNode(node, seen -> !seen.ready()));
        assertThat(seen(node).orElseThrow().deleted()).isFalse();
        assertThat(present(order).exitCode()).isNull();
        cluster.recover(node);
        awaitNode("it is ready again", node, NodeSighting::ready);
        assertThat(seen(otherNode).orElseThrow().ready()).isTrue();
    }

    @Test
    void whatEndedDuringSilenceIsReportedAfterIt() {
        PodOrder order = running(Orders.on(node));
        cluster.silence(node);
        cluster.endContainers(order.name(), 3);
        cluster.settle();
        assertThat(present(order).exitCode()).isNull();

        cluster.recover(node);

        awaitPhase(order, Phase.FAILED);
        assertThat(present(order).exitCode()).isEqualTo(3);
    }

    @Test
    void aRemovedNodeIsSeenAsDeletedAndNoLongerListed() {
        RecordingInbox inbox = watching();
        String uid = seen(otherNode).orElseThrow().uid();

        cluster.removeNode(otherNode);

        cluster.await("the watch sees it", () -> inbox.sawNode(otherNode, NodeSighting::deleted));
        assertThat(inbox.sawNode(otherNode, seen -> seen.deleted() && seen.uid().equals(uid)))
                .isTrue();
        assertThat(seen(otherNode)).isEmpty();
    }

    @Test
    void anUnhealthyDeviceIsSeenAndThePodOnTheNodeRunsOn() {
        PodOrder order = running(Orders.withGpus(node, 8));

        cluster.breakOneDevice(node);

        awaitNode("one device is missing or unhealthy", node, seen -> healthy(seen) == 7);
        assertThat(seen(node).orElseThrow().devices().size()).isBetween(7, 8);
        assertThat(present(order).phase()).isEqualTo(Phase.RUNNING);
    }

    // Many at once, and the end.

    @Test
    void ofManyBindsOfOnePodExactlyOneWins() throws InterruptedException {
        PodOrder order = Orders.on(node);
        PodSighting pod = created(order);
        List<Outcome> outcomes = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            PodOrder rival = Orders.elsewhere(order, i % 2 == 0 ? node : otherNode);
            threads.add(new Thread(() -> outcomes.add(gateway.bind(pod, rival, TERM))));
        }

        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(outcomes).filteredOn(Outcome.Done.class::isInstance).hasSize(1);
        assertThat(outcomes).filteredOn(Outcome.Conflict.class::isInstance).hasSize(7);
        Outcome.Done winner = (Outcome.Done) outcomes.stream()
                .filter(Outcome.Done.class::isInstance)
                .findFirst()
                .orElseThrow();
        assertThat(present(order).node()).isEqualTo(winner.pod().node());
        assertThat(present(order).allocation()).isEqualTo(winner.pod().allocation());
    }

    @Test
    void aClosedGatewayKnowsNothingAndThrowsNothing() {
        PodOrder order = Orders.on(node);

        gateway.close();

        assertThat(gateway.create(order)).isInstanceOf(Outcome.Unknown.class);
        assertThat(gateway.read(order.name())).isInstanceOf(Outcome.Unknown.class);
    }

    private RecordingInbox watching() {
        RecordingInbox inbox = new RecordingInbox();
        gateway.watch(inbox);
        return inbox;
    }

    private PodSighting created(PodOrder order) {
        return done(gateway.create(order));
    }

    private PodSighting bound(PodOrder order) {
        return done(gateway.bind(created(order), order, TERM));
    }

    private PodOrder running(PodOrder order) {
        bound(order);
        awaitPhase(order, Phase.RUNNING);
        return order;
    }

    private PodSighting present(PodOrder order) {
        return done(gateway.read(order.name()));
    }

    private static PodSighting done(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Done.class);
        return ((Outcome.Done) outcome).pod();
    }

    private void awaitPhase(PodOrder order, Phase phase) {
        cluster.await(
                order.name() + " is " + phase,
                () -> gateway.read(order.name()) instanceof Outcome.Done done
                        && done.pod().phase() == phase);
    }

    private void awaitAbsent(PodOrder order) {
        cluster.await(order.name() + " is gone", () -> gateway.read(order.name()) instanceof Outcome.Absent);
    }

    private void awaitNode(String what, String name, Predicate<NodeSighting> holds) {
        cluster.await(what, () -> seen(name).filter(holds).isPresent());
    }

    private Optional<NodeSighting> seen(String name) {
        return gateway.nodes().stream().filter(seen -> seen.name().equals(name)).findFirst();
    }

    private static long healthy(NodeSighting node) {
        return node.devices().stream().filter(NodeSighting.Device::healthy).count();
    }

    private static PodSighting withUid(PodSighting pod, String uid) {
        return new PodSighting(
                pod.name(),
                uid,
                pod.resourceVersion(),
                pod.allocation(),
                pod.node(),
                pod.phase(),
                pod.terminating(),
                pod.deleted(),
                pod.exitCode(),
                pod.reason());
    }
}
