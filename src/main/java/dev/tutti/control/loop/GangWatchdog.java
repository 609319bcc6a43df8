package dev.tutti.control.loop;

import dev.tutti.control.Ledger;
import dev.tutti.model.JobId;
import java.time.Duration;
import java.util.List;

/**
 * Stops gangs that are not bound whole in time, so that none is partly bound for long (invariant I3), and those that are
 * bound and do not run in time, so that none holds GPUs without limit and does nothing with them. Takes members that are not
 * bound, or do not run, in time back from jobs that run. It counts nothing itself, so a restart and another leader change nothing.
 */
public final class GangWatchdog {

    /** From the commit to the last binding. */
    public static final Duration DEADLINE = Duration.ofSeconds(60);

    private final Ledger ledger;
    private final JobKeeper keeper;
    private final Duration readyTimeout;

    /** @param readyTimeout from the last binding until all pods run, of jobs that do not name it */
    public GangWatchdog(Ledger ledger, JobKeeper keeper, Duration readyTimeout) {
        this.ledger = ledger;
        this.keeper = keeper;
        this.readyTimeout = readyTimeout;
    }

    /** Returns how many jobs were asked to stop or to go on without some members. */
    public int turn() {
        return stopUnbound() + stopNotReady();
    }

    private int stopUnbound() {
        List<JobId> late = ledger.unboundFor(DEADLINE);
        return late.isEmpty() ? 0 : late.size() - keeper.giveUpUnbound(late).size();
    }

    /** One that begins to run meanwhile has another version, and runs on. */
    private int stopNotReady() {
        List<Ledger.Overdue> late = ledger.notReadyFor(readyTimeout);
        return late.isEmpty() ? 0 : late.size() - keeper.giveUpNotReady(late).size();
    }
}
