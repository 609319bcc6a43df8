package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.allocator.Plan.Placement;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.Actor;
import dev.tutti.control.JobBook.Steered;
import dev.tutti.control.JobBook.Submission;
import dev.tutti.control.JobBook.Submitted;
import dev.tutti.control.Ledger.Overdue;
import dev.tutti.model.InvalidInput;
import dev.tutti.model.JobId;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import dev.tutti.model.queue.Use;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every job book does: jobs stored once whatever the network does, and stopped at once or in time. */
public abstract class JobBookContract extends StoreContract {

    @Test
    final void aJobWaitsAsItWasAskedFor() {
        JobSpec spec = job("中文 🚀 'quoted' \\ \"name\"", 2, 250);
        JobId id = submit(spec);

        WaitingJob waiting = waiting(id);

        assertThat(waiting.version()).isZero();
        assertThat(waiting.lane()).isEqualTo(spec.lane());
        assertThat(waiting.priority()).isEqualTo(5);
        assertThat(waiting.podSets()).isEqualTo(spec.podSets());
        assertThat(waiting.topology()).isEqualTo(spec.topology());
        assertThat(waiting.notBeforeMicros()).isZero();
        assertThat(waiting.submittedAtMicros()).isLessThanOrEqualTo(everything().nowMicros());
    }

    @Test
    final void aThousandJobsAreStoredTogetherInTheirOrder() {
        List<JobSpec> specs = IntStream.range(0, 1_000)
                .mapToObj(i -> job("job-" + i, 1, i % 9))
                .toList();

        List<JobId> ids = submitAll(specs);

        assertThat(ids).hasSize(1_000).doesNotHaveDuplicates().isSorted();
        Map<JobId, WaitingJob> byId =
                everything().waiting().stream().collect(Collectors.toMap(WaitingJob::job, one -> one));
        for (int i = 0; i < ids.size(); i++) {
            assertThat(byId.get(ids.get(i)).podSets()).isEqualTo(specs.get(i).podSets());
        }
    }

    @Test
    final void theSameKeyAndBodyGetTheSameAnswerAndNoSecondJob() {
        List<JobId> ids = new ArrayList<>();
        Submitted first = store.jobs().submit(submission("key", "body", List.of(job("a", 1, 1)), ids));
        Submitted second = store.jobs().submit(submission("key", "body", List.of(job("a", 1, 1)), new ArrayList<>()));

        assertThat(first)
                .isInstanceOfSatisfying(
                        Submitted.Stored.class,
                        stored -> assertThat(stored.replayed()).isFalse());
        assertThat(second).isInstanceOfSatisfying(Submitted.Stored.class, stored -> {
            assertThat(stored.replayed()).isTrue();
            assertThat(stored.answer()).isEqualTo(((Submitted.Stored) first).answer());
        });
        assertThat(everything().waiting()).hasSize(1);
    }

    @Test
    final void theSameKeyWithAnotherBodyIsRefused() {
        store.jobs().submit(submission("key", "body", List.of(job("a", 1, 1)), new ArrayList<>()));
        assertThat(store.jobs().submit(submission("key", "other", List.of(job("b", 1, 1)), new ArrayList<>())))
                .isEqualTo(new Submitted.KeyReused());
        assertThat(everything().waiting()).hasSize(1);
    }

    @Test
    final void keysArePerCaller() {
        Submission anna = submission("key", "body", List.of(job("a", 1, 1)), new ArrayList<>());
        store.jobs().submit(anna);
        Submitted other = store.jobs()
                .submit(new Submission(new Actor.Caller("ben"), "key", "other", anna.specs(), anna.answer()));
        assertThat(other).isInstanceOf(Submitted.Stored.class);
        assertThat(everything().waiting()).hasSize(2);
    }

    @Test
    final void aKeyIsForgottenAfterADay() {
        store.jobs().submit(submission("key", "body", List.of(job("a", 1, 1)), new ArrayList<>()));
        store.advance(Duration.ofHours(24).plusSeconds(1));
        assertThat(store.jobs().submit(submission("key", "other", List.of(job("b", 1, 1)), new ArrayList<>())))
                .isInstanceOf(Submitted.Stored.class);
    }

