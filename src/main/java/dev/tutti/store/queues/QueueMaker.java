package dev.tutti.store.queues;

import dev.tutti.control.Actor;
import dev.tutti.control.QueueBook.Changed;
import dev.tutti.control.QueueBook.Created;
import dev.tutti.control.QueueBook.Creation;
import dev.tutti.control.read.QueueQueries.LimitUse;
import dev.tutti.control.read.QueueQueries.QueueView;
import dev.tutti.model.queue.PastShare;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import dev.tutti.store.IdempotencyKeys;
import dev.tutti.store.IdempotencyKeys.First;
import dev.tutti.store.NothingStored;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Makes a queue below one that is there and has no open jobs; with a key only once. */
final class QueueMaker {

    private static final byte[] NOT_YET = {};

    private QueueMaker() {}

    /** {@link NothingStored} for what is refused, so that the key stays free. */
    static Created makeOnce(JdbcClient sql, Creation creation) {
        Optional<First> earlier = IdempotencyKeys.take(sql, creation.call(), NOT_YET);
        if (earlier.isPresent()) {
            return earlier(earlier.get());
        }
        Changed changed = make(
                sql,
                creation.path(),
                creation.quotas(),
                creation.rules(),
                creation.call().caller());
        if (!(changed instanceof Changed.Done done)) {
            throw new NothingStored(new Created.Refused((Changed.Refused) changed));
        }
        byte[] answer = creation.answer().apply(view(sql, done.id(), creation));
        IdempotencyKeys.answer(sql, creation.call(), answer);
        return new Created.Stored(answer, false);
    }

    private static Created earlier(First first) {
        if (first instanceof First.Answered answered) {
            return new Created.Stored(answered.answer(), true);
        }
        if (first instanceof First.Running) {
            throw new NothingStored(new Created.KeyBusy());
        }
        return new Created.KeyReused();
    }

    static Changed make(JdbcClient sql, String path, Quotas quotas, QueueRules rules, Actor.Caller caller) {
        Long parent = null;
        int slash = path.lastIndexOf('/');
        if (slash >= 0) {
            Optional<QueueRow> above = QueueRow.lock(sql, path.substring(0, slash));
            if (above.isEmpty()) {
                return new Changed.Refused(
                        "path",
                        "is \"" + path + "\", but there is no queue \"" + path.substring(0, slash)
                                + "\" above it; make that first");
            }
            if (above.get().hasOpenJobs(sql)) {
                return new Changed.Refused(
                        "path",
                        "jobs wait or run in \"" + above.get().path()
                                + "\", and only a leaf may have jobs; give another place in the tree, or wait until it is empty");
            }
            parent = above.get().id();
        }
        Optional<Long> id = QueueRow.insert(sql, path, parent, rules);
        if (id.isEmpty()) {
            return new Changed.Refused("path", "there is a queue \"" + path + "\" already");
        }
        Optional<Changed.Refused> refused = QueueQuota.write(sql, id.get(), quotas);
        if (refused.isPresent()) {
            return refused.get();
        }
        QueueTale.tell(sql, caller, "queue.create", id.get(), null, QueueTale.facts(path, rules, 0, quotas));
        return new Changed.Done(id.get(), 0);
    }

    /** A queue that was made in this transaction: an empty leaf. */
    private static QueueView view(JdbcClient sql, long id, Creation creation) {
        @Nullable
        Long parent = sql.sql("SELECT parent_id FROM queues WHERE id = :id")
                .param("id", id)
                .query((row, n) -> Optional.ofNullable(row.getObject(1, Long.class)))
                .single()
                .orElse(null);
        return new QueueView(
                id,
                creation.path(),
                parent,
                true,
                creation.rules(),
                0,
                creation.quotas(),
                Map.of(),
                PastShare.NONE,
                0,
                0,
                LimitUse.NONE);
    }
}
