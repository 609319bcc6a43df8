package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.control.QueueBook.Changed;
import dev.tutti.control.intake.QueueForecast;
import dev.tutti.control.intake.QueueForecast.Eviction;
import dev.tutti.control.intake.QueueForecast.OverUse;
import dev.tutti.control.intake.QueueForecast.Start;
import dev.tutti.control.intake.QueueTrial;
import dev.tutti.control.view.ChangeFeed.Changes;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.fleet.Toleration;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Quotas;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A dry run of a change of a queue says what the next decision would do otherwise, and writes nothing. */
abstract class QueueTrialContract extends StoreContract {

    static final TopologyLevels LEVELS = new TopologyLevels(List.of(
            new TopologyLevels.Level("zone", List.of("zone")), new TopologyLevels.Level("rack", List.of("rack"))));

    private static final NodeRules ANYWHERE =
            new NodeRules(Map.of(), List.of(new Toleration(null, Toleration.Operator.EXISTS, "", null)));

    @Test
    final void aSmallerQuotaSaysWhoWouldLeaveForWhom() {
        nodes(1);
        long owner = create("owner", 4_000);
        long user = create("user", 6_000);
        JobId victim = running("user", 6);
        JobId waiting = submit(plain("owner", 4));

        assertThat(trial().change(user, quotas(6_000), QueueRules.PLAIN)
                        .evictions()
                        .total())
                .as("no change, no difference")
                .isZero();
        Changes before = everything();
        QueueForecast forecast = trial().change(user, quotas(4_000), QueueRules.PLAIN);

        assertThat(forecast.evictions().items())
                .containsExactly(new Eviction(victim, new QueueId(user), 1, true, 6_000, EndCause.RECLAIMED, waiting));
        assertThat(forecast.evictions().gpuMilli()).isEqualTo(6_000);
        assertThat(forecast.starts().total()).isZero();
        assertThat(forecast.verdicts().items()).singleElement().satisfies(verdict -> {
            assertThat(verdict.job()).isEqualTo(waiting);
            assertThat(verdict.queue()).isEqualTo(new QueueId(owner));
            assertThat(verdict.after().code()).isEqualTo(ReasonCode.WAITING_FOR_VICTIMS);
        });
        assertThat(forecast.overUse())
                .containsExactly(new OverUse(new QueueId(user), QuotaKey.gpus("h100"), 6_000, 0, 2_000));
        assertThat(everything().queues()).as("nothing is written").isEqualTo(before.queues());
        assertThat(everything().waiting()).isEqualTo(before.waiting());
        assertThat(everything().running()).isEqualTo(before.running());
    }

    @Test
    final void aLargerQuotaSaysWhoWouldStart() {
        nodes(1);
        long queue = create("small", 2_000);
        running("small", 2);
        JobId next = submit(plain("small", 3));
        JobId last = submit(plain("small", 2));

        QueueForecast forecast = trial().change(queue, quotas(5_000), QueueRules.PLAIN);

        assertThat(forecast.starts().items()).containsExactly(new Start(next, new QueueId(queue), 3_000));
        assertThat(forecast.starts().gpuMilli()).isEqualTo(3_000);
        assertThat(forecast.evictions().total()).isZero();
        assertThat(forecast.delays().total()).isZero();
        assertThat(trial().change(queue, quotas(7_000), QueueRules.PLAIN)
                        .starts()
                        .items())
                .extracting(Start::job)
                .containsExactly(next, last);
    }

