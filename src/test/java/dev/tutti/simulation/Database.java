package dev.tutti.simulation;

import dev.tutti.control.BindOutbox;
import dev.tutti.control.Dependencies;
import dev.tutti.control.FleetBook;
import dev.tutti.control.JobBook;
import dev.tutti.control.Leadership;
import dev.tutti.control.Ledger;
import dev.tutti.control.PastBook;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.model.ClusterId;
import dev.tutti.model.queue.Quotas;
import dev.tutti.testkit.Truth;
import java.time.Instant;

/** A ledger to run on: in memory, or PostgreSQL. */
interface Database extends AutoCloseable {

    ClusterId addCluster(String name);

    void addQueue(String path, Quotas quotas);

    Ledger ledger();

    BindOutbox outbox();

    ChangeFeed feed();

    FleetBook fleet();

    JobBook jobBook();

    Dependencies dependencies();

    PastBook pasts();

    Leadership leadership();

    /** What the rows say, whoever asks. */
    Truth truth();

    /** Turns the database's clock. */
    void now(Instant time);

    @Override
    void close();
}
