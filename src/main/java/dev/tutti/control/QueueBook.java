package dev.tutti.control;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The administrator's way to change queues. Every change is one transaction with its audit row. */
public interface QueueBook {

    /**
     * Creates a queue. Its name is the last part of the path; the queues above it are there already.
     *
     * @param path such as {@code research/llm}: DNS labels joined by slashes, at most 8
     * @param nominalMilli quota in milli-GPU by flavor; a flavor that is not named is not limited
     */
    Changed create(String path, Map<String, Long> nominalMilli, Actor.Caller caller);

    /**
     * Changes quota or hold of a queue at exactly this row version.
     *
     * @param nominalMilli new quota as a whole; null to leave it. It may be below what is in use: then nothing more
     *     starts until enough has ended
     * @param held whether nothing may start; null to leave it
     */
    Changed change(
            long id,
            long version,
            @Nullable Map<String, Long> nominalMilli,
            @Nullable Boolean held,
            Actor.Caller caller);

    /** Removes an empty leaf at exactly this row version. */
    Changed remove(long id, long version, Actor.Caller caller);

    /** What became of a change. */
    sealed interface Changed {

        record Done(long id, long version) implements Changed {}

        record NotFound() implements Changed {}

        record Stale(long version) implements Changed {}

        /** It cannot be so, now: the field, and why. */
        record Refused(String field, String why) implements Changed {}
    }
}
