package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan.Placement;
import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.allocator.Plan.Wait;
import dev.tutti.control.QueueBook.Changed;
import dev.tutti.control.Receipt;
import dev.tutti.control.intake.QueueForecast;
import dev.tutti.control.intake.QueueForecast.OverLimit;
import dev.tutti.control.intake.QueueTrial;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.QueueLimits;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every store refuses whatever a plan says: more whole nodes of a flavor than a queue may hold. */
abstract class WholeNodeLimitsContract extends StoreContract {

    static final int[] ALL = {0, 1, 2, 3, 4, 5, 6, 7};

    @Test
    final void ofAPlanWithOneNodeTooManyTheOthersStart() {
        nodes(5);
        create("team", limited(2));
        List<JobId> jobs = submitAll(List.of(
                whole("a", "team", 1),
                whole("b", "team", 1),
                whole("c", "team", 1),
                job("part", "team", 1, 7, 0),
                whole("other", "default", 1)));

        Receipt receipt = commit(
                place(jobs.get(0), "n0", ALL),
                place(jobs.get(1), "n1", ALL),
                place(jobs.get(2), "n2", ALL),
                place(jobs.get(3), "n3", 0, 1, 2, 3, 4, 5, 6),
                place(jobs.get(4), "n4", ALL));

        assertThat(receipt.committed())
                .as("seven of eight are no whole node, and another queue has no limit")
                .containsExactlyInAnyOrder(jobs.get(0), jobs.get(1), jobs.get(3), jobs.get(4));
        assertThat(receipt.refused()).containsOnlyKeys(jobs.get(2));
        assertThat(receipt.refused().get(jobs.get(2))).contains("team");
    }

    @Test
    final void aGangTakesAsManyAsItHasSuchPodsAndEveryQueueAboveCounts() {
        nodes(5);
        create("top", limited(3));
        create("top/a", limited(3));
        create("top/b", QueueRules.PLAIN);
        JobId two = submit(whole("two", "top/a", 2));
        JobId gang = submit(whole("gang", "top/b", 2));
        JobId one = submit(whole("one", "top/b", 1));

        assertThat(commit(gang(two, 0, 2)).committed()).containsExactly(two);
        assertThat(commit(gang(gang, 2, 2)).refused()).as("four of three").containsOnlyKeys(gang);
        assertThat(commit(place(one, "n2", ALL)).committed()).containsExactly(one);
    }

    @Test
    final void aMemberThatLeavesGivesItsNodeBackAndOneThatJoinsTakesOne() {
        nodes(5);
        create("team", limited(3));
        JobId gang = submit(whole("gang", "team", 2));
        JobId next = submit(whole("next", "team", 1));
        List<PodPlacement> pods = pods(gang, 0, 4);
        commit(place(gang, waiting(gang).version(), pods.subList(0, 2)));
        see(gang, MemberPhase.RUNNING, null);

        assertThat(commit(more(gang, pods.subList(2, 4))).refused()).as("four").containsOnlyKeys(gang);
        assertThat(commit(more(gang, pods.subList(2, 3))).committed())
                .as("three")
                .containsExactly(gang);
        assertThat(commit(place(next, "n4", ALL)).refused()).containsOnlyKeys(next);
        stop(gang, EndCause.CANCELLED_BY_USER);
        assertThat(commit(place(next, "n4", ALL)).refused()).as("it stops").containsOnlyKeys(next);
        seeFirst(gang, MemberPhase.GONE, null);
        assertThat(commit(place(next, "n4", ALL)).committed()).containsExactly(next);
    }

