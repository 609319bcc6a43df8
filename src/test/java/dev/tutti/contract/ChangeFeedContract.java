package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Plan.Placement;
import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.policy.Mix;
import dev.tutti.control.QueueBook.Changed;
import dev.tutti.control.view.ChangeFeed.Changes;
import dev.tutti.control.view.ChangeFeed.NodeRow;
import dev.tutti.control.view.FleetMirror;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.fleet.NodeTraits;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Quotas;
import dev.tutti.model.queue.Use;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every feed does: nothing that changed is ever missed, and what did not change mostly does not come. */
public abstract class ChangeFeedContract extends StoreContract {

    private static final TopologyLevels LEVELS =
            new TopologyLevels(List.of(new TopologyLevels.Level("rack", List.of("rack"))));

    @Test
    final void withoutACursorEverythingThatCountsComes() {
        nodes(2);
        JobId waiting = submit(job("waits", 1, 1));
        submit(job("ended", 1, 1));

        Changes all = everything();

        assertThat(all.waiting()).extracting(WaitingJob::job).contains(waiting).hasSize(2);
        assertThat(waiting(waiting).podSets()).isEqualTo(job("waits", 1, 1).podSets());
        assertThat(names(all.nodes())).containsExactly("n0", "n1");
        assertThat(all.devices().values()).hasSize(2).allMatch(devices -> devices.size() == GPUS_PER_NODE);
        assertThat(all.queues()).hasSize(1);
        NodeRow node = node("n0");
        assertThat(node.cluster()).isEqualTo(cluster);
        assertThat(node.clusterName()).isEqualTo("berlin");
        assertThat(node.flavor()).isEqualTo("h100");
        assertThat(node.domains()).containsExactly("zone-a", "rack-1");
        assertThat(node.traits()).isEqualTo(new NodeTraits(Map.of("rack", "r\"1\\"), TAINTS));
        assertThat(node.open()).isTrue();
        assertThat(node.gone()).isFalse();
        assertThat(node.closedUntilMicros()).isZero();
        assertThat(node.cpuMilli()).isEqualTo(64_000);
        assertThat(node.memoryMib()).isEqualTo(524_288);
        assertThat(node.podSlots()).isEqualTo(32);
        assertThat(devices("n0")).extracting("index").containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(devices("n0")).extracting("island").containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
        assertThat(devices("n0")).allMatch(device -> device.usable() && device.heldMilli() == 0);
    }

    @Test
    final void aJobSaysHowLongItMayHoldWhatItGets() {
        JobId limited = submit(with(job("limited", 1, 1), new TimeLimits(50, null, null)));
        JobId endless = submit(job("endless", 1, 1));

        assertThat(waiting(limited).mayRunSeconds())
                .as("its limit and its grace")
                .isEqualTo(50 + job("limited", 1, 1).graceSeconds());
        assertThat(waiting(endless).mayRunSeconds()).isZero();
    }

    @Test
    final void aJobThatHoldsCapacityComesWithWhatItsMembersHold() {
        nodes(2);
        JobId gang = submit(with(job("gang", 2, 2), new TimeLimits(50, null, null)));
        long submitted = waiting(gang).submittedAtMicros();
        List<PodPlacement> pods = List.of(pod(gang, 0, "n1", 4, 5), pod(gang, 1, "n0", 0, 7));
        String cursor = everything().cursor();
        commit(place(gang, 0, pods));

        RunningJob holds = running(store.changes().since(cursor), gang);

        assertThat(holds).isEqualTo(running(everything(), gang));
        assertThat(holds.version()).isEqualTo(1);
        assertThat(holds.lane()).isEqualTo(Lane.YELLOW);
        assertThat(holds.priority()).isEqualTo(5);
        assertThat(everything().queues()).containsKey(holds.queue());
        assertThat(holds.submittedAtMicros()).isEqualTo(submitted);
        assertThat(holds.startedAtMicros()).isBetween(submitted, everything().nowMicros());
        assertThat(holds.endsByMicros()).isEqualTo(holds.startedAtMicros() + 50_000_000);
        assertThat(holds.protectedUntilMicros()).isZero();
        assertThat(holds.leaving()).isFalse();
        assertThat(holds.beneficiaries()).isEmpty();
        assertThat(holds.members()).isEqualTo(pods);
        assertThat(holds.minCounts()).isEqualTo(Map.of("worker", 2));
    }

    @Test
    final void sharesInstancesAndNicsComeAsTheyAreHeld() {
        nodes(1);
        JobId instance = submit(mig("instance", 1, "3g.40gb"));
        JobId share = submit(job("share", 1, 300));
        JobId whole = submit(job("whole", 1, 1));
        JobId cpu = submit(job("cpu", 1, 0));
        List<Placement> placements = List.of(
                cut(instance, "n0", 0, 4),
                place(share, "n0", 1),
                place(whole, "n0", 2, List.of(1, 1)),
                place(cpu, 0, List.of(pod(cpu, 0, "n0"))));
        commit(placements.toArray(Placement[]::new));

        Changes all = everything();

        for (Placement placement : placements) {
            assertThat(running(all, placement.job()).members()).isEqualTo(placement.members());
        }
    }

