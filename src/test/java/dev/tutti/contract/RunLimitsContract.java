package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.Plan.Placement;
import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.control.Actor;
import dev.tutti.control.JobBook.Submission;
import dev.tutti.control.QueueBook.Changed;
import dev.tutti.control.Receipt;
import dev.tutti.control.intake.QueueForecast;
import dev.tutti.control.intake.QueueForecast.OverLimit;
import dev.tutti.control.intake.QueueTrial;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.QueueLimits;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every store refuses whatever a plan says: more jobs that hold something than a queue, or one user in it, may have. */
abstract class RunLimitsContract extends StoreContract {

    private static final Actor.Caller BERT = new Actor.Caller("bert");

    @Test
    final void ofAPlanWithOneTooManyTheOthersStart() {
        nodes(1);
        create("team", limited(2, null));
        List<JobId> jobs =
                submitAll(List.of(job("a", "team"), job("b", "team"), job("c", "team"), job("d", "default")));

        Receipt receipt = commit(
                place(jobs.get(0), "n0", 0),
                place(jobs.get(1), "n0", 1),
                place(jobs.get(2), "n0", 2),
                place(jobs.get(3), "n0", 3));

        assertThat(receipt.committed()).containsExactlyInAnyOrder(jobs.get(0), jobs.get(1), jobs.get(3));
        assertThat(receipt.refused()).containsOnlyKeys(jobs.get(2));
        assertThat(receipt.refused().get(jobs.get(2))).contains("team");
        assertThat(run(jobs.get(2)).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    final void aJobFreesItsPlaceWithItsLastMember() {
        nodes(1);
        create("team", limited(1, null));
        JobId gang = submit(job("gang", "team", 2, 1, 0));
        JobId next = submit(job("next", "team"));
        commit(place(gang, waiting(gang).version(), List.of(pod(gang, 0, "n0", 0), pod(gang, 1, "n0", 1))));
        see(gang, MemberPhase.RUNNING, null);

        stop(gang, EndCause.CANCELLED_BY_USER);
        assertThat(commit(place(next, "n0", 2)).refused()).as("it stops").containsOnlyKeys(next);
        seeFirst(gang, MemberPhase.GONE, null);
        assertThat(commit(place(next, "n0", 2)).refused())
                .as("one member is left")
                .containsOnlyKeys(next);
        see(gang, MemberPhase.GONE, null);
        assertThat(commit(place(next, "n0", 2)).committed()).containsExactly(next);
    }

    @Test
    final void aLimitAboveCountsAllBelow() {
        nodes(1);
        create("top", limited(1, null));
        create("top/a", QueueRules.PLAIN);
        create("top/b", QueueRules.PLAIN);
        JobId first = submit(job("first", "top/a"));
        JobId second = submit(job("second", "top/b"));

        assertThat(commit(place(first, "n0", 0)).committed()).containsExactly(first);
        assertThat(commit(place(second, "n0", 1)).refused()).containsOnlyKeys(second);
    }

    @Test
    final void eachUserHasALimitOfTheirOwn() {
        nodes(1);
        create("team", limited(null, 1));
        JobId first = submit(job("first", "team"));
        JobId second = submit(job("second", "team"));
        JobId other = submitAs(BERT, job("other", "team"));

        assertThat(commit(place(first, "n0", 0)).committed()).containsExactly(first);
        assertThat(commit(place(second, "n0", 1)).refused()).containsOnlyKeys(second);
        assertThat(commit(place(other, "n0", 1)).committed()).containsExactly(other);
        see(first, MemberPhase.GONE, null);
        assertThat(commit(place(second, "n0", 2)).committed()).containsExactly(second);
    }

    @Test
    final void aLimitBelowWhatRunsStopsNothingAndLetsEverythingEnd() {
        nodes(1);
        long queue = create("team", QueueRules.PLAIN);
        List<JobId> jobs = submitAll(List.of(job("a", "team"), job("b", "team"), job("c", "team")));
        commit(place(jobs.get(0), "n0", 0), place(jobs.get(1), "n0", 1));
        assertThat(store.queues().change(queue, 0, null, limited(1, 0), ANNA)).isInstanceOf(Changed.Done.class);

        assertThat(see(jobs.get(0), MemberPhase.RUNNING, null).state()).isEqualTo(JobState.RUNNING);
        see(jobs.get(0), MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        assertThat(run(jobs.get(0)).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(commit(place(jobs.get(2), "n0", 2)).refused()).containsOnlyKeys(jobs.get(2));
        see(jobs.get(1), MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        assertThat(commit(place(jobs.get(2), "n0", 2)).refused())
                .as("of its user none")
                .containsOnlyKeys(jobs.get(2));
        store.queues().change(queue, 1, null, limited(1, null), ANNA);
        assertThat(commit(place(jobs.get(2), "n0", 2)).committed()).containsExactly(jobs.get(2));
    }

    @Test
    final void whoSubmittedAndWhatIsLimitedIsTold() {
        nodes(1);
        long queue = create("team", limited(3, 2, 4000L));
        JobId runs = submitAs(BERT, job("runs", "team"));
        JobId waits = submit(job("waits", "team"));
        commit(place(runs, "n0", 0));

        assertThat(waiting(waits).user()).isEqualTo("anna");
        assertThat(everything().running())
                .singleElement()
                .satisfies(job -> assertThat(job.user()).isEqualTo("bert"));
        assertThat(everything().queues().get(new QueueId(queue)).path()).isEqualTo("team");
        assertThat(everything().queues().get(new QueueId(queue)).rules().limits())
                .isEqualTo(new QueueLimits(null, null, 3, 2, 4000L));
    }

    @Test
    final void aTrialSaysWhoWouldStartOrWaitAndHowFarOverItsLimitsTheQueueWouldBe() {
        nodes(1);
        long queue = create("team", limited(2, null));
        List<JobId> jobs = submitAll(List.of(job("a", "team"), job("b", "team")));
        commit(place(jobs.get(0), "n0", 0), place(jobs.get(1), "n0", 1));
        JobId next = submit(QueueTrialContract.plain("team", 1));
        QueueTrial trial = new QueueTrial(store.changes(), QueueTrialContract.LEVELS, new GangAllocator());

        QueueForecast lower = trial.change(queue, Quotas.NONE, limited(1, 0));
        assertThat(lower.overLimits())
                .containsExactly(
                        new OverLimit(new QueueId(queue), "perUser.maxRunningJobs", 2, 0, 2),
                        new OverLimit(new QueueId(queue), "maxRunningJobs", 2, 0, 1));
        assertThat(lower.evictions().total()).isZero();
        assertThat(lower.verdicts().items()).singleElement().satisfies(verdict -> {
            assertThat(verdict.before()).isEqualTo(ReasonCode.RUNNING_JOBS_LIMIT);
            assertThat(verdict.after().code()).isEqualTo(ReasonCode.EXCEEDS_LIMIT);
        });
        QueueForecast higher = trial.change(queue, Quotas.NONE, limited(3, null));
        assertThat(higher.overLimits()).isEmpty();
        assertThat(higher.starts().items()).extracting(QueueForecast.Start::job).containsExactly(next);
    }

    @Test
    final void aUserHoldsNoMoreGpusThanItMayWhateverAPlanSays() {
        nodes(1);
        create("top", limited(null, null, 4_000L));
        create("top/a", QueueRules.PLAIN);
        create("top/b", QueueRules.PLAIN);
        List<JobId> jobs = submitAll(List.of(
                job("a", "top/a", 1, 3, 0),
                job("b", "top/b", 1, 2, 0),
                job("c", "top/b"),
                job("none", "top/b", 1, 0, 0)));
        JobId ofBert = submitAs(BERT, job("d", "top/b", 1, 2, 0));

        Receipt receipt = commit(
                place(jobs.get(0), "n0", 0, 1, 2),
                place(jobs.get(1), "n0", 3, 4),
                place(jobs.get(2), "n0", 5),
                place(jobs.get(3), "n0"),
                place(ofBert, "n0", 6, 7));

        assertThat(receipt.committed()).containsExactlyInAnyOrder(jobs.get(0), jobs.get(2), jobs.get(3), ofBert);
        assertThat(receipt.refused()).containsOnlyKeys(jobs.get(1));
        assertThat(receipt.refused().get(jobs.get(1))).contains("top");
    }

    @Test
    final void aMemberThatLeavesGivesItsGpusBackAndOneThatJoinsTakesThem() {
        nodes(1);
        create("team", limited(null, null, 3_000L));
        JobId gang = submit(job("gang", "team", 2, 1, 0));
        JobId next = submit(job("next", "team", 1, 2, 0));
        List<PodPlacement> pods =
                List.of(pod(gang, 0, "n0", 0), pod(gang, 1, "n0", 1), pod(gang, 2, "n0", 2), pod(gang, 3, "n0", 3));
        commit(place(gang, waiting(gang).version(), pods.subList(0, 2)));
        see(gang, MemberPhase.RUNNING, null);

        assertThat(commit(more(gang, pods.subList(2, 4))).refused()).as("four").containsOnlyKeys(gang);
        assertThat(commit(more(gang, pods.subList(2, 3))).committed())
                .as("three")
                .containsExactly(gang);
        assertThat(commit(place(next, "n0", 4, 5)).refused()).containsOnlyKeys(next);
        stop(gang, EndCause.CANCELLED_BY_USER);
        seeFirst(gang, MemberPhase.GONE, null);
        assertThat(commit(place(next, "n0", 4, 5)).refused()).as("two are left").containsOnlyKeys(next);
        see(gang, MemberPhase.GONE, null);
        assertThat(commit(place(next, "n0", 4, 5)).committed()).containsExactly(next);
    }

    private Placement more(JobId job, List<PodPlacement> pods) {
        return new Placement(job, run(job).version(), pods, true);
    }

    @Test
    final void aLowerLimitOfGpusIsADebtAndATrialTellsIt() {
        nodes(1);
        long queue = create("team", QueueRules.PLAIN);
        List<JobId> jobs = submitAll(List.of(job("a", "team", 1, 2, 0), job("b", "team", 1, 3, 0), job("c", "team")));
        commit(place(jobs.get(0), "n0", 0, 1), place(jobs.get(1), "n0", 2, 3, 4));
        JobId ofBert = submitAs(BERT, job("d", "team", 1, 1, 0));
        QueueTrial trial = new QueueTrial(store.changes(), QueueTrialContract.LEVELS, new GangAllocator());

        assertThat(trial.change(queue, Quotas.NONE, limited(null, null, 2_000L)).overLimits())
                .containsExactly(new OverLimit(new QueueId(queue), "perUser.maxGpuMilli", 5_000, 0, 3_000));
        store.queues().change(queue, 0, null, limited(null, null, 2_000L), ANNA);

        assertThat(everything().running()).hasSize(2);
        assertThat(commit(place(jobs.get(2), "n0", 5)).refused()).containsOnlyKeys(jobs.get(2));
        assertThat(commit(place(ofBert, "n0", 6)).committed()).containsExactly(ofBert);
        see(jobs.get(0), MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        assertThat(commit(place(jobs.get(2), "n0", 5)).refused()).as("three").containsOnlyKeys(jobs.get(2));
        see(jobs.get(1), MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        assertThat(commit(place(jobs.get(2), "n0", 5)).committed()).containsExactly(jobs.get(2));
    }

    final long create(String path, QueueRules rules) {
        return ((Changed.Done) store.queues().create(path, Quotas.NONE, rules, ANNA)).id();
    }

    static QueueRules limited(@Nullable Integer jobs, @Nullable Integer ofUser) {
        return limited(jobs, ofUser, null);
    }

    static QueueRules limited(@Nullable Integer jobs, @Nullable Integer ofUser, @Nullable Long gpusOfUser) {
        return QueueRules.PLAIN.withLimits(new QueueLimits(null, null, jobs, ofUser, gpusOfUser));
    }

    static JobSpec job(String name, String queue) {
        return job(name, queue, 1, 1, 0);
    }

    final JobId submitAs(Actor.Caller caller, JobSpec spec) {
        List<JobId> ids = new ArrayList<>();
        store.jobs().submit(new Submission(caller, null, "body", List.of(spec), fresh -> {
            ids.addAll(fresh);
            return new byte[0];
        }));
        return ids.get(0);
    }
}
