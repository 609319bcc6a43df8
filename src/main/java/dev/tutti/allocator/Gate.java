package dev.tutti.allocator;

import dev.tutti.allocator.quota.QuotaCheck;

/**
 * Whether operators, the rules of lanes and limits of jobs that run let jobs of a class through; capacity and quota are not
 * asked. What grows starts no more.
 */
final class Gate {

    private Gate() {}

    /** Whether its jobs may start, after those that have started in this decision. */
    static boolean mayStart(JobClass kind, QuotaCheck quota) {
        return mayAsk(kind, quota) && isWithinLimits(kind, quota);
    }

    /** The same but for how many run already: others may leave for one of its jobs. */
    static boolean mayAsk(JobClass kind, QuotaCheck quota) {
        return keepsPromise(kind, quota)
                && (kind.grows
                        || quota.lanes().mightStart(kind.lane) && !quota.lanes().isUsedUp(kind.lane));
    }

    /**
     * Whether they might when the decision began; so none behind them in a strict queue passes them for the rest of it. One
     * that is over a limit keeps nobody back: those behind it in its queue are over it as well, or are another user's.
     */
    static boolean mayHead(JobClass kind, QuotaCheck quota) {
        return keepsPromise(kind, quota)
                && (kind.grows || quota.lanes().mightStart(kind.lane))
                && (kind.grows || quota.runs().met(kind.account, kind.request) == null);
    }

    /** The same but for the rate of the lane: one that is used up for a while ends no promise. */
    static boolean keepsPromise(JobClass kind, QuotaCheck quota) {
        return kind.queueNumber >= 0
                && !quota.isHeld(kind.queueNumber)
                && quota.lanes().opens(kind.lane) == null;
    }

    private static boolean isWithinLimits(JobClass kind, QuotaCheck quota) {
        return kind.grows || quota.runs().mayStart(kind.account);
    }
}