    @Test
    final void aHoldSaysWhoWouldNotStartAndWhoWouldWaitForAnotherReason() {
        nodes(1);
        long queue = create("team", 8_000);
        JobId starts = submit(plain("team", 5));
        JobId waits = submit(plain("team", 4));

        QueueForecast forecast = trial().change(queue, quotas(8_000), QueueRules.PLAIN.withHeld(true));

        assertThat(forecast.delays().items()).singleElement().satisfies(verdict -> {
            assertThat(verdict.job()).isEqualTo(starts);
            assertThat(verdict.gpuMilli()).isEqualTo(5_000);
            assertThat(verdict.before()).isNull();
            assertThat(verdict.after().code()).isEqualTo(ReasonCode.QUEUE_HELD);
        });
        assertThat(forecast.verdicts().items()).singleElement().satisfies(verdict -> {
            assertThat(verdict.job()).isEqualTo(waits);
            assertThat(verdict.before()).isEqualTo(ReasonCode.WAITING_FOR_QUOTA);
            assertThat(verdict.after().code()).isEqualTo(ReasonCode.QUEUE_HELD);
        });
    }

    @Test
    final void aRemovalSaysWhoLosesWhatTheQueueLent() {
        nodes(1);
        long lender = create("lender", 4_000);
        create("borrower", 4_000);
        running("borrower", 4);
        JobId borrows = submit(plain("borrower", 2));

        QueueForecast forecast = trial().removal(lender);

        assertThat(forecast.delays().items()).singleElement().satisfies(verdict -> {
            assertThat(verdict.job()).isEqualTo(borrows);
            assertThat(verdict.after().code()).isEqualTo(ReasonCode.WAITING_FOR_QUOTA);
        });
        assertThat(everything().queues()).containsKey(new QueueId(lender));
    }

    @Test
    final void oneListShowsOnlyTheFirstAndCountsAll() {
        nodes(13);
        long queue = create("many", 0);
        IntStream.range(0, 13 * 8).forEach(i -> submit(plain("many", 1)));

        QueueForecast forecast = trial().change(queue, quotas(1_000_000), QueueRules.PLAIN);

        assertThat(forecast.starts().total()).isEqualTo(104);
        assertThat(forecast.starts().gpuMilli()).isEqualTo(104_000);
        assertThat(forecast.starts().items()).hasSize(QueueForecast.SHOWN);
    }

    @Test
    final void aTryIsRefusedLikeTheChangeAndChangesNothing() {
        long queue = create("team", 4_000);

        assertThat(store.queues().tryChange(queue, 7, quotas(1), null)).isEqualTo(new Changed.Stale(0));
        assertThat(store.queues().tryChange(999, 0, quotas(1), null)).isEqualTo(new Changed.NotFound());
        assertThat(store.queues().tryChange(queue, 0, quotas(1), QueueRules.PLAIN.withHeld(true)))
                .isInstanceOf(Changed.Done.class);
        assertThat(store.queues().tryRemove(queue, 0)).isInstanceOf(Changed.Done.class);
        assertThat(store.queues().change(queue, 0, quotas(2), null, ANNA))
                .as("the version is what it was")
                .isEqualTo(new Changed.Done(queue, 1));
    }

    private QueueTrial trial() {
        return new QueueTrial(store.changes(), LEVELS, new GangAllocator());
    }

    private long create(String path, long milli) {
        return ((Changed.Done) store.queues().create(path, quotas(milli), QueueRules.PLAIN, ANNA)).id();
    }

    private static Quotas quotas(long milli) {
        return Quotas.ofGpus(Map.of("h100", milli));
    }

    /** One pod of so many GPUs on the first devices of n0. */
    private JobId running(String queue, int gpus) {
        JobId job = submit(plain(queue, gpus));
        commit(place(job, "n0", IntStream.range(0, gpus).toArray()));
        see(job, MemberPhase.RUNNING, null);
        return job;
    }

    static JobSpec plain(String queue, int gpus) {
        PodTemplate template = new PodTemplate("busybox:1", List.of(), List.of(), Map.of());
        PodSet set = new PodSet(
                "worker",
                1,
                1,
                new GpuRequest.Whole(gpus),
                List.of(),
                1_000,
                1_024,
                template,
                TopologyWish.NONE,
                null,
                ANYWHERE,
                List.of(),
                NicRequest.NONE);
        return new JobSpec(queue, queue, Lane.YELLOW, 0, List.of(set), TopologyWish.NONE, 60, 30, 0, Map.of());
    }
}
