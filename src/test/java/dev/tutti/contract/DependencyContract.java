package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.allocator.Plan.Placement;
import dev.tutti.control.JobBook.Submission;
import dev.tutti.control.JobBook.Submitted;
import dev.tutti.control.loop.DependencyKeeper;
import dev.tutti.control.loop.JobKeeper;
import dev.tutti.model.JobId;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.ReasonCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Jobs that wait for others, on every store: nobody starts too early, nobody waits for ever. */
public abstract class DependencyContract extends StoreContract {

    private void settle() {
        DependencyKeeper keeper = new DependencyKeeper(
                store.dependencies(),
                new JobKeeper(store.ledger(), leader, alarm -> {
                    throw new AssertionError(alarm);
                }),
                leader);
        for (int turn = 0; turn < 500; turn++) {
            if (keeper.turn() == 0) {
                return;
            }
        }
        throw new AssertionError("never settles");
    }

    private static JobSpec child(String name, JobId... parents) {
        return job(name, 1, 1).after(List.of(parents));
    }

    private List<JobId> submitLinked(List<List<Integer>> links) {
        List<JobId> ids = new ArrayList<>();
        List<JobSpec> specs = IntStream.range(0, links.size())
                .mapToObj(i -> job("j" + i, 1, 1))
                .toList();
        Submission plain = submission(null, "b", specs, ids);
        assertThat(store.jobs().submit(new Submission(ANNA, null, "b", specs, links, plain.answer())))
                .isInstanceOf(Submitted.Stored.class);
        return ids;
    }

    private JobId runningOnN0(JobSpec spec) {
        nodes(1);
        JobId job = submit(spec);
        commit(place(job, "n0", 0));
        see(job, MemberPhase.RUNNING, null);
        return job;
    }

    private JobState state(JobId job) {
        return run(job).state();
    }

