package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.control.Ledger.BoundMember;
import dev.tutti.control.Ledger.Overdue;
import dev.tutti.model.AllocationId;
import dev.tutti.model.JobId;
import dev.tutti.model.job.TimeLimits;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Member;
import dev.tutti.model.life.MemberPhase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every ledger says of time: members not bound for long, and quarantine that is over. */
public abstract class DeadlineContract extends StoreContract {

    private static final Duration QUIET = Duration.ofSeconds(100);
    /** The grace of the jobs here. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    private static final Duration LONG = Duration.ofDays(1);

    @Test
    final void aGangThatIsNotBoundWholeInTimeIsNamed() {
        JobId job = oneOnN0();
        Duration deadline = Duration.ofSeconds(60);
        assertThat(store.ledger().unboundFor(deadline)).isEmpty();

        store.advance(Duration.ofSeconds(61));
        assertThat(store.ledger().unboundFor(deadline)).containsExactly(job);

        see(job, MemberPhase.BOUND, null);
        assertThat(store.ledger().unboundFor(deadline)).isEmpty();
    }

    @Test
    final void aGangThatIsBoundAndDoesNotRunInTimeIsNamed() {
        Duration timeout = Duration.ofSeconds(600);
        nodes(1);
        JobId plain = submit(job("plain", 1, 1));
        JobId patient = submit(with(job("patient", 1, 1), new TimeLimits(null, null, null, 900)));
        commit(place(plain, "n0", 0), place(patient, "n0", 1));
        store.advance(Duration.ofHours(1));
        assertThat(store.ledger().notReadyFor(timeout))
                .as("it counts from the last binding")
                .isEmpty();
        see(plain, MemberPhase.BOUND, null);
        see(patient, MemberPhase.BOUND, null);
        store.advance(Duration.ofSeconds(599));
        assertThat(store.ledger().notReadyFor(timeout)).isEmpty();
        store.advance(Duration.ofSeconds(2));
        assertThat(store.ledger().notReadyFor(timeout))
                .containsExactly(new Overdue(plain, run(plain).version(), EndCause.NOT_READY_IN_TIME));
        store.advance(Duration.ofSeconds(300));
        assertThat(store.ledger().notReadyFor(timeout))
                .extracting(Overdue::job)
                .containsExactlyInAnyOrder(plain, patient);

        see(plain, MemberPhase.RUNNING, null);
        stop(patient, EndCause.NOT_READY_IN_TIME);
        assertThat(store.ledger().notReadyFor(timeout)).isEmpty();
        store.advance(Duration.ofDays(1));
        assertThat(store.ledger().notReadyFor(timeout)).isEmpty();
    }

    @Test
    final void boundMembersAreNamedUntilTheirEndIsConfirmedOrTheyAreLost() {
        JobId job = oneOnN0();
        assertThat(store.ledger().bound(cluster)).isEmpty();

        Member bound = see(job, MemberPhase.BOUND, null).members().get(0);
        assertThat(store.ledger().bound(cluster))
                .containsExactly(new BoundMember(bound.id(), job, 1, 0, bound.podUid()));
        assertThat(store.ledger().bound(store.fleet().register("paris", "simulated")))
                .isEmpty();

        see(job, MemberPhase.LOST, EndCause.NODE_LOST);
        assertThat(store.ledger().bound(cluster)).isEmpty();
    }

    @Test
    final void quarantineIsOverWhenTheNodeWasReadyForLongEnoughAndTheGraceToo() {
        AllocationId lost = lostOnN0();
        store.advance(QUIET.plus(GRACE).minusSeconds(2));
        assertThat(over(LONG)).isEmpty();
        store.advance(Duration.ofSeconds(3));
        assertThat(over(LONG)).containsExactly(lost);
    }

    @Test
    final void nothingIsOverThatNeedsLongerThanTheClusterWasWatched() {
        AllocationId lost = lostOnN0();
        store.advance(LONG);
        assertThat(over(QUIET.plus(GRACE).minusSeconds(1))).isEmpty();
        assertThat(over(QUIET.plus(GRACE))).containsExactly(lost);
    }

    @Test
    final void aNodeThatIsNotReadyOrWasBootedAnewBeginsToCountAgain() {
        AllocationId lost = lostOnN0();
        observe(sighting("n0", "uid-n0", "boot-1", false, true, 8));
        store.advance(LONG);
        assertThat(over(LONG)).isEmpty();

        observe(sighting("n0"));
        assertThat(over(LONG)).isEmpty();
        store.advance(QUIET.plus(GRACE).plusSeconds(1));
        assertThat(over(LONG)).containsExactly(lost);

        observe(sighting("n0", "uid-n0", "boot-2", true, true, 8));
        assertThat(over(LONG)).isEmpty();
    }

    @Test
    final void aNodeThatIsGoneCountsAsQuietFromWhenTheMemberWasLost() {
        AllocationId lost = lostOnN0();
        store.advance(QUIET.plus(GRACE).minusSeconds(2));
        observe(gone("n0"));
        assertThat(over(LONG)).isEmpty();
        store.advance(Duration.ofSeconds(3));
        assertThat(over(Duration.ofSeconds(1))).isEmpty();
        assertThat(over(LONG)).containsExactly(lost);
    }

    @Test
    final void aReleasedMemberIsNotInQuarantine() {
        AllocationId lost = lostOnN0();
        store.advance(LONG);
        JobId job = store.ledger().runsOf(List.of(lost)).get(0).job();
        see(job, MemberPhase.GONE, EndCause.NODE_LOST);
        assertThat(over(LONG)).isEmpty();
        assertThat(heldMilli("n0")).isZero();
    }

    @Test
    final void runTimeIsOverAfterWhatIsRunAndNotBefore() {
        JobId job = oneOnN0(new TimeLimits(100, null, null));
        store.advance(Duration.ofDays(1));
        assertThat(store.ledger().overdue()).as("pods on their way do not run").isEmpty();
        see(job, MemberPhase.RUNNING, null);
        store.advance(Duration.ofSeconds(40));
        store.jobs().suspend(job, null, ANNA);
        store.advance(Duration.ofSeconds(500));
        assertThat(store.ledger().overdue()).as("stopping is no running").isEmpty();
        see(job, MemberPhase.FAILED, EndCause.EXIT_CODE);
        store.advance(Duration.ofSeconds(500));
        store.jobs().resume(job, null, ANNA);
        commit(place(job, "n0", 0));
        see(job, MemberPhase.RUNNING, null);
        store.advance(Duration.ofSeconds(58));
        assertThat(store.ledger().overdue()).isEmpty();

        store.advance(Duration.ofSeconds(3));
        assertThat(store.ledger().overdue())
                .containsExactly(new Overdue(job, run(job).version(), EndCause.MAX_RUNTIME));
        stop(job, EndCause.MAX_RUNTIME);
        assertThat(store.ledger().overdue()).isEmpty();
        assertThat(see(job, MemberPhase.FAILED, EndCause.EXIT_CODE).state()).isEqualTo(JobState.TIMED_OUT);
    }

    @Test
    final void runTimeBeginsAnewAfterEveryOtherEndOfAnAttempt() {
        JobId job = oneOnN0(new TimeLimits(100, null, null));
        for (EndCause cause : List.of(EndCause.PREEMPTED, EndCause.MOVED, EndCause.NODE_LOST, EndCause.EXIT_CODE)) {
            see(job, MemberPhase.RUNNING, null);
            store.advance(Duration.ofSeconds(90));
            assertThat(store.ledger().overdue()).as("before " + cause).isEmpty();
            stop(job, cause);
            see(job, MemberPhase.FAILED, EndCause.EXIT_CODE);
            store.advance(Duration.ofHours(1));
            commit(place(job, "n0", 0));
        }
        see(job, MemberPhase.RUNNING, null);
        store.advance(Duration.ofSeconds(90));
        assertThat(store.ledger().overdue()).isEmpty();
        store.advance(Duration.ofSeconds(11));
        assertThat(store.ledger().overdue()).extracting(Overdue::job).containsExactly(job);
    }

    @Test
    final void timeOnTheFirstFlavorStandsStillDuringASuspensionAndBeginsAnewAfterAnAttempt() {
        nodes(1);
        JobId job = submit(with(job("one", 1, 1), new TimeLimits(null, null, null, null, 60)));
        assertThat(waiting(job).fallback().afterSeconds()).isEqualTo(60);
        assertThat(waiting(submit(job("other", 1, 1))).fallback().afterSeconds())
                .isNull();
        store.advance(Duration.ofSeconds(40));
        assertThat(secondsOnTheFirstFlavor(job)).isBetween(39L, 45L);
        store.jobs().suspend(job, null, ANNA);
        store.advance(Duration.ofSeconds(500));
        store.jobs().resume(job, null, ANNA);
        assertThat(secondsOnTheFirstFlavor(job)).as("slept").isBetween(39L, 45L);

        commit(place(job, "n0", 0));
        store.advance(Duration.ofSeconds(500));
        stop(job, EndCause.PREEMPTED);
        see(job, MemberPhase.GONE, EndCause.NODE_LOST);
        assertThat(secondsOnTheFirstFlavor(job)).as("from the beginning").isBetween(0L, 5L);
    }

    private long secondsOnTheFirstFlavor(JobId job) {
        return (everything().nowMicros() - waiting(job).fallback().sinceMicros()) / 1_000_000;
    }

    @Test
    final void queueTimeStandsStillDuringASuspensionAndBeginsAnewAfterAnAttempt() {
        nodes(1);
        JobId job = submit(with(job("one", 1, 1), new TimeLimits(null, null, 60)));
        store.advance(Duration.ofSeconds(40));
        store.jobs().suspend(job, null, ANNA);
        store.advance(Duration.ofSeconds(500));
        assertThat(store.ledger().overdue()).isEmpty();
        store.jobs().resume(job, null, ANNA);
        store.advance(Duration.ofSeconds(18));
        assertThat(store.ledger().overdue()).isEmpty();
        store.advance(Duration.ofSeconds(3));
        assertThat(store.ledger().overdue()).containsExactly(new Overdue(job, run(job).version(), EndCause.DEADLINE));

        commit(place(job, "n0", 0));
        store.advance(Duration.ofSeconds(500));
        assertThat(store.ledger().overdue()).as("it no longer waits").isEmpty();
        stop(job, EndCause.PREEMPTED);
        see(job, MemberPhase.GONE, EndCause.NODE_LOST);
        store.advance(Duration.ofSeconds(58));
        assertThat(store.ledger().overdue()).isEmpty();
        store.advance(Duration.ofSeconds(3));
        assertThat(store.ledger().overdue()).extracting(Overdue::job).containsExactly(job);
    }

    @Test
    final void aDeadlineIsOneForWhateverTheJobDoesButStopping() {
        nodes(1);
        Instant soon =
                Instant.EPOCH.plus(everything().nowMicros(), ChronoUnit.MICROS).plusSeconds(60);
        TimeLimits limits = new TimeLimits(null, soon, null);
        JobId waiting = submit(with(job("waits", 1, 1), limits));
        JobId suspended = submit(with(job("sleeps", 1, 1), limits, true));
        JobId running = submit(with(job("runs", 1, 1), limits));
        JobId stopping = submit(with(job("stops", 1, 1), limits));
        commit(place(running, "n0", 0), place(stopping, "n0", 1));
        stop(stopping, EndCause.PREEMPTED);
        store.advance(Duration.ofSeconds(58));
        assertThat(store.ledger().overdue()).isEmpty();

        store.advance(Duration.ofSeconds(3));
        assertThat(store.ledger().overdue())
                .allMatch(one -> one.cause() == EndCause.DEADLINE)
                .extracting(Overdue::job)
                .containsExactlyInAnyOrder(waiting, suspended, running);
    }

    private List<AllocationId> over(Duration watched) {
        return store.ledger().quarantineOver(cluster, QUIET, watched);
    }

    private JobId oneOnN0() {
        return oneOnN0(TimeLimits.NONE);
    }

    private JobId oneOnN0(TimeLimits limits) {
        nodes(1);
        JobId job = submit(with(job("one", 1, 1), limits));
        commit(place(job, "n0", 0));
        return job;
    }

    private AllocationId lostOnN0() {
        JobId job = oneOnN0();
        see(job, MemberPhase.RUNNING, null);
        return see(job, MemberPhase.LOST, EndCause.NODE_LOST).members().get(0).id();
    }
}
