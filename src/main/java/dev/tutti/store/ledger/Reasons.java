package dev.tutti.store.ledger;

import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.time.Duration;

/** The verdicts that the store itself writes: the ones before the allocator has looked. */
public final class Reasons {

    /** A job that just came, or came back. */
    public static final Reason NOT_YET_EVALUATED =
            new Reason(ReasonCode.NOT_YET_EVALUATED, null, 0, 0, "The job has not been looked at yet.");

    /** A job whose user wants it to wait. */
    public static final Reason SUSPENDED = new Reason(
            ReasonCode.SUSPENDED, null, 0, 0, "The job is suspended; resume it to let it wait in its queue.");

    /** A job that waits for others to succeed. */
    public static final Reason DEPENDENCY = new Reason(
            ReasonCode.DEPENDENCY, null, 0, 0, "The job waits until every job that it depends on has succeeded.");

    private Reasons() {}

    static Reason backingOff(Duration delay) {
        return new Reason(
                ReasonCode.BACKING_OFF,
                "seconds",
                delay.toSeconds(),
                0,
                "The job is tried again in " + delay.toSeconds() + " s.");
    }
}
