package dev.tutti.contract;

import dev.tutti.control.BindOutbox;
import dev.tutti.control.Dependencies;
import dev.tutti.control.FleetBook;
import dev.tutti.control.JobBook;
import dev.tutti.control.Leadership;
import dev.tutti.control.Ledger;
import dev.tutti.control.PastBook;
import dev.tutti.control.QueueBook;
import dev.tutti.control.view.ChangeFeed;
import java.time.Duration;

/** One empty store behind all its ports, with the queue {@code default} in it, and a hand on its clock. */
public interface StoreUnderTest extends AutoCloseable {

    Ledger ledger();

    BindOutbox outbox();

    JobBook jobs();

    Dependencies dependencies();

    FleetBook fleet();

    ChangeFeed changes();

    QueueBook queues();

    PastBook pasts();

    Leadership leadership();

    /** How long the lease lasts that {@link Leadership#lead} takes. */
    Duration lease();

    /** Makes everything stored older by {@code time}, as if that much time had passed. */
    void advance(Duration time);

    @Override
    void close();
}
