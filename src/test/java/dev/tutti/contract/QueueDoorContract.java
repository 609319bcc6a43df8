package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.Actor;
import dev.tutti.control.JobBook.Submission;
import dev.tutti.control.JobBook.Submitted;
import dev.tutti.control.QueueBook.Changed;
import dev.tutti.model.JobId;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberPhase;
import dev.tutti.model.queue.QueueLimits;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What every store takes in at the door of a queue: nothing into one that drains, no more than may wait. */
abstract class QueueDoorContract extends StoreContract {

    private static final Actor.Caller BERT = new Actor.Caller("bert");

    @Test
    @DisplayName("B10 third run: a queue with a pending job is not removed, it drains, and the job is no orphan")
    final void aQueueWithAPendingJobDrains() {
        nodes(1);
        long q1 = create("q1", QueueRules.PLAIN);
        JobId job = submit(job("pending", "q1", 1, 1, 0));

        assertThat(store.queues().remove(q1, 0, ANNA))
                .isInstanceOfSatisfying(
                        Changed.Refused.class,
                        refused -> assertThat(refused.why()).contains("\"q1\"", "draining"));
        assertThat(store.queues().change(q1, 0, null, QueueRules.PLAIN.withDraining(true), ANNA))
                .isInstanceOf(Changed.Done.class);
        assertThat(notNow("late", "q1", ANNA)).singleElement().satisfies(violation -> {
            assertThat(violation.field()).isEqualTo("queue");
            assertThat(violation.message()).contains("\"q1\"", "drained", "another queue");
        });
        assertThat(waits(job)).as("what waits goes on waiting").isTrue();

        commit(place(job, "n0", 0));
        assertThat(see(job, MemberPhase.RUNNING, null).state()).as("and starts").isEqualTo(JobState.RUNNING);
        assertThat(store.queues().remove(q1, 1, ANNA)).isInstanceOf(Changed.Refused.class);
        see(job, MemberPhase.SUCCEEDED, EndCause.COMPLETED);
        assertThat(store.queues().remove(q1, 1, ANNA)).as("empty").isInstanceOf(Changed.Done.class);
        assertThat(run(job).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    final void whatDrainsAboveClosesAllBelow() {
        long top = create("top", QueueRules.PLAIN);
        create("top/leaf", QueueRules.PLAIN);
        store.queues().change(top, 0, null, QueueRules.PLAIN.withDraining(true), ANNA);

        assertThat(notNow("late", "top/leaf", ANNA))
                .singleElement()
                .satisfies(violation -> assertThat(violation.message()).contains("\"top\""));

        store.queues().change(top, 1, null, QueueRules.PLAIN, ANNA);
        submit(job("again", "top/leaf", 1, 1, 0));
    }

    @Test
    final void whoOnlyAsksHearsWhatASubmissionWouldAndTakesNoPlace() {
        create("team", limited(2, null));
        create("none", limited(0, null));
        create("nobody", limited(null, 0));
        long drained = create("drained", QueueRules.PLAIN);
        store.queues().change(drained, 0, null, QueueRules.PLAIN.withDraining(true), ANNA);
        submit(job("first", "team", 1, 1, 0));
        List<JobSpec> asked = List.of(
                job("second", "team", 1, 1, 0), job("third", "team", 1, 1, 0), job("fourth", "drained", 1, 1, 0));

        for (int times = 0; times < 2; times++) {
            List<List<Violation>> closed = store.jobs().closed(asked, ANNA);
            assertThat(closed.get(0)).as("the last free place").isEmpty();
            assertThat(closed.get(1))
                    .singleElement()
                    .satisfies(violation -> assertThat(violation.message()).contains("\"team\"", "2 (maxWaitingJobs)"));
            assertThat(closed.get(2)).isEqualTo(notNow("fourth", "drained", ANNA));
        }
        assertThat(notNow("any", "none", ANNA))
                .isEqualTo(store.jobs()
                        .closed(List.of(job("any", "none", 1, 1, 0)), ANNA)
                        .get(0))
                .singleElement()
                .satisfies(violation -> assertThat(violation.message())
                        .contains("takes in no jobs", "maxWaitingJobs is 0", "another queue")
                        .doesNotContain("submit again"));
        assertThat(notNow("any", "nobody", ANNA))
                .singleElement()
                .satisfies(violation -> assertThat(violation.message())
                        .contains("no jobs of any user", "perUser.maxWaitingJobs is 0")
                        .doesNotContain("submit again"));
    }

    @Test
    final void aJobThatComesBackIsNoNewJob() {
        nodes(1);
        long queue = create("team", QueueRules.PLAIN);
        JobId job = submit(job("back", "team", 1, 1, 2));
        commit(place(job, "n0", 0));
        store.queues().change(queue, 0, null, limited(0, 0).withDraining(true), ANNA);

        see(job, MemberPhase.FAILED, EndCause.EXIT_CODE);

        assertThat(run(job).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    final void noMoreJobsWaitThanMay() {
        create("top", limited(2, null));
        create("top/a", QueueRules.PLAIN);
        create("top/b", QueueRules.PLAIN);
        JobId first = submit(job("first", "top/a", 1, 1, 0));
        submit(job("second", "top/b", 1, 1, 0));

        assertThat(notNow("third", "top/a", BERT))
                .singleElement()
                .satisfies(violation -> assertThat(violation.message()).contains("\"top\"", "2 (maxWaitingJobs)"));

        store.jobs().suspend(first, null, ANNA);
        assertThat(notNow("third", "top/a", BERT))
                .as("a suspended job waits too")
                .hasSize(1);
        store.jobs().stop(first, EndCause.CANCELLED_BY_USER, null, ANNA);
        assertThat(take(List.of(job("third", "top/a", 1, 1, 0)), BERT)).isInstanceOf(Submitted.Stored.class);
    }

    @Test
    final void oneUserDoesNotFillAQueueForAll() {
        create("team", limited(null, 1));
        submit(job("first", "team", 1, 1, 0));

        assertThat(notNow("second", "team", ANNA))
                .singleElement()
                .satisfies(violation ->
                        assertThat(violation.message()).contains("\"team\"", "\"anna\"", "1 (perUser.maxWaitingJobs)"));
        assertThat(take(List.of(job("other", "team", 1, 1, 0)), BERT)).isInstanceOf(Submitted.Stored.class);
    }

    @Test
    final void ofABatchTheFirstOnesFillWhatIsFreeAndNothingIsStoredUntilTheOthersAreOut() {
        create("team", limited(2, null));
        List<JobSpec> three = List.of(job("a", "team", 1, 1, 0), job("b", "team", 1, 1, 0), job("c", "team", 1, 1, 0));

        assertThat(take(three, ANNA)).isInstanceOfSatisfying(Submitted.NotNow.class, later -> {
            assertThat(later.violations().get(0)).isEmpty();
            assertThat(later.violations().get(1)).isEmpty();
            assertThat(later.violations().get(2)).hasSize(1);
        });
        assertThat(everything().waiting()).isEmpty();
        assertThat(take(three.subList(0, 2), ANNA)).isInstanceOf(Submitted.Stored.class);
    }

    final long create(String path, QueueRules rules) {
        return ((Changed.Done) store.queues().create(path, Quotas.NONE, rules, ANNA)).id();
    }

    static QueueRules limited(Integer waiting, Integer ofUser) {
        return QueueRules.PLAIN.withLimits(new QueueLimits(waiting, ofUser));
    }

    final Submitted take(List<JobSpec> specs, Actor.Caller caller) {
        return store.jobs().submit(new Submission(caller, null, "body", specs, fresh -> new byte[0]));
    }

    private List<Violation> notNow(String name, String queue, Actor.Caller caller) {
        Submitted submitted = take(List.of(job(name, queue, 1, 1, 0)), caller);
        assertThat(submitted).isInstanceOf(Submitted.NotNow.class);
        return new ArrayList<>(((Submitted.NotNow) submitted).violations().get(0));
    }
}
