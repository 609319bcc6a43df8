package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Plan;
import dev.tutti.control.PlanId;
import dev.tutti.control.read.QueueFigures.Figure;
import dev.tutti.control.read.QueueFigures.Kind;
import dev.tutti.model.JobId;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import dev.tutti.store.SqlTransactions;
import dev.tutti.store.queues.SqlQueueFigures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How long jobs waited for their first place: counted once a job, by the commit, and kept when the job is long gone. */
class SqlJobWaitsTest extends StoreContract {

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }

    @Test
    void eachJobCountsByItsQueueAndLaneInTheNarrowestBucketThatHoldsIt() {
        nodes(1);
        store.queues().create("team", Quotas.NONE, QueueRules.PLAIN, ANNA);
        JobId old = submit(job("old", 1, 1));
        JobId green = submit(job("green", 1, 1).with(Lane.GREEN, 0, TimeLimits.NONE, Map.of()));
        JobId other = submit(job("other", "team", 1, 1, 2));
        store.advance(Duration.ofMinutes(2));
        JobId fresh = submit(job("fresh", 1, 1));

        commit(place(old, "n0", 0), place(green, "n0", 1), place(other, "n0", 2), place(fresh, "n0", 3));

        assertThat(waits("default", "yellow")).as("old").containsEntry("300", 1L);
        assertThat(atMost(60)).as("fresh").isEqualTo(1);
        assertThat(jobs("default", "yellow")).isEqualTo(2);
        assertThat(waits("default", "green")).containsEntry("300", 1L);
        assertThat(jobs("default", "green")).isEqualTo(1);
        assertThat(waits("team", "yellow")).containsEntry("300", 1L);
        assertThat(figures())
                .filteredOn(
                        one -> one.kind() == Kind.WAITED_IN_ALL && one.queue().equals("team"))
                .singleElement()
                .satisfies(one -> assertThat(one.value()).isBetween(120_000L, 180_000L));
    }

    @Test
    void aStartAfterAnEvictionOrALossIsNotCountedAgain() {
        nodes(1);
        JobId job = submit(job("job", 1, 2));
        commit(place(job, "n0", 0, 1));
        see(job, MemberPhase.RUNNING, null);
        stop(job, EndCause.PREEMPTED);
        see(job, MemberPhase.GONE, EndCause.PREEMPTED);
        commit(place(job, "n0", 0, 1));
        see(job, MemberPhase.GONE, EndCause.NODE_LOST);
        store.advance(Duration.ofHours(1));
        commit(place(job, "n0", 0, 1));

        assertThat(run(job).attempt()).isEqualTo(3);
        assertThat(jobs("default", "yellow")).isEqualTo(1);
    }

    @Test
    void theSameCommitTwiceIsCountedOnceAndARefusedOneNever() {
        nodes(1);
        JobId first = submit(job("first", 1, 1));
        JobId second = submit(job("second", 1, 1));
        Plan.Placement stale = place(second, waiting(second).version() + 1, List.of(pod(second, 0, "n0", 1)));
        Plan.Placement placed = place(first, "n0", 0);
        PlanId plan = new PlanId(UUID.randomUUID());

        commit(plan, placed, stale);
        commit(plan, placed, stale);

        assertThat(jobs("default", "yellow")).isEqualTo(1);
    }

    @Test
    void whatWasCountedStaysWhenTheJobIsRemovedAndEveryReplicaSaysTheSame() {
        nodes(1);
        JobId job = submit(job("job", 1, 1));
        commit(place(job, "n0", 0));
        stop(job, EndCause.CANCELLED_BY_USER);
        see(job, MemberPhase.GONE, EndCause.CANCELLED_BY_USER);
        store.advance(Duration.ofHours(2));
        assertThat(((SqlStore) store).retention().pruneJobs(Duration.ofHours(1), 10, leader))
                .isEqualTo(1);

        assertThat(jobs("default", "yellow")).isEqualTo(1);
        List<Figure> elsewhere = new SqlQueueFigures(
                        new SqlTransactions(((SqlStore) store).database().dataSource()))
                .figures();
        assertThat(figures()).isEqualTo(elsewhere);
    }

    private Map<String, Long> waits(String queue, String lane) {
        return figures().stream()
                .filter(one -> one.kind() == Kind.WAITED
                        && one.queue().equals(queue)
                        && one.first().equals(lane))
                .collect(Collectors.toMap(Figure::second, Figure::value));
    }

    private long jobs(String queue, String lane) {
        return waits(queue, lane).values().stream().mapToLong(Long::longValue).sum();
    }

    private long atMost(long seconds) {
        return waits("default", "yellow").entrySet().stream()
                .filter(one -> Long.parseLong(one.getKey()) <= seconds)
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private List<Figure> figures() {
        return new SqlQueueFigures(((SqlStore) store).transactions()).figures();
    }
}