    @Test
    final void aJobThatHoldsCapacityComesAgainWithEveryMemberLessAndVanishesWithTheLast() {
        nodes(1);
        JobId gang = submit(job("gang", 2, 1));
        commit(place(gang, 0, List.of(pod(gang, 0, "n0", 0), pod(gang, 1, "n0", 1))));
        FleetMirror mirror = new FleetMirror(LEVELS);
        mirror.take(everything());
        assertThat(mirror.running().job(gang)).isNotNull();
        see(gang, MemberPhase.RUNNING, null);
        mirror.take(store.changes().since(mirror.cursor()));
        RunningJob runs = mirror.running().job(gang);
        assertThat(runs.members()).hasSize(2);
        assertThat(runs.leaving()).isFalse();
        assertThat(runs.endsByMicros()).as("no limit").isZero();

        seeFirst(gang, MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        mirror.take(store.changes().since(mirror.cursor()));
        assertThat(mirror.running().job(gang).members())
                .extracting(PodPlacement::rank)
                .containsExactly(1);
        stop(gang, EndCause.NODE_LOST);
        mirror.take(store.changes().since(mirror.cursor()));
        assertThat(mirror.running().job(gang).leaving()).isTrue();
        long revision = mirror.revision();
        see(gang, MemberPhase.GONE, EndCause.NODE_LOST);
        mirror.take(store.changes().since(mirror.cursor()));

        assertThat(mirror.running().jobs()).isEmpty();
        assertThat(mirror.revision()).isGreaterThan(revision);
        assertThat(everything().running()).isEmpty();
    }

    @Test
    final void aDeadlineBeforeTheEndOfTheRunTimeIsWhatEndsAJob() {
        nodes(1);
        Instant deadline = Instant.ofEpochSecond(everything().nowMicros() / 1_000_000 + 40);
        JobId soon = submit(with(job("soon", 1, 1), new TimeLimits(3_600, deadline, null)));
        commit(place(soon, "n0", 0));

        assertThat(running(everything(), soon).endsByMicros()).isEqualTo(deadline.getEpochSecond() * 1_000_000);
    }

    private static RunningJob running(Changes changes, JobId job) {
        return changes.running().stream()
                .filter(one -> one.job().equals(job))
                .findFirst()
                .orElseThrow(() -> new AssertionError(job + " holds nothing"));
    }

    @Test
    final void whenNothingChangedNothingComes() {
        nodes(2);
        submit(job("waits", 1, 1));
        String cursor = everything().cursor();

        Changes none = store.changes().since(cursor);

        assertThat(none.waiting()).isEmpty();
        assertThat(none.settled()).isEmpty();
        assertThat(none.running()).isEmpty();
        assertThat(none.nodes()).isEmpty();
        assertThat(none.devices()).isEmpty();
    }

    @Test
    final void aCommitChangesTheJobItsNodesAndItsQueue() {
        nodes(2);
        JobId job = submit(job("job", 1, 2));
        QueueId queue = waiting(job).queue();
        String cursor = everything().cursor();
        commit(place(job, "n1", 2, 3));

        Changes changes = store.changes().since(cursor);

        assertThat(changes.settled()).containsExactly(job);
        assertThat(changes.waiting()).isEmpty();
        assertThat(names(changes.nodes())).containsExactly("n1");
        assertThat(changes.devices()).containsOnlyKeys(node("n1").id());
        assertThat(changes.devices().get(node("n1").id())).hasSize(GPUS_PER_NODE);
        assertThat(changes.queues().get(queue).used().get(QuotaKey.gpus("h100")))
                .isEqualTo(new Use(0, 2_000, 0));
    }

    @Test
    final void aReleaseChangesThemBack() {
        nodes(1);
        JobId job = submit(job("job", 1, 2));
        commit(place(job, "n0", 2, 3));
        stop(job, EndCause.PREEMPTED);
        String cursor = everything().cursor();
        see(job, MemberPhase.GONE, EndCause.PREEMPTED);

        Changes changes = store.changes().since(cursor);

        assertThat(changes.waiting()).extracting(WaitingJob::job).containsExactly(job);
        assertThat(changes.devices().get(node("n0").id())).allMatch(device -> device.heldMilli() == 0);
        assertThat(changes.queues().values())
                .allMatch(share -> share.used().values().stream().allMatch(use -> use.total() == 0));
    }

    @Test
    final void aDeviceThatVanishedIsMissingFromItsNode() {
        nodes(2);
        String cursor = everything().cursor();
        observe(sighting("n0", "uid-n0", "boot-1", true, true, 6));

        Changes changes = store.changes().since(cursor);

        assertThat(changes.devices().get(node("n0").id())).extracting("index").containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(changes.devices()).doesNotContainKey(node("n1").id());
    }

    @Test
    final void aClusterOutOfReachClosesItsNodesUntilItAnswersAgain() {
        nodes(2);
        String cursor = everything().cursor();
        store.fleet().reach(cluster, false, leader);
        Changes changes = store.changes().since(cursor);
        assertThat(names(changes.nodes())).containsExactly("n0", "n1");
        assertThat(changes.nodes()).noneMatch(NodeRow::open);

        store.fleet().reach(cluster, true, leader);
        assertThat(store.changes().since(changes.cursor()).nodes()).hasSize(2).allMatch(NodeRow::open);
    }

    @Test
    final void queuesComeWithQuotaHoldAndParentAndGoWhenRemoved() {
        String cursor = everything().cursor();
        long top =
                done(store.queues().create("research", Quotas.ofGpus(Map.of("h100", 8_000L)), QueueRules.PLAIN, ANNA));
        long leaf = done(store.queues().create("research/llm", Quotas.NONE, QueueRules.PLAIN, ANNA));
        store.queues().change(leaf, 0, null, QueueRules.PLAIN.withHeld(true), ANNA);

        Changes changes = store.changes().since(cursor);

        assertThat(changes.queues().get(new QueueId(top)).quotas())
                .isEqualTo(Map.of(QuotaKey.gpus("h100"), Quota.of(8_000)));
        QueueShares.Share share = changes.queues().get(new QueueId(leaf));
        assertThat(share.parent()).isEqualTo(new QueueId(top));
        assertThat(share.rules().held()).isTrue();
        assertThat(share.quotas()).isEmpty();

        store.queues().remove(leaf, 1, ANNA);
        Changes after = store.changes().since(changes.cursor());
        assertThat(after.removedQueues()).containsExactly(new QueueId(leaf));
        assertThat(after.queues()).doesNotContainKey(new QueueId(leaf));
        assertThat(everything().queues()).doesNotContainKey(new QueueId(leaf));
    }

    @Test
    final void readingFromEveryCursorLeadsToTheSame() {
        nodes(1);
        List<JobId> jobs = submitAll(List.of(job("a", 1, 1), job("b", 1, 1), job("c", 1, 1)));
        String start = everything().cursor();
        commit(place(jobs.get(0), "n0", 0));
        String middle = store.changes().since(start).cursor();
        store.jobs().stop(jobs.get(1), EndCause.CANCELLED_BY_USER, null, ANNA);

        assertThat(store.changes().since(start).settled()).contains(jobs.get(0), jobs.get(1));
        assertThat(store.changes().since(middle).settled()).contains(jobs.get(1));
        assertThat(everything().waiting()).extracting(WaitingJob::job).containsExactly(jobs.get(2));
    }

    @Test
    final void aJobThatNeverWaitedAtAReadingIsStillToldOf() {
        nodes(1);
        String cursor = everything().cursor();
        JobId job = submit(job("short", 3, 2));
        store.jobs().stop(job, EndCause.CANCELLED_BY_USER, null, ANNA);

        Changes changes = store.changes().since(cursor);

        assertThat(changes.waiting()).isEmpty();
        assertThat(changes.recent()).singleElement().satisfies(recent -> {
            assertThat(recent.job()).isEqualTo(job);
            assertThat(recent.podSets()).isEqualTo(job("short", 3, 2).podSets());
            assertThat(recent.submittedAtMicros()).isPositive();
        });
    }

    @Test
    final void whoBeginsAnewKnowsWhatWasAskedForAsWellAsWhoWasThere() {
        nodes(1);
        FleetMirror there = new FleetMirror(LEVELS);
        for (int round = 0; round < 12; round++) {
            int gpus = round % 3;
            List<JobId> jobs = submitAll(IntStream.range(0, 7)
                    .mapToObj(i -> job("j", 1 + i, gpus == 0 ? 100 + i : gpus))
                    .toList());
            there.take(store.changes().since(there.cursor()));
            store.jobs().stop(jobs.get(round % 7), EndCause.CANCELLED_BY_USER, null, ANNA);
            List<JobId> unseen = submitAll(List.of(job("unseen", 1, 3), job("seen", 1, 4)));
            store.jobs().stop(unseen.get(0), EndCause.CANCELLED_BY_USER, null, ANNA);
            there.take(store.changes().since(there.cursor()));
            commit(place(unseen.get(1), "n0", 0, 1, 2, 3));
            see(unseen.get(1), MemberPhase.GONE, EndCause.PREEMPTED);
            store.jobs().stop(unseen.get(1), EndCause.CANCELLED_BY_USER, null, ANNA);
            there.take(store.changes().since(there.cursor()));
        }

        FleetMirror anew = new FleetMirror(LEVELS);
        anew.take(everything());

        Mix mix = anew.snapshot().mix();
        assertThat(mix).isEqualTo(there.snapshot().mix()).isNotEqualTo(Mix.UNKNOWN);
        assertThat(mix.asks()).anyMatch(ask -> ask.shape().devices() == 3);
    }

    private static long done(Changed changed) {
        return ((Changed.Done) changed).id();
    }
}
