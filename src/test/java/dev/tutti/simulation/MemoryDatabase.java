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
import dev.tutti.testkit.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The ledger in memory. */
final class MemoryDatabase implements Database {

    private long nowMicros;
    private final MemoryStore store;

    MemoryDatabase(Duration lease) {
        store = new MemoryStore(() -> nowMicros, lease);
    }

    @Override
    public ClusterId addCluster(String name) {
        return store.addCluster(name);
    }

    @Override
    public void addQueue(String path, Quotas quotas) {
        store.addQueue(path, quotas);
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
    public ChangeFeed feed() {
        return store.feed();
    }

    @Override
    public FleetBook fleet() {
        return store.fleet();
    }

    @Override
    public Dependencies dependencies() {
        return store.dependencies();
    }

    @Override
    public JobBook jobBook() {
        return store.jobBook();
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
    public Truth truth() {
        return store.truth();
    }

    @Override
    public void now(Instant time) {
        nowMicros = ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    @Override
    public void close() {
        // Nothing to give back.
    }
}
