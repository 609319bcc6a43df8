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
import dev.tutti.model.queue.Quotas;
import dev.tutti.testkit.memory.MemoryStore;
import java.time.Duration;

/** The store in memory, that the simulation runs on: it must do what PostgreSQL does. */
final class MemoryStoreUnderTest implements StoreUnderTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private long nowMicros = 1_767_225_600_000_000L;
    private final MemoryStore store = new MemoryStore(() -> nowMicros, LEASE);

    MemoryStoreUnderTest() {
        store.addQueue("default", Quotas.NONE);
    }

    @Override
    public Ledger ledger() {
        return store.ledger();
    }

    @Override
    public BindOutbox outbox() {
        return store.outbox();
    }

    @Override
    public Dependencies dependencies() {
        return store.dependencies();
    }

    @Override
    public JobBook jobs() {
        return store.jobBook();
    }

    @Override
    public FleetBook fleet() {
        return store.fleet();
    }

    @Override
    public ChangeFeed changes() {
        return store.feed();
    }

    @Override
    public QueueBook queues() {
        return store.queues();
    }

    @Override
    public PastBook pasts() {
        return store.pasts();
    }

    @Override
    public Leadership leadership() {
        return store.leadership();
    }

    @Override
    public Duration lease() {
        return LEASE;
    }

    @Override
    public void advance(Duration time) {
        nowMicros += time.toNanos() / 1000;
    }

    @Override
    public void close() {
        // Nothing to give back.
    }
}