    @Test
    @DisplayName("B55 a child is considered when its parents have succeeded, and holds nothing before")
    final void aChildIsConsideredWhenItsParentsHaveSucceeded() {
        JobId first = runningOnN0(job("first", 1, 1));
        JobId second = submit(job("second", 1, 1));
        Placement early = place(second, "n0", 1);
        JobId child = submit(child("child", first, second));

        assertThat(waits(child)).as("the allocator does not see it").isFalse();
        assertThat(state(child)).isEqualTo(JobState.QUEUED);
        assertThat(commit(new Placement(child, run(child).version(), early.members()))
                        .stale())
                .as("nor does the ledger start it")
                .containsExactly(child);
        see(first, MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        settle();
        store.advance(Duration.ofMinutes(10));
        assertThat(waits(child)).as("one is not all").isFalse();
        commit(place(second, "n0", 1));
        see(second, MemberPhase.RUNNING, null);
        see(second, MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        settle();

        assertThat(waiting(child).verdict().code()).isEqualTo(ReasonCode.NOT_YET_EVALUATED);
        assertThat(everything().nowMicros() - waiting(child).fallback().sinceMicros())
                .as("its flavors are waited for from now on")
                .isLessThan(20_000_000L);
        assertThat(commit(place(child, "n0", 0)).committed()).containsExactly(child);
        JobId late = submit(child("late", first, second));
        assertThat(everything().nowMicros() - waiting(late).fallback().sinceMicros())
                .isLessThan(5_000_000L);
        assertThat(waits(late)).as("parents that succeeded before keep nobody").isTrue();
    }

    @Test
    @DisplayName("B55 unknown parents store nothing, and a cycle or itself is no submission at all")
    final void unknownParentsStoreNothing() {
        JobId there = submit(job("there", 1, 1));
        JobSpec orphan = child("orphan", there, new JobId(UUID.randomUUID()));

        Submitted refused =
                store.jobs().submit(submission("key", "b", List.of(job("a", 1, 1), orphan), new ArrayList<>()));

        assertThat(refused).isInstanceOfSatisfying(Submitted.Refused.class, one -> {
            assertThat(one.violations().get(0)).isEmpty();
            assertThat(one.violations().get(1)).extracting(Violation::field).containsExactly("dependsOn");
        });
        assertThat(everything().waiting()).hasSize(1);
        for (List<List<Integer>> cycle : List.of(
                List.of(List.of(0)), List.of(List.of(1), List.of(0)), List.of(List.of(1), List.of(2), List.of(0)))) {
            assertThatThrownBy(() -> submitLinked(cycle)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @DisplayName("B55 a chain of 200 starts one by one, and ends whole when its first fails")
    final void aChainOfTwoHundred() {
        List<List<Integer>> links = IntStream.range(0, 200)
                .mapToObj(i -> i == 0 ? List.<Integer>of() : List.of(i - 1))
                .toList();
        nodes(1);
        List<JobId> good = submitLinked(links);
        assertThat(everything().waiting()).extracting(one -> one.job()).containsExactly(good.get(0));
        for (int i = 0; i < 3; i++) {
            commit(place(good.get(i), "n0", 0));
            see(good.get(i), MemberPhase.RUNNING, null);
            see(good.get(i), MemberPhase.SUCCEEDED, EndCause.COMPLETED);
            settle();
            assertThat(everything().waiting()).extracting(one -> one.job()).containsExactly(good.get(i + 1));
        }
        store.jobs().stop(good.get(3), EndCause.CANCELLED_BY_USER, null, ANNA);
        settle();

        assertThat(good.subList(4, 200)).allSatisfy(job -> {
            assertThat(state(job)).isEqualTo(JobState.FAILED);
            assertThat(run(job).stopping()).isEqualTo(EndCause.DEPENDENCY_FAILED);
        });
    }

    @Test
    @DisplayName("B55 a parent that failed before fails its child at once")
    final void aParentThatFailedBeforeFailsItsChildAtOnce() {
        JobId failed = submit(job("failed", 1, 1));
        store.jobs().stop(failed, EndCause.CANCELLED_BY_USER, null, ANNA);

        JobId child = submit(child("child", failed));
        assertThat(waits(child)).isFalse();
        settle();
        assertThat(state(child)).isEqualTo(JobState.FAILED);
        assertThat(run(child).stopping()).isEqualTo(EndCause.DEPENDENCY_FAILED);
        assertThat(run(child).failures()).isZero();
    }

    @Test
    @DisplayName("B55 a cancelled parent ends its children, a preempted one lets them wait")
    final void aPreemptedParentLetsItsChildrenWait() {
        JobId parent = runningOnN0(job("parent", 1, 1));
        JobId child = submit(child("child", parent));
        JobId asleep = submit(with(child("asleep", parent), TimeLimits.NONE, true));
        stop(parent, EndCause.PREEMPTED);
        settle();
        assertThat(state(child)).as("while it stops").isEqualTo(JobState.QUEUED);
        see(parent, MemberPhase.GONE, EndCause.NODE_LOST);
        settle();
        assertThat(state(parent)).isEqualTo(JobState.QUEUED);
        assertThat(state(child)).as("and while it waits").isEqualTo(JobState.QUEUED);
        assertThat(waits(child)).isFalse();

        commit(place(parent, "n0", 0));
        store.jobs().stop(parent, EndCause.CANCELLED_BY_USER, null, ANNA);
        settle();
        assertThat(state(child)).as("it has not ended yet").isEqualTo(JobState.QUEUED);
        see(parent, MemberPhase.GONE, EndCause.NODE_LOST);
        settle();
        assertThat(state(child)).isEqualTo(JobState.FAILED);
        assertThat(state(asleep)).isEqualTo(JobState.FAILED);
        assertThat(heldMilli("n0")).isZero();
    }

    @Test
    final void aChildSuspendedAndResumedWaitsForItsParentsStill() {
        JobId parent = runningOnN0(job("parent", 1, 1));
        JobId child = submit(child("child", parent));
        store.jobs().suspend(child, null, ANNA);
        store.jobs().resume(child, null, ANNA);
        assertThat(waits(child)).isFalse();
        store.jobs().suspend(child, null, ANNA);
        see(parent, MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        settle();
        assertThat(state(child)).isEqualTo(JobState.SUSPENDED);
        store.jobs().resume(child, null, ANNA);
        assertThat(waits(child)).isTrue();
    }

    @Test
    final void aCancelledChildIsForgotten() {
        JobId parent = runningOnN0(job("parent", 1, 1));
        JobId child = submit(child("child", parent));
        JobId grandchild = submit(child("grandchild", child));
        store.jobs().stop(child, EndCause.CANCELLED_BY_USER, null, ANNA);
        see(parent, MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        settle();
        assertThat(state(child)).isEqualTo(JobState.CANCELLED);
        assertThat(state(grandchild)).isEqualTo(JobState.FAILED);
        assertThat(store.dependencies().broken()).isEmpty();
    }

    @Test
    @DisplayName("B55 a parent that ends while its children are being inserted ends every one of them")
    final void aParentThatEndsWhileItsChildrenAreBeingInserted() throws InterruptedException {
        for (int round = 0; round < 5; round++) {
            JobId parent = submit(job("P", 1, 1));
            List<JobId> children = new ArrayList<>();
            Thread inserting = new Thread(() -> IntStream.range(0, 10).forEach(i -> {
                synchronized (store) {
                    children.add(submit(child("C" + i, parent)));
                }
            }));
            inserting.start();
            Thread.sleep(round * 3L);
            stopLoosely(parent);
            inserting.join();
            settle();

            assertThat(children).hasSize(10).allSatisfy(child -> {
                assertThat(state(child)).isEqualTo(JobState.FAILED);
                assertThat(run(child).stopping()).isEqualTo(EndCause.DEPENDENCY_FAILED);
            });
        }
    }

    /** The store in memory is for one thread; PostgreSQL is not asked to take turns. */
    private void stopLoosely(JobId parent) {
        if (store instanceof MemoryStoreUnderTest) {
            synchronized (store) {
                store.jobs().stop(parent, EndCause.CANCELLED_BY_USER, null, ANNA);
            }
        } else {
            store.jobs().stop(parent, EndCause.CANCELLED_BY_USER, null, ANNA);
        }
    }
}
