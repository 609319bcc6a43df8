package dev.tutti.control.loop;

import dev.tutti.control.Ledger;
import java.util.List;

/**
 * Ends jobs whose time is over: run time, queue time, deadline. It counts nothing itself, so a restart and another leader
 * change nothing.
 */
public final class TimeKeeper {

    private final Ledger ledger;
    private final JobKeeper keeper;

    public TimeKeeper(Ledger ledger, JobKeeper keeper) {
        this.ledger = ledger;
        this.keeper = keeper;
    }

    /** Returns how many jobs were found overdue and dealt with; those that moved on meanwhile are looked at again. */
    public int turn() {
        List<Ledger.Overdue> overdue = ledger.overdue();
        return overdue.isEmpty() ? 0 : overdue.size() - keeper.stop(overdue).size();
    }
}