    @Test
    final void aQueueThatIsNotThereRefusesTheWholeSubmissionByJobAndKeepsNoKey() {
        List<JobSpec> specs = List.of(job("good", 1, 1), job("bad", "nowhere", 1, 1, 0), job("worse", "../x", 1, 1, 0));
        Submitted refused = store.jobs().submit(submission("key", "body", specs, new ArrayList<>()));

        assertThat(refused).isInstanceOfSatisfying(Submitted.Refused.class, one -> {
            assertThat(one.violations()).hasSize(3);
            assertThat(one.violations().get(0)).isEmpty();
            assertThat(one.violations().get(1)).extracting(Violation::field).containsExactly("queue");
            assertThat(one.violations().get(2)).extracting(Violation::field).containsExactly("queue");
        });
        assertThat(everything().waiting()).isEmpty();
        assertThat(store.jobs().submit(submission("key", "corrected", List.of(specs.get(0)), new ArrayList<>())))
                .isInstanceOf(Submitted.Stored.class);
    }

    @Test
    final void aQueueIsNamedByIdOrPathAndMustBeALeaf() {
        store.queues().create("research", Quotas.NONE, QueueRules.PLAIN, ANNA);
        store.queues().create("research/llm", Quotas.NONE, QueueRules.PLAIN, ANNA);
        JobId byPath = submit(job("by-path", "research/llm", 1, 1, 0));
        String id = waiting(byPath).queue().toString();

        JobId byId = submit(job("by-id", id, 1, 1, 0));

        assertThat(waiting(byId).queue()).isEqualTo(waiting(byPath).queue());
        assertThat(store.jobs()
                        .submit(submission(null, "b", List.of(job("no", "research", 1, 1, 0)), new ArrayList<>())))
                .isInstanceOf(Submitted.Refused.class);
    }

    @Test
    final void aWaitingJobThatIsStoppedEndsAtOnce() {
        JobId job = submit(job("waits", 1, 1));

        Steered steered = store.jobs().stop(job, EndCause.CANCELLED_BY_USER, 0L, ANNA);

        assertThat(steered).isEqualTo(new Steered.Now(JobState.CANCELLED, 1, true));
        assertThat(waits(job)).isFalse();
        assertThat(store.jobs().stop(job, EndCause.CANCELLED_BY_USER, null, ANNA))
                .isEqualTo(new Steered.Now(JobState.CANCELLED, 1, false));
    }

    @Test
    final void aLiveJobThatIsStoppedKeepsWhatItHolds() {
        nodes(1);
        JobId job = submit(job("lives", 1, 1));
        commit(place(job, "n0", 0));

        Steered steered = store.jobs().stop(job, EndCause.CANCELLED_BY_USER, null, ANNA);

        assertThat(steered).isEqualTo(new Steered.Now(JobState.STOPPING, 2, true));
        assertThat(heldMilli("n0")).isEqualTo(1_000);
        assertThat(run(job).stopping()).isEqualTo(EndCause.CANCELLED_BY_USER);
    }

    @Test
    final void aCancelTakesThePlaceOfAnEarlierCause() {
        nodes(1);
        JobId job = submit(job("lives", 1, 1));
        commit(place(job, "n0", 0));
        stop(job, EndCause.PREEMPTED);

        assertThat(store.jobs().stop(job, EndCause.CANCELLED_BY_USER, null, ANNA))
                .isEqualTo(new Steered.Now(JobState.STOPPING, 3, true));
        assertThat(run(job).stopping()).isEqualTo(EndCause.CANCELLED_BY_USER);
    }

    @Test
    final void anotherVersionOrAnUnknownJobIsNotStopped() {
        JobId job = submit(job("waits", 1, 1));
        assertThat(store.jobs().stop(job, EndCause.CANCELLED_BY_USER, 5L, ANNA)).isEqualTo(new Steered.Stale(0));
        assertThat(store.jobs().stop(new JobId(UUID.randomUUID()), EndCause.CANCELLED_BY_USER, null, ANNA))
                .isEqualTo(new Steered.NotFound());
        assertThat(waits(job)).isTrue();
    }

    @Test
    final void aJobSubmittedSuspendedWaitsForItsResumption() {
        JobId job = submit(suspended("sleeps"));

        assertThat(waits(job)).isFalse();
        assertThat(run(job).state()).isEqualTo(JobState.SUSPENDED);
        assertThat(store.jobs().resume(job, 0L, ANNA)).isEqualTo(new Steered.Now(JobState.QUEUED, 1, true));
        assertThat(waiting(job).verdict().code()).isEqualTo(ReasonCode.NOT_YET_EVALUATED);
        assertThat(store.jobs().resume(job, null, ANNA)).isEqualTo(new Steered.Now(JobState.QUEUED, 1, false));
    }

