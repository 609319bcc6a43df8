package dev.tutti.boot.loops;

import dev.tutti.control.loop.LeaseKeeper;
import java.time.Duration;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for leadership again and again, and lets the loops of a term run exactly while this replica leads. Every loop
 * also looks at its lease by itself, so a renewal that hangs stops the work all the same.
 */
final class LeaderDuty {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderDuty.class);
    private static final long NONE = -1;

    private final LeaseKeeper keeper;
    private final TermWork work;
    private final Loop loop;
    private long term = NONE;

    /** What a leader does. */
    interface TermWork {

        void start(long term);

        /** Ends all work of the term that was started; returns when it has ended. */
        void stop();
    }

    LeaderDuty(LeaseKeeper keeper, TermWork work, Duration renewal) {
        this.keeper = keeper;
        this.work = work;
        this.loop = new Loop("leadership", this::turn, new Bell(), renewal, () -> {});
    }

    void start() {
        loop.start();
    }

    /** Ends the work first and gives leadership up then, so that a successor finds nothing half done. */
    void stop() {
        loop.stop();
        loop.join();
        endWork();
        try {
            keeper.resign();
        } catch (RuntimeException e) {
            LOG.warn("leadership could not be given up; the lease runs out by itself: {}", e.getMessage());
        }
    }

    private int turn() {
        OptionalLong granted;
        try {
            granted = keeper.turn();
        } catch (RuntimeException e) {
            LOG.warn("leadership could not be renewed: {}", e.getMessage());
            if (term != NONE && !keeper.lease(term).holds()) {
                endWork();
            }
            return 0;
        }
        if (granted.orElse(NONE) != term) {
            endWork();
            granted.ifPresent(this::startWork);
        }
        return 0;
    }

    private void startWork(long granted) {
        LOG.info("this replica leads in term {}", granted);
        term = granted;
        work.start(granted);
    }

    private void endWork() {
        if (term != NONE) {
            LOG.info("this replica no longer leads in term {}", term);
            work.stop();
            term = NONE;
        }
    }
}
