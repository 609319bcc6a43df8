package dev.tutti.testkit.memory;

import dev.tutti.control.Actor;
import dev.tutti.control.QueueBook;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import org.jspecify.annotations.Nullable;

/** Queues as tests need them; which paths and quotas are allowed is the real one's to say. */
final class MemoryQueueBook implements QueueBook {

    private final MemoryStore store;

    MemoryQueueBook(MemoryStore store) {
        this.store = store;
    }

    @Override
    public Changed create(String path, Quotas quotas, QueueRules rules, Actor.Caller caller) {
        long id = store.addQueue(path, quotas);
        store.queues.get(id).rules = rules;
        return new Changed.Done(id, 0);
    }

    @Override
    public Created create(Creation creation) {
        throw new UnsupportedOperationException("keys of queues are tested on PostgreSQL and at the door");
    }

    @Override
    public Changed change(
            long id, long version, @Nullable Quotas quotas, @Nullable QueueRules rules, Actor.Caller caller) {
        Rows.Queue queue = store.queues.get(id);
        if (queue == null) {
            return new Changed.NotFound();
        }
        if (queue.version != version) {
            return new Changed.Stale(queue.version);
        }
        if (quotas != null) {
            queue.quotas.clear();
            queue.quotas.putAll(quotas.byKey());
        }
        queue.rules = rules == null ? queue.rules : rules;
        queue.version++;
        store.stamp(queue);
        return new Changed.Done(id, queue.version);
    }

    @Override
    public Changed tryChange(long id, long version, @Nullable Quotas quotas, @Nullable QueueRules rules) {
        Rows.Queue queue = store.queues.get(id);
        return tried(queue, id, version);
    }

    @Override
    public Changed tryRemove(long id, long version) {
        return tried(store.queues.get(id), id, version);
    }

    private static Changed tried(Rows.@Nullable Queue queue, long id, long version) {
        if (queue == null) {
            return new Changed.NotFound();
        }
        return queue.version == version ? new Changed.Done(id, version + 1) : new Changed.Stale(queue.version);
    }

    @Override
    public Changed remove(long id, long version, Actor.Caller caller) {
        Rows.Queue queue = store.queues.get(id);
        if (queue == null) {
            return new Changed.NotFound();
        }
        if (queue.version != version) {
            return new Changed.Stale(queue.version);
        }
        boolean isUsed = store.jobs.values().stream().anyMatch(job -> job.queue.isIn(queue) && !job.state.isFinal());
        if (isUsed) {
            return new Changed.Refused("id", "jobs wait or run in \"" + queue.path + "\"; set draining to true first");
        }
        queue.removed = true;
        store.queues.remove(id);
        store.stamp(queue);
        return new Changed.Done(id, version + 1);
    }
}
