package dev.tutti.control;

import dev.tutti.control.read.QueueQueries.QueueView;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The administrator's way to change queues. Every change is one transaction with its audit row. */
public interface QueueBook {

    /**
     * Creates a queue. Its name is the last part of the path; the queues above it are there already.
     *
     * @param path such as {@code research/llm}: DNS labels joined by slashes, at most 8
     * @param quotas its own quotas; what the queues below a queue with a quota are promised together is not more than it
     */
    Changed create(String path, Quotas quotas, QueueRules rules, Actor.Caller caller);

    /** Creates a queue as above, in one transaction with the answer to its key. */
    Created create(Creation creation);

    /**
     * Changes quotas or rules of a queue at exactly this row version.
     *
     * @param quotas new quotas as a whole; null to leave them. They may be below what is in use: then nothing more
     *     starts until enough has ended
     * @param rules how its jobs get their turn; null to leave it
     */
    Changed change(long id, long version, @Nullable Quotas quotas, @Nullable QueueRules rules, Actor.Caller caller);

    /** Removes an empty leaf at exactly this row version. */
    Changed remove(long id, long version, Actor.Caller caller);

    /** What {@link #change} would answer now; nothing is written. */
    Changed tryChange(long id, long version, @Nullable Quotas quotas, @Nullable QueueRules rules);

    /** What {@link #remove} would answer now; nothing is written. */
    Changed tryRemove(long id, long version);

    /**
     * One call that creates a queue.
     *
     * @param answer makes the answer's bytes of the new queue; kept with the key for 24 h
     */
    record Creation(KeyedCall call, String path, Quotas quotas, QueueRules rules, Function<QueueView, byte[]> answer) {}

    /** What became of a creation. */
    sealed interface Created {

        /** Stored now, or stored before under the same key: these bytes are the answer. */
        record Stored(byte[] answer, boolean replayed) implements Created {}

        /** It cannot be so, now; nothing is stored. */
        record Refused(Changed.Refused why) implements Created {}

        /** The key was used with another body. */
        record KeyReused() implements Created {}

        /** Another call with this key is still running. */
        record KeyBusy() implements Created {}
    }

    /** What became of a change. */
    sealed interface Changed {

        record Done(long id, long version) implements Changed {}

        record NotFound() implements Changed {}

        record Stale(long version) implements Changed {}

        /** It cannot be so, now: the field, and why. */
        record Refused(String field, String why) implements Changed {}
    }
}