    @Test
    final void aLowerLimitIsADebtAndATrialTellsIt() {
        nodes(5);
        long queue = create("team", QueueRules.PLAIN);
        List<JobId> jobs = submitAll(
                List.of(whole("a", "team", 2), QueueTrialContract.plain("team", 8), job("part", "team", 1, 4, 0)));
        commit(gang(jobs.get(0), 0, 2));
        QueueTrial trial = new QueueTrial(store.changes(), QueueTrialContract.LEVELS, new GangAllocator());

        QueueForecast lower = trial.change(queue, Quotas.NONE, limited(1));
        assertThat(lower.overLimits())
                .containsExactly(new OverLimit(new QueueId(queue), "maxWholeNodes.h100", 2, 0, 1));
        assertThat(lower.evictions().total()).isZero();
        assertThat(lower.delays().items())
                .extracting(QueueForecast.Verdict::job)
                .as("of those who would start now")
                .containsExactly(jobs.get(1));
        assertThat(store.queues().change(queue, 0, null, limited(1), ANNA)).isInstanceOf(Changed.Done.class);

        QueueForecast higher = trial.change(queue, Quotas.NONE, limited(3));
        assertThat(higher.overLimits())
                .as("no more")
                .containsExactly(new OverLimit(new QueueId(queue), "maxWholeNodes.h100", 2, 1, 0));
        assertThat(higher.starts().items()).extracting(QueueForecast.Start::job).containsExactly(jobs.get(1));
        assertThat(everything().running()).hasSize(1);
        assertThat(commit(place(jobs.get(1), "n2", ALL)).refused()).containsOnlyKeys(jobs.get(1));
        assertThat(commit(place(jobs.get(2), "n2", 0, 1, 2, 3)).committed())
                .as("a part of a node is none")
                .containsExactly(jobs.get(2));
        see(jobs.get(0), MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        assertThat(commit(place(jobs.get(1), "n3", ALL)).committed()).containsExactly(jobs.get(1));
    }

    @Test
    final void whatIsLimitedIsTold() {
        nodes(1);
        QueueLimits limits = limited(Map.of("h100", 4, "b200", 0)).limits();
        long queue = create("team", QueueRules.PLAIN.withLimits(limits));
        assertThat(everything().queues().get(new QueueId(queue)).rules().limits())
                .isEqualTo(limits);
        store.queues().change(queue, 0, null, QueueRules.PLAIN, ANNA);
        assertThat(everything().queues().get(new QueueId(queue)).rules().limits())
                .isEqualTo(QueueLimits.NONE);
    }

    @Test
    final void aNodeIsWholeForAPodWithAsManyGpusAsTheLargestOfItsFlavor() {
        observe(sighting("n0", "uid-n0", "boot-1", true, true, 4), sighting("n1"));
        create("team", limited(0));
        JobId four = submit(job("four", "team", 1, 4, 0));
        JobId eight = submit(whole("eight", "team", 1));

        assertThat(commit(place(four, "n0", 0, 1, 2, 3)).committed()).containsExactly(four);
        assertThat(commit(place(eight, "n1", ALL)).refused()).containsOnlyKeys(eight);
    }

    @Test
    final void aReasonOfThisKindIsKept() {
        JobId job = submit(whole("waits", "default", 1));
        Reason reason = new Reason(ReasonCode.WHOLE_NODES_LIMIT, "wholeNodes", 1, 0, "all are held");
        waitFor(new Wait(job, waiting(job).version(), reason));
        assertThat(waiting(job).verdict()).isEqualTo(reason);
    }

    /** Plans of many deciders who each saw an old state, in any order, and jobs that end between them. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    final void whateverComesInWhateverOrderNoLimitIsExceeded(long seed) {
        Random random = new Random(seed);
        nodes(8);
        create("top", limited(3));
        create("top/a", limited(2));
        create("top/b", QueueRules.PLAIN);
        List<JobId> jobs = submitAll(IntStream.range(0, 16)
                .mapToObj(i -> whole("j" + i, i % 2 == 0 ? "top/a" : "top/b", 1))
                .toList());
        List<Placement> plans = IntStream.range(0, 16)
                .mapToObj(i -> place(jobs.get(i), "n" + i % 8, ALL))
                .toList();
        Map<Integer, JobId> running = new TreeMap<>();
        int most = 0;
        int refused = 0;
        for (int step = 0; step < 60; step++) {
            int next = random.nextInt(16);
            if (random.nextInt(3) == 0 && !running.isEmpty()) {
                int ends = List.copyOf(running.keySet()).get(random.nextInt(running.size()));
                see(jobs.get(ends), MemberPhase.SUCCEEDED, EndCause.COMPLETED);
                running.remove(ends);
            } else if (commit(plans.get(next)).committed().contains(jobs.get(next))) {
                running.put(next, jobs.get(next));
            } else {
                refused++;
            }
            long ofA = running.keySet().stream().filter(i -> i % 2 == 0).count();
            assertThat(ofA).isLessThanOrEqualTo(2);
            assertThat(running).hasSizeLessThanOrEqualTo(3);
            most = Math.max(most, running.size());
        }
        assertThat(most).isEqualTo(3);
        assertThat(refused).isPositive();
    }

    private Placement gang(JobId job, int firstNode, int pods) {
        return place(job, waiting(job).version(), pods(job, firstNode, pods));
    }

    private List<PodPlacement> pods(JobId job, int firstNode, int count) {
        List<PodPlacement> pods = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pods.add(pod(job, i, "n" + (firstNode + i), ALL));
        }
        return pods;
    }

    private Placement more(JobId job, List<PodPlacement> pods) {
        return new Placement(job, run(job).version(), pods, true);
    }

    private long create(String path, QueueRules rules) {
        return ((Changed.Done) store.queues().create(path, Quotas.NONE, rules, ANNA)).id();
    }

    static QueueRules limited(int nodes) {
        return limited(Map.of("h100", nodes));
    }

    private static QueueRules limited(Map<String, Integer> nodes) {
        return QueueRules.PLAIN.withLimits(new QueueLimits(null, null, null, null, null, nodes));
    }

    static JobSpec whole(String name, String queue, int pods) {
        return job(name, queue, pods, 8, 0);
    }
}
