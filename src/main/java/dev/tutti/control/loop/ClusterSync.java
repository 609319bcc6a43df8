package dev.tutti.control.loop;

import java.time.Duration;

/**
 * How well this replica knows one cluster in this term; what the cluster's loops tell each other. Nothing is bound and
 * nothing decided before the cluster was compared once, or is known to be out of reach. Safe for many threads.
 */
public final class ClusterSync {

    private final SightingInbox inbox;
    private final Ticker ticker;
    private boolean touched;
    private boolean listed;
    private boolean outOfReach;
    private long gapsCovered;
    private long watchedSinceNanos;

    public ClusterSync(SightingInbox inbox, Ticker ticker) {
        this.inbox = inbox;
        this.ticker = ticker;
    }

    /** Whether pods may be made and bound. */
    public synchronized boolean isReady() {
        return touched && listed && !outOfReach;
    }

    /** Whether decisions need not wait for this cluster: it is known, or its nodes are closed as out of reach. */
    public synchronized boolean isSettled() {
        return outOfReach || isReady();
    }

    /** Whether something may have been missed since the last full list. */
    synchronized boolean needsList() {
        return !listed || outOfReach || inbox.gaps() != gapsCovered;
    }

    /** For how long the watch has had no gap; zero while it has one. */
    synchronized Duration watched() {
        return needsList() ? Duration.ZERO : Duration.ofNanos(ticker.nanos() - watchedSinceNanos);
    }

    synchronized boolean isTouched() {
        return touched;
    }

    synchronized void touched() {
        touched = true;
    }

    /** A full list was taken in that began at {@code startedNanos}, when {@code gaps} gaps were known. */
    synchronized void listed(long startedNanos, long gaps) {
        if (!listed || outOfReach || gaps != gapsCovered) {
            watchedSinceNanos = startedNanos;
        }
        gapsCovered = gaps;
        listed = true;
        outOfReach = false;
    }

    synchronized void outOfReach() {
        outOfReach = true;
    }
}
