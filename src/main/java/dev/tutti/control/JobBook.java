package dev.tutti.control;

import dev.tutti.model.JobId;
import dev.tutti.model.Violation;
import dev.tutti.model.job.Cycle;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The doors' way to put jobs in and to steer them: stop, suspend, resume, scale. */
public interface JobBook {

    /** Stores the jobs and, with a key, the answer, in one transaction. */
    Submitted submit(Submission submission);

    /**
     * Why the queues would not take in these jobs now, each behind those before it in the list. Nothing is written, and no
     * place is kept.
     *
     * @param specs jobs whose queues are leaves; of another nothing is said
     * @return one list per job, in order; empty for a job that would be taken in
     */
    List<List<Violation>> closed(List<JobSpec> specs, Actor.Caller caller);

    /**
     * Asks a job to stop, in one transaction: a waiting one ends at once, a live one becomes STOPPING.
     *
     * @param version stop it only at this row version; null for any
     */
    Steered stop(JobId job, EndCause cause, @Nullable Long version, Actor.Caller caller);

    /**
     * Lets a job hold nothing until it is resumed, in one transaction: a waiting one is SUSPENDED at once, a live one
     * becomes STOPPING and is SUSPENDED when its last member's end is confirmed.
     *
     * @param version as for {@link #stop}
     */
    Steered suspend(JobId job, @Nullable Long version, Actor.Caller caller);

    /** Takes a suspension back: the job waits in its queue, at once or when it has stopped. */
    Steered resume(JobId job, @Nullable Long version, Actor.Caller caller);

    /**
     * Changes what a job asks for, in one transaction. Lane, priority, limits of time and labels may change; the lane only
     * while the job waits. A job that has ended, or stops for good, does not change.
     *
     * @param patch makes the new spec of the one that is stored, and may throw {@code InvalidInput}
     * @param version change it only at this row version; null for any
     */
    Steered change(JobId job, UnaryOperator<JobSpec> patch, @Nullable Long version, Actor.Caller caller);

    /**
     * Changes how many pods of one set a job wants, in one transaction. A waiting job starts so; of a live one the members of
     * highest rank that are too many are asked to leave, and hold what they hold until their end is confirmed.
     *
     * @param podSet name of the set; null for the only one
     * @param count from its {@code minCount} to its {@code maxCount}; {@code InvalidInput} when it is not
     * @param version scale it only at this row version; null for any
     */
    Steered scale(JobId job, @Nullable String podSet, int count, @Nullable Long version, Actor.Caller caller);

    /**
     * One call that creates jobs.
     *
     * @param caller who submits; keys are per caller
     * @param key the Idempotency-Key; null without one
     * @param bodyHash hash of the request's route and body; same key with another hash is refused
     * @param specs the jobs, 1 to 1000
     * @param links for each job the places, in this list, of those that it depends on too; without a cycle
     * @param answer makes the answer's bytes of the new ids, in order; kept with the key for 24 h
     */
    record Submission(
            Actor.Caller caller,
            @Nullable String key,
            String bodyHash,
            List<JobSpec> specs,
            List<List<Integer>> links,
            Function<List<JobId>, byte[]> answer) {

        public Submission {
            if (links.size() != specs.size() || !Cycle.find(links).isEmpty()) {
                throw new IllegalArgumentException("links " + links + " of " + specs.size() + " jobs");
            }
        }

        /** Jobs that do not depend on each other. */
        public Submission(
                Actor.Caller caller,
                @Nullable String key,
                String bodyHash,
                List<JobSpec> specs,
                Function<List<JobId>, byte[]> answer) {
            this(caller, key, bodyHash, specs, Collections.nCopies(specs.size(), List.of()), answer);
        }

        /** The jobs as they are stored under their new ids, in order: links have become ids. */
        public List<JobSpec> linked(List<JobId> ids) {
            List<JobSpec> linked = new ArrayList<>();
            for (int i = 0; i < specs.size(); i++) {
                List<Integer> places = links.get(i);
                linked.add(
                        places.isEmpty()
                                ? specs.get(i)
                                : specs.get(i)
                                        .after(places.stream().map(ids::get).toList()));
            }
            return linked;
        }

        /** The call without what it creates. */
        public KeyedCall call() {
            return new KeyedCall(caller, key, bodyHash);
        }
    }

    /** What became of a submission. */
    sealed interface Submitted {

        /** Stored now, or stored before under the same key: these bytes are the answer. */
        record Stored(byte[] answer, boolean replayed) implements Submitted {}

        /** Names something that is not there; nothing is stored. One list per job, in order; empty lists are fine jobs. */
        record Refused(List<List<Violation>> violations) implements Submitted {}

        /**
         * All that is named is there, but a queue takes these jobs in at another time, or other jobs now; nothing is stored.
         * One list per job, in order; empty lists are jobs that would be taken.
         */
        record NotNow(List<List<Violation>> violations) implements Submitted {}

        /** The key was used with another body. */
        record KeyReused() implements Submitted {}

        /** Another call with this key is still running. */
        record KeyBusy() implements Submitted {}
    }

    /** What became of a wish about a job's life. */
    sealed interface Steered {

        /** The job's state now; {@code changed} is false when all was as wished before. */
        record Now(JobState state, long version, boolean changed) implements Steered {}

        /**
         * It has ended, or stops and will not come back: it is neither suspended nor resumed.
         *
         * @param cause why
         */
        record Over(JobState state, @Nullable EndCause cause) implements Steered {}

        /** What it asks for cannot be changed so: the field, and why; {@code now} when it could at another time. */
        record Refused(Violation violation, boolean now) implements Steered {}

        record NotFound() implements Steered {}

        /** The row has another version. */
        record Stale(long version) implements Steered {}
    }
}
