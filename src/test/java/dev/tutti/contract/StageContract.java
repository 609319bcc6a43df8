package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.control.BindTask;
import dev.tutti.model.JobId;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.StartAfter;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberPhase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What every store does with pod sets that start after others of their job. */
public abstract class StageContract extends StoreContract {

    private static final Duration MINUTE = Duration.ofSeconds(60);
    private static final Duration READY = Duration.ofSeconds(600);

    private JobId staged(StartAfter.When when) {
        PodTemplate template = new PodTemplate("image", List.of(), List.of(), Map.of());
        PodSet master = new PodSet("master", 1, 1, new GpuRequest.Whole(1), List.of("h100"), 1_000, 1_024, template);
        PodSet worker = new PodSet("worker", 3, 3, new GpuRequest.Whole(1), List.of("h100"), 1_000, 1_024, template)
                .after(List.of(new StartAfter("master", when)));
        JobSpec spec = job("staged", 1, 1).with(List.of(master, worker));
        nodes(1);
        JobId job = submit(spec);
        commit(place(
                job,
                waiting(job).version(),
                List.of(
                        member(job, 0, "master", 0),
                        member(job, 1, "worker", 1),
                        member(job, 2, "worker", 2),
                        member(job, 3, "worker", 3))));
        return job;
    }

    private PodPlacement member(JobId job, int rank, String podSet, int device) {
        PodPlacement pod = pod(job, rank, "n0", device);
        return new PodPlacement(
                podSet,
                rank,
                pod.node(),
                pod.flavor(),
                pod.devices(),
                pod.milliPerDevice(),
                pod.cpuMilli(),
                pod.memoryMib(),
                null,
                List.of());
    }

    private List<MemberPhase> phases(JobId job) {
        return run(job).members().stream().map(Member::phase).toList();
    }

    private List<Integer> claim() {
        return store.outbox().claim(cluster, 10, Duration.ofSeconds(10), leader).stream()
                .map(task -> task.order().rank())
                .sorted()
                .toList();
    }

    @Test
    @DisplayName("B55 a later stage holds its GPUs, and its binds are handed out when its turn comes")
    final void aLaterStageIsHandedOutWhenItsTurnComes() {
        JobId job = staged(StartAfter.When.RUNNING);
        assertThat(heldMilli("n0")).isEqualTo(4_000);
        assertThat(phases(job))
                .containsExactly(MemberPhase.COMMITTED, MemberPhase.WAITING, MemberPhase.WAITING, MemberPhase.WAITING);
        assertThat(claim()).containsExactly(0);
        store.advance(Duration.ofDays(1));
        seeFirst(job, MemberPhase.BOUND, null);
        assertThat(phases(job).subList(1, 4)).containsOnly(MemberPhase.WAITING);

        seeFirst(job, MemberPhase.RUNNING, null);
        assertThat(phases(job).subList(1, 4)).containsOnly(MemberPhase.COMMITTED);
        assertThat(run(job).state()).isEqualTo(JobState.ALLOCATED);
        assertThat(claim()).contains(1, 2, 3);
    }

    @Test
    @DisplayName("B55 the time to bind and to be ready counts for each stage from its own turn")
    final void eachStageHasItsOwnTime() {
        for (StartAfter.When when : StartAfter.When.values()) {
            JobId job = staged(when);
            seeFirst(job, MemberPhase.BOUND, null);
            store.advance(Duration.ofSeconds(500));
            assertThat(store.ledger().unboundFor(MINUTE)).isEmpty();
            assertThat(store.ledger().notReadyFor(READY)).isEmpty();
            store.advance(Duration.ofSeconds(101));
            assertThat(store.ledger().notReadyFor(READY))
                    .extracting(late -> late.job())
                    .containsExactly(job);
            seeFirst(job, MemberPhase.RUNNING, null);
            if (when == StartAfter.When.SUCCEEDED) {
                assertThat(run(job).state()).isEqualTo(JobState.RUNNING);
                store.advance(Duration.ofDays(1));
                assertThat(store.ledger().unboundFor(MINUTE)).isEmpty();
                assertThat(store.ledger().notReadyFor(READY)).isEmpty();
                seeFirst(job, MemberPhase.SUCCEEDED, EndCause.COMPLETED);
            }
            store.advance(Duration.ofSeconds(50));
            assertThat(store.ledger().unboundFor(MINUTE)).as(when.name()).isEmpty();
            store.advance(Duration.ofSeconds(11));
            assertThat(store.ledger().unboundFor(MINUTE)).as(when.name()).containsExactly(job);
            stop(job, EndCause.CANCELLED_BY_USER);
            see(job, MemberPhase.GONE, EndCause.NODE_LOST);
        }
    }

    @Test
    @DisplayName("B55 a gang that stops in its first stage asks for the end of every member, and holds nothing then")
    final void whoStopsInItsFirstStageHoldsNothing() {
        JobId job = staged(StartAfter.When.RUNNING);
        stop(job, EndCause.PREEMPTED);
        assertThat(store.outbox().claim(cluster, 10, MINUTE, leader))
                .hasSize(4)
                .allMatch(task -> task.wish() == BindTask.Wish.DELETE && !task.mayHaveBound());
        see(job, MemberPhase.GONE, EndCause.NODE_LOST);
        assertThat(run(job).state()).isEqualTo(JobState.QUEUED);
        assertNothingHeld();
    }
}
