package dev.tutti.control.loop;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.quota.HalfLife;
import dev.tutti.allocator.quota.PastShares;
import dev.tutti.control.Actor;
import dev.tutti.control.OutcomeUnknown;
import dev.tutti.control.PastBook;
import dev.tutti.control.view.FleetMirror;
import dev.tutti.model.QueueId;
import dev.tutti.model.queue.PastShare;
import java.util.Map;

/**
 * Brings what queues held lately up to date, at most once in each step of time. What counts is stored: a decision knows the past
 * as it was read, so a restart and another leader change nothing. What is held at the end of a step counts for all of it, also
 * for the time in which nobody led.
 */
public final class PastKeeper {

    private static final long STEP_MICROS = HalfLife.STEP.toNanos() / 1_000;

    private final PastBook book;
    private final HalfLife halfLife;
    private final Actor.Leader leader;
    private long nextMicros = Long.MIN_VALUE;
    /** Since when nobody has held anything that counts. */
    private long idleSinceMicros = Long.MIN_VALUE;

    public PastKeeper(PastBook book, HalfLife halfLife, Actor.Leader leader) {
        this.book = book;
        this.halfLife = halfLife;
        this.leader = leader;
    }

    /** Writes the past as of the mirror's time when it is due. */
    public void turn(FleetMirror mirror) {
        long now = mirror.nowMicros();
        if (now < nextMicros) {
            return;
        }
        if (idleSinceMicros == Long.MIN_VALUE) {
            idleSinceMicros = now;
        }
        QueueShares queues = mirror.snapshot().queues();
        long counted = PastShares.countedUntil(queues);
        if (counted == 0 && !halfLife.isOn()) {
            nextMicros = now + STEP_MICROS;
            return;
        }
        long since = counted == 0 ? idleSinceMicros : counted;
        if (since + STEP_MICROS > now && halfLife.isOn()) {
            nextMicros = since + STEP_MICROS;
            return;
        }
        nextMicros = now + STEP_MICROS;
        Map<QueueId, PastShare> pasts = PastShares.of(mirror.snapshot(), halfLife, since, now);
        try {
            if (!pasts.isEmpty()) {
                book.remember(pasts, leader);
            }
            idleSinceMicros = now;
        } catch (OutcomeUnknown lost) {
            // What was read last still says until when the past is counted; the next reading knows better.
            nextMicros = now;
        }
    }
}
