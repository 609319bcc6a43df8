package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.control.Actor;
import dev.tutti.control.Deposed;
import dev.tutti.control.JobBook.Steered;
import dev.tutti.control.JobBook.Submitted;
import dev.tutti.model.JobId;
import dev.tutti.model.Violation;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs that ended long ago are removed whole, and nothing else is. */
class SqlRetentionTest extends StoreContract {

    private static final Duration AGE = Duration.ofDays(30);

    @Override
    protected StoreUnderTest open() {
        return new SqlStore();
    }

    private int prune(int rows) {
        return ((SqlStore) store).retention().pruneJobs(AGE, rows, leader);
    }

    private long rows(String table) {
        return ((SqlStore) store)
                .database()
                .jdbcClient()
                .sql("SELECT count(*) FROM " + table)
                .query(Long.class)
                .single();
    }

    private void cancel(JobId job) {
        store.jobs().stop(job, EndCause.CANCELLED_BY_USER, null, ANNA);
    }

    private boolean isThere(JobId job) {
        return !store.ledger().runs(List.of(job)).isEmpty();
    }

    @Test
    void aJobIsRemovedWithAllItsAttemptsWhenItsTimeIsOver() {
        nodes(1);
        JobId old = submit(job("old", 2, 1));
        commit(place(old, waiting(old).version(), List.of(pod(old, 0, "n0", 0), pod(old, 1, "n0", 1))));
        see(old, MemberPhase.RUNNING, null);
        see(old, MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        store.advance(AGE.minusSeconds(5));
        JobId young = submit(job("young", 1, 1));
        cancel(young);
        JobId waiting = submit(job("waits", 1, 1));
        assertThat(prune(100)).isZero();

        store.advance(Duration.ofSeconds(10));
        assertThat(prune(100)).isEqualTo(1);
        assertThat(prune(100)).isZero();
        assertThat(isThere(old)).isFalse();
        assertThat(rows("attempts") + rows("allocations") + rows("bind_tasks")).isZero();
        assertThat(isThere(young) && isThere(waiting)).isTrue();
        assertThat(store.jobs().stop(old, EndCause.CANCELLED_BY_USER, null, ANNA))
                .isEqualTo(new Steered.NotFound());
    }

    @Test
    void aStepIsBoundedAndTakesTheOldestFirst() {
        List<JobId> jobs = submitAll(
                IntStream.range(0, 10).mapToObj(i -> job("j" + i, 1, 1)).toList());
        for (JobId job : jobs) {
            cancel(job);
            store.advance(Duration.ofSeconds(1));
        }
        store.advance(AGE);
        assertThat(prune(4)).isEqualTo(4);
        assertThat(jobs.stream().filter(this::isThere)).isEqualTo(jobs.subList(4, 10));
        assertThat(prune(4) + prune(4) + prune(4)).isEqualTo(6);
    }

    @Test
    void aParentStaysWhileItsChildrenWaitAndIsUnknownOnceItIsGone() {
        JobId parent = submit(job("parent", 1, 1));
        JobId child = submit(job("child", 1, 1).after(List.of(parent)));
        cancel(parent);
        store.advance(AGE.plusSeconds(1));
        assertThat(prune(100)).as("the child has not heard of its end yet").isZero();
        assertThat(store.dependencies().broken()).containsExactly(child);
        stop(child, EndCause.DEPENDENCY_FAILED);
        assertThat(run(child).state()).isEqualTo(JobState.FAILED);

        assertThat(prune(100)).isEqualTo(1);
        Submitted refused = store.jobs()
                .submit(submission(null, "b", List.of(job("late", 1, 1).after(List.of(parent))), new ArrayList<>()));
        assertThat(refused)
                .as("B55 parent already deleted")
                .isInstanceOfSatisfying(
                        Submitted.Refused.class,
                        one -> assertThat(one.violations().get(0))
                                .extracting(Violation::field)
                                .containsExactly("dependsOn"));
    }

    @Test
    void onlyTheLeaderRemoves() {
        Actor.Leader old = new Actor.Leader(leader.term() - 1);
        assertThatThrownBy(() -> ((SqlStore) store).retention().pruneJobs(AGE, 1, old))
                .isInstanceOf(Deposed.class);
    }
}
