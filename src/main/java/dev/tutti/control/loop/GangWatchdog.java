package dev.tutti.control.loop;

import dev.tutti.control.Ledger;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import java.time.Duration;
import java.util.List;

/** Stops gangs that are not bound whole in time, so that none is partly bound for long (invariant I3). */
public final class GangWatchdog {

    /** From the commit to the last binding. */
    public static final Duration DEADLINE = Duration.ofSeconds(60);

    private final Ledger ledger;
    private final JobKeeper keeper;

    public GangWatchdog(Ledger ledger, JobKeeper keeper) {
        this.ledger = ledger;
        this.keeper = keeper;
    }

    /** Returns how many gangs were asked to stop. */
    public int turn() {
        List<JobId> late = ledger.unboundFor(DEADLINE);
        return late.isEmpty()
                ? 0
                : late.size() - keeper.stop(late, EndCause.NOT_READY_IN_TIME).size();
    }
}
