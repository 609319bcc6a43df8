package dev.tutti.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.allocator.GangAllocator;
import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.quota.HalfLife;
import dev.tutti.control.Actor;
import dev.tutti.control.Deposed;
import dev.tutti.control.PlanId;
import dev.tutti.control.QueueBook.Changed;
import dev.tutti.control.loop.PastKeeper;
import dev.tutti.control.loop.SchedulingCycle;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.life.JobState;
import dev.tutti.model.queue.PastShare;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What every store does with what queues held lately, and who counts it goes on where the last one stopped. */
public abstract class PastContract extends StoreContract {

    private static final HalfLife HOUR = new HalfLife(3_600);
    /** What a test may take, beside an hour. */
    private static final Offset<Long> SECONDS = within(PastShare.WHOLE / 200);

    @Test
    final void whatIsRememberedComesWithItsQueueAndAlone() {
        QueueId one = queue("one");
        queue("two");
        String cursor = everything().cursor();
        PastShare past = new PastShare(5, PastShare.WHOLE, everything().nowMicros());
        store.pasts().remember(Map.of(one, past), leader);
        assertThat(store.changes().since(cursor).queues()).containsKey(one);
        assertThat(past(one)).isEqualTo(past);
        assertThat(past(queue("three"))).isEqualTo(PastShare.NONE);
    }

    @Test
    final void whatIsCountedUntilALaterTimeStays() {
        QueueId one = queue("one");
        PastShare past = new PastShare(5, 7, everything().nowMicros());
        store.pasts().remember(Map.of(one, past), leader);
        store.pasts().remember(Map.of(one, new PastShare(1, 1, past.atMicros())), leader);
        store.pasts().remember(Map.of(one, new PastShare(1, 1, past.atMicros() - 1)), leader);
        assertThat(past(one)).isEqualTo(past);
        PastShare later = new PastShare(1, 2, past.atMicros() + 1);
        store.pasts().remember(Map.of(one, later), leader);
        assertThat(past(one)).isEqualTo(later);
    }

    @Test
    final void aFormerLeaderWritesNothingAndAQueueThatIsGoneIsLeftOut() {
        QueueId one = queue("one");
        QueueId gone = queue("gone");
        store.queues().remove(gone.value(), 0, ANNA);
        Actor.Leader former = leader;
        leader = next();
        PastShare past = new PastShare(5, 7, everything().nowMicros());
        assertThatThrownBy(() -> store.pasts().remember(Map.of(one, past), former))
                .isInstanceOf(Deposed.class);
        assertThat(past(one)).isEqualTo(PastShare.NONE);
        store.pasts().remember(Map.of(one, past, gone, past), leader);
        assertThat(past(one)).isEqualTo(past);
    }

    @Test
    final void eachLeaderGoesOnWhereTheLastOneStopped() {
        nodes(1);
        QueueId one = queue("one");
        QueueId two = queue("two");
        commit(place(submit(job("job", "one", 1, 4, 0)), "n0", 0, 1, 2, 3));
        long half = PastShare.WHOLE / 2;
        store.pasts()
                .remember(
                        Map.of(
                                one, new PastShare(0, half, everything().nowMicros()),
                                two, new PastShare(half, 0, everything().nowMicros())),
                        leader);
        store.advance(Duration.ofHours(1));
        leader = next();
        cycle(HOUR).turn();

        assertThat(past(one).surplus()).as("half the time it holds half").isCloseTo(half / 2, SECONDS);
        assertThat(past(one).red()).isCloseTo(half / 2, SECONDS);
        assertThat(past(two).surplus()).isCloseTo(half / 2, SECONDS);
        PastShare before = past(one);
        cycle(HOUR).turn();
        assertThat(past(one)).as("nothing is counted twice").isEqualTo(before);

        store.advance(Duration.ofHours(1));
        leader = next();
        cycle(HOUR).turn();
        assertThat(past(one).surplus()).isCloseTo(half * 3 / 4, SECONDS);
        assertThat(past(two).surplus()).isCloseTo(half / 4, SECONDS);
        store.advance(Duration.ofMinutes(1));
        cycle(HalfLife.OFF).turn();
        assertThat(past(one).isNothing())
                .as("without a half-life it is forgotten")
                .isTrue();
        assertThat(past(two).isNothing()).isTrue();
    }

    @Test
    final void whoHeldNothingLatelyComesFirstWhoeverLeads() {
        nodes(1);
        QueueId one = queue("one");
        queue("two");
        store.pasts()
                .remember(
                        Map.of(
                                one,
                                new PastShare(
                                        PastShare.WHOLE / 3, 0, everything().nowMicros())),
                        leader);
        JobId older = submit(QueueTrialContract.plain("one", 8));
        JobId other = submit(QueueTrialContract.plain("two", 8));
        store.advance(Duration.ofMinutes(30));
        leader = next();
        cycle(HOUR).turn();
        assertThat(run(other).state()).isEqualTo(JobState.ALLOCATED);
        assertThat(run(older).state()).isEqualTo(JobState.QUEUED);
    }

    private SchedulingCycle cycle(HalfLife halfLife) {
        return new SchedulingCycle(
                store.changes(),
                new GangAllocator(),
                store.ledger(),
                QueueTrialContract.LEVELS,
                List.of(),
                () -> true,
                () -> new PlanId(UUID.randomUUID()),
                alarm -> {},
                leader,
                new PastKeeper(store.pasts(), halfLife, leader));
    }

    private Actor.Leader next() {
        store.advance(Duration.ofMinutes(1));
        return new Actor.Leader(
                store.leadership().lead("leader " + UUID.randomUUID()).orElseThrow());
    }

    private QueueId queue(String path) {
        return new QueueId(((Changed.Done) store.queues().create(path, Quotas.NONE, QueueRules.PLAIN, ANNA)).id());
    }

    private PastShare past(QueueId queue) {
        QueueShares.Share share = everything().queues().get(queue);
        return share.past();
    }
}
