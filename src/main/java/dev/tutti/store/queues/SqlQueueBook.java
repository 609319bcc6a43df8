package dev.tutti.store.queues;

import dev.tutti.control.Actor;
import dev.tutti.control.QueueBook;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import dev.tutti.store.NothingStored;
import dev.tutti.store.SqlTransactions;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Queues in PostgreSQL. A queue is removed when it is a leaf and no job of it waits or lives; its row stays, because the
 * jobs that ended in it stay, and its path may be used again. Nor is a queue divided while jobs wait or live in it,
 * because jobs wait only in leaves. The row's lock keeps submissions out meanwhile.
 */
@Component
public final class SqlQueueBook implements QueueBook {

    /** Who is told to have made a change that is rolled back. */
    private static final Actor.Caller NOBODY = new Actor.Caller("nobody");

    private final SqlTransactions transactions;

    public SqlQueueBook(SqlTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Changed create(String path, Quotas quotas, QueueRules rules, Actor.Caller caller) {
        Optional<Changed> wrong = QueueCheck.wrong(path, quotas);
        return wrong.orElseGet(() -> orNothing(true, sql -> QueueMaker.make(sql, path, quotas, rules, caller)));
    }

    @Override
    public Created create(Creation creation) {
        Optional<Changed> wrong = QueueCheck.wrong(creation.path(), creation.quotas());
        return wrong.isPresent()
                ? new Created.Refused((Changed.Refused) wrong.get())
                : NothingStored.or(
                        Created.class, () -> transactions.write("a queue", sql -> QueueMaker.makeOnce(sql, creation)));
    }

    @Override
    public Changed change(
            long id, long version, @Nullable Quotas quotas, @Nullable QueueRules rules, Actor.Caller caller) {
        return change(id, version, quotas, rules, caller, true);
    }

    @Override
    public Changed tryChange(long id, long version, @Nullable Quotas quotas, @Nullable QueueRules rules) {
        return change(id, version, quotas, rules, NOBODY, false);
    }

    private Changed change(
            long id,
            long version,
            @Nullable Quotas quotas,
            @Nullable QueueRules rules,
            Actor.Caller caller,
            boolean keep) {
        Optional<Changed> wrong = quotas == null ? Optional.empty() : QueueCheck.quotaIsWrong(quotas);
        return wrong.orElseGet(() -> at(id, version, keep, (sql, queue) -> {
            Quotas before = QueueQuota.read(sql, id);
            Quotas after = quotas == null ? before : quotas;
            QueueRules rulesAfter = rules == null ? queue.rules() : rules;
            Optional<Changed.Refused> refused = quotas == null ? Optional.empty() : QueueQuota.write(sql, id, quotas);
            if (refused.isPresent()) {
                return refused.get();
            }
            queue.update(sql, rulesAfter);
            QueueTale.tell(
                    sql,
                    caller,
                    "queue.change",
                    id,
                    QueueTale.facts(queue.path(), queue.rules(), version, before),
                    QueueTale.facts(queue.path(), rulesAfter, version + 1, after));
            return new Changed.Done(id, version + 1);
        }));
    }

    @Override
    public Changed remove(long id, long version, Actor.Caller caller) {
        return remove(id, version, caller, true);
    }

    @Override
    public Changed tryRemove(long id, long version) {
        return remove(id, version, NOBODY, false);
    }

    private Changed remove(long id, long version, Actor.Caller caller, boolean keep) {
        return at(id, version, keep, (sql, queue) -> {
            if (queue.isDivided(sql)) {
                return new Changed.Refused("id", "there are queues below \"" + queue.path() + "\"; remove those first");
            }
            if (queue.hasOpenJobs(sql)) {
                return new Changed.Refused(
                        "id",
                        "jobs wait or run in \"" + queue.path()
                                + "\"; set its draining to true, so that no more come, and remove it when they have ended");
            }
            Map<String, Object> before =
                    QueueTale.facts(queue.path(), queue.rules(), version, QueueQuota.read(sql, id));
            queue.remove(sql);
            QueueQuota.remove(sql, id);
            QueueTale.tell(sql, caller, "queue.remove", id, before, null);
            return new Changed.Done(id, version + 1);
        });
    }

    /** @param keep whether the change is kept; else it is made and rolled back, so that all that forbids it is found out */
    private Changed at(long id, long version, boolean keep, Work work) {
        return orNothing(keep, sql -> {
            Optional<QueueRow> queue = QueueRow.lock(sql, id);
            if (queue.isEmpty()) {
                return new Changed.NotFound();
            }
            return queue.get().version() == version
                    ? work.on(sql, queue.get())
                    : new Changed.Stale(queue.get().version());
        });
    }

    /** What is refused is rolled back, whatever was written before it was found out. */
    private Changed orNothing(boolean keep, Function<JdbcClient, Changed> work) {
        return NothingStored.or(
                Changed.class,
                () -> transactions.write("a queue", sql -> {
                    Changed changed = work.apply(sql);
                    if (!keep || changed instanceof Changed.Refused) {
                        throw new NothingStored(changed);
                    }
                    return changed;
                }));
    }

    /** What is done to a queue whose row is locked. */
    private interface Work {
        Changed on(JdbcClient sql, QueueRow queue);
    }
}