    @Test
    final void aWaitingJobIsSuspendedAtOnceAndIsNoLongerConsidered() {
        nodes(1);
        JobId job = submit(job("waits", 1, 1));
        Placement placement = place(job, "n0", 0);

        assertThat(store.jobs().suspend(job, 0L, ANNA)).isEqualTo(new Steered.Now(JobState.SUSPENDED, 1, true));
        assertThat(store.jobs().suspend(job, null, ANNA)).isEqualTo(new Steered.Now(JobState.SUSPENDED, 1, false));

        assertThat(waits(job)).isFalse();
        assertThat(commit(placement).stale()).containsExactly(job);
        assertThat(heldMilli("n0")).isZero();
    }

    @Test
    final void aRunningJobHoldsItsGpusUntilItHasStoppedAndNothingWhileItIsSuspended() {
        nodes(1);
        JobId job = submit(job("runs", 1, 1));
        commit(place(job, "n0", 0));
        see(job, MemberPhase.RUNNING, null);

        Steered steered = store.jobs().suspend(job, null, ANNA);

        assertThat(steered).isEqualTo(new Steered.Now(JobState.STOPPING, run(job).version(), true));
        assertThat(run(job).stopping()).isNull();
        assertThat(heldMilli("n0")).isEqualTo(1_000);
        see(job, MemberPhase.LOST, EndCause.NODE_LOST);
        assertThat(heldMilli("n0")).as("gone without a word is no end").isEqualTo(1_000);
        JobRun suspended = see(job, MemberPhase.GONE, EndCause.NODE_LOST);
        assertThat(suspended.state()).isEqualTo(JobState.SUSPENDED);
        assertThat(suspended.failures()).isZero();
        assertThat(heldMilli("n0")).isZero();
        assertThat(usedMilli()).isZero();
        assertThat(waits(job)).isFalse();

        store.jobs().resume(job, null, ANNA);
        assertThat(waiting(job).notBeforeMicros()).as("nothing to back off for").isZero();
        assertThat(commit(place(job, "n0", 0)).committed()).containsExactly(job);
        assertThat(run(job).attempt()).isEqualTo(2);
    }

    @Test
    final void aJobResumedWhileItStopsIsQueuedWhenItHas() {
        JobId job = runningOnN0();
        store.jobs().suspend(job, null, ANNA);

        assertThat(store.jobs().resume(job, null, ANNA)).isInstanceOfSatisfying(Steered.Now.class, now -> {
            assertThat(now.state()).isEqualTo(JobState.STOPPING);
            assertThat(now.changed()).isTrue();
        });
        assertThat(see(job, MemberPhase.FAILED, EndCause.EXIT_CODE).state()).isEqualTo(JobState.QUEUED);
        assertThat(waiting(job).notBeforeMicros()).isZero();
        assertThat(waiting(job).verdict().code()).isEqualTo(ReasonCode.NOT_YET_EVALUATED);
    }

    @Test
    final void aPreemptedJobMayBeSuspendedOnItsWay() {
        JobId job = runningOnN0();
        stop(job, EndCause.PREEMPTED);
        store.jobs().suspend(job, null, ANNA);

        assertThat(run(job).stopping()).isEqualTo(EndCause.PREEMPTED);
        assertThat(see(job, MemberPhase.FAILED, EndCause.EXIT_CODE).state()).isEqualTo(JobState.SUSPENDED);
    }

    @Test
    final void aCancelWinsOverASuspension() {
        JobId job = runningOnN0();
        store.jobs().suspend(job, null, ANNA);
        store.jobs().stop(job, EndCause.CANCELLED_BY_USER, null, ANNA);

        assertThat(store.jobs().suspend(job, null, ANNA))
                .isEqualTo(new Steered.Over(JobState.STOPPING, EndCause.CANCELLED_BY_USER));
        assertThat(store.jobs().resume(job, null, ANNA)).isInstanceOf(Steered.Over.class);
        assertThat(see(job, MemberPhase.FAILED, EndCause.EXIT_CODE).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    final void whatHasEndedIsNeitherSuspendedNorResumedAndVersionsAreAskedFirst() {
        JobId job = submit(suspended("sleeps"));
        assertThat(store.jobs().suspend(job, 7L, ANNA)).isEqualTo(new Steered.Stale(0));
        store.jobs().stop(job, EndCause.CANCELLED_BY_USER, null, ANNA);

        Steered.Over over = new Steered.Over(JobState.CANCELLED, EndCause.CANCELLED_BY_USER);
        assertThat(store.jobs().suspend(job, null, ANNA)).isEqualTo(over);
        assertThat(store.jobs().resume(job, null, ANNA)).isEqualTo(over);
        assertThat(store.jobs().resume(job, 0L, ANNA)).isEqualTo(new Steered.Stale(1));
        assertThat(store.jobs().resume(new JobId(UUID.randomUUID()), null, ANNA))
                .isEqualTo(new Steered.NotFound());
    }

    @Test
    final void aDeadlineThatIsOverRefusesTheWholeSubmission() {
        Instant now = Instant.EPOCH.plus(everything().nowMicros(), ChronoUnit.MICROS);
        JobSpec late = with(job("late", 1, 1), new TimeLimits(null, now.minusSeconds(1), null));
        JobSpec soon = with(job("soon", 1, 1), new TimeLimits(null, now.plusSeconds(60), null));

        Submitted refused = store.jobs().submit(submission(null, "b", List.of(soon, late), new ArrayList<>()));

        assertThat(refused).isInstanceOfSatisfying(Submitted.Refused.class, one -> {
            assertThat(one.violations().get(0)).isEmpty();
            assertThat(one.violations().get(1)).extracting(Violation::field).containsExactly("deadline");
        });
        assertThat(everything().waiting()).isEmpty();
        assertThat(waits(submit(soon))).isTrue();
    }

    @Test
    final void aWaitingJobChangesItsPlaceInTheOrderWithItsLaneAndPriority() {
        JobId job = submit(job("waits", 1, 1));

        Steered changed = change(job, spec -> spec.with(Lane.GREEN, 9, spec.limits(), Map.of("a", "b")), 0L);

        assertThat(changed).isEqualTo(new Steered.Now(JobState.QUEUED, 1, true));
        assertThat(waiting(job).version()).isEqualTo(1);
        assertThat(waiting(job).lane()).isEqualTo(Lane.GREEN);
        assertThat(waiting(job).priority()).isEqualTo(9);
        assertThat(change(job, spec -> spec.with(Lane.GREEN, 9, spec.limits(), spec.labels()), null))
                .as("nothing changes")
                .isEqualTo(new Steered.Now(JobState.QUEUED, 1, false));
        assertThat(change(job, spec -> spec, 0L)).isEqualTo(new Steered.Stale(1));
        assertThat(change(new JobId(UUID.randomUUID()), spec -> spec, null)).isEqualTo(new Steered.NotFound());
    }

    @Test
    final void aLiveJobChangesAllButItsLane() {
        JobId job = runningOnN0();

        assertThat(change(job, spec -> spec.with(Lane.GREEN, 1, spec.limits(), Map.of()), null))
                .isInstanceOfSatisfying(Steered.Refused.class, refused -> {
                    assertThat(refused.violation().field()).isEqualTo("lane");
                    assertThat(refused.now()).isTrue();
                });
        assertThat(change(job, spec -> spec.with(spec.lane(), 1, new TimeLimits(5, null, null), Map.of()), null))
                .isInstanceOf(Steered.Now.class);
        store.advance(Duration.ofSeconds(6));
        assertThat(store.ledger().overdue()).extracting(Overdue::job).containsExactly(job);
        change(job, spec -> spec.with(spec.lane(), 1, TimeLimits.NONE, Map.of()), null);
        assertThat(store.ledger().overdue()).isEmpty();
        assertThat(heldMilli("n0")).isEqualTo(1_000);
    }

    @Test
    final void queueTimeMaySetOnASuspendedJobAndADeadlineOnlyToCome() {
        JobId job = submit(suspended("sleeps"));
        change(job, spec -> spec.with(spec.lane(), 0, new TimeLimits(null, null, 60), Map.of()), null);
        store.advance(Duration.ofSeconds(500));
        assertThat(store.ledger().overdue()).isEmpty();
        store.jobs().resume(job, null, ANNA);
        store.advance(Duration.ofSeconds(61));
        assertThat(store.ledger().overdue()).extracting(Overdue::job).containsExactly(job);

        Instant past =
                Instant.EPOCH.plus(everything().nowMicros(), ChronoUnit.MICROS).minusSeconds(5);
        assertThat(change(job, spec -> spec.with(spec.lane(), 0, new TimeLimits(null, past, null), Map.of()), null))
                .isInstanceOfSatisfying(
                        Steered.Refused.class,
                        refused -> assertThat(refused.now()).isFalse());
    }

    @Test
    final void whatHasEndedOrStopsForGoodDoesNotChange() {
        JobId job = runningOnN0();
        store.jobs().stop(job, EndCause.CANCELLED_BY_USER, null, ANNA);
        assertThat(change(job, spec -> spec, null)).isInstanceOf(Steered.Over.class);
        see(job, MemberPhase.FAILED, EndCause.EXIT_CODE);
        assertThat(change(job, spec -> spec, null)).isInstanceOf(Steered.Over.class);
    }

    @Test
    final void aWaitingJobIsScaledBetweenItsBounds() {
        JobId job = submit(elastic("elastic", 4, 2, 6));

        assertThat(scale(job, "worker", 2, null)).isEqualTo(new Steered.Now(JobState.QUEUED, 1, true));
        assertThat(scale(job, null, 2, null)).as("again").isEqualTo(new Steered.Now(JobState.QUEUED, 1, false));
        assertThat(scale(job, "worker", 3, 0L)).isEqualTo(new Steered.Stale(1));
        assertThat(scale(job, "worker", 6, 1L)).isEqualTo(new Steered.Now(JobState.QUEUED, 2, true));
        assertThat(waiting(job).podSets().get(0))
                .isEqualTo(elastic("elastic", 6, 2, 6).podSets().get(0));
        assertThat(waiting(job).version()).isEqualTo(2);
        for (int count : new int[] {1, 7}) {
            assertThatThrownBy(() -> scale(job, "worker", count, null))
                    .isInstanceOf(InvalidInput.class)
                    .hasMessageContaining("count: is " + count + "; give a whole number from 2 (minCount) to 6");
        }
        assertThatThrownBy(() -> scale(job, "master", 3, null))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("podSet: is \"master\"; give one of worker");
        assertThat(waiting(job).version()).isEqualTo(2);
        assertThat(scale(new JobId(new UUID(1, 1)), null, 3, null)).isEqualTo(new Steered.NotFound());
    }

    @Test
    final void aLiveJobBecomesSmallerInOneNewVersion() {
        nodes(1);
        JobId job = submit(elastic("elastic", 2, 1, 2));
        commit(place(job, waiting(job).version(), List.of(pod(job, 0, "n0", 0), pod(job, 1, "n0", 1))));
        see(job, MemberPhase.RUNNING, null);
        long version = store.ledger().runs(List.of(job)).get(0).version();

        assertThat(scale(job, "worker", 1, version)).isEqualTo(new Steered.Now(JobState.RUNNING, version + 1, true));

        assertThat(run(job).members()).extracting(Member::leaving).containsExactly(null, EndCause.CANCELLED_BY_USER);
        assertThat(heldMilli("n0")).as("until its end is confirmed").isEqualTo(2_000);
    }

    @Test
    final void whatStopsOrHasEndedIsNotScaled() {
        JobId job = runningOnN0();
        store.jobs().suspend(job, null, ANNA);
        assertThat(scale(job, null, 1, null))
                .isInstanceOfSatisfying(
                        Steered.Refused.class,
                        refused -> assertThat(refused.now()).isTrue());
        store.jobs().stop(job, EndCause.CANCELLED_BY_USER, null, ANNA);
        assertThat(scale(job, null, 1, null)).isInstanceOf(Steered.Over.class);
    }

    private Steered scale(JobId job, @Nullable String podSet, int count, @Nullable Long version) {
        return store.jobs().scale(job, podSet, count, version, ANNA);
    }

    static JobSpec elastic(String name, int count, int minCount, int maxCount) {
        JobSpec spec = job(name, maxCount, 1);
        PodSet set = spec.podSets().get(0);
        return spec.with(List.of(new PodSet(
                set.name(),
                count,
                minCount,
                set.gpus(),
                set.flavors(),
                set.cpuMilli(),
                set.memoryMib(),
                set.template(),
                set.topology(),
                set.segment(),
                set.nodes(),
                set.affinity(),
                set.nics(),
                maxCount)));
    }

    private Steered change(JobId job, UnaryOperator<JobSpec> patch, @Nullable Long version) {
        return store.jobs().change(job, patch, version, ANNA);
    }

    private JobId runningOnN0() {
        nodes(1);
        JobId job = submit(job("runs", 1, 1));
        commit(place(job, "n0", 0));
        see(job, MemberPhase.RUNNING, null);
        return job;
    }

    private long usedMilli() {
        return everything().queues().values().stream()
                .flatMap(share -> share.used().values().stream())
                .mapToLong(Use::total)
                .sum();
    }

    private static JobSpec suspended(String name) {
        return with(job(name, 1, 1), TimeLimits.NONE, true);
    }
}
