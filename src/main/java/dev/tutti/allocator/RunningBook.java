package dev.tutti.allocator;

import dev.tutti.model.JobId;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that hold capacity now: who could be asked to leave, who is leaving, and when the others end at the latest. It
 * decides nothing. Not safe for use by two threads.
 */
public final class RunningBook {

    private final Map<JobId, RunningJob> jobs = new HashMap<>();
    private long changes;

    /** A book of these jobs. */
    public static RunningBook of(Collection<RunningJob> jobs) {
        RunningBook book = new RunningBook();
        jobs.forEach(book::put);
        return book;
    }

    /** Takes a job in, or its new row in place of the old one; a row that comes again changes nothing. */
    public void put(RunningJob job) {
        if (!job.equals(jobs.put(job.job(), job))) {
            changes++;
        }
    }

    /** Forgets a job that holds nothing any more; one that is not here changes nothing. */
    public void remove(JobId job) {
        if (jobs.remove(job) != null) {
            changes++;
        }
    }

    public @Nullable RunningJob job(JobId id) {
        return jobs.get(id);
    }

    /** All of them, in no order that matters. */
    public Collection<RunningJob> jobs() {
        return Collections.unmodifiableCollection(jobs.values());
    }

    /** When the next of those that are protected after {@code nowMicros} no longer is; the largest number when none is. */
    public long nextUnprotectedMicros(long nowMicros) {
        long next = Long.MAX_VALUE;
        for (RunningJob job : jobs.values()) {
            if (job.protectedUntilMicros() > nowMicros) {
                next = Math.min(next, job.protectedUntilMicros());
            }
        }
        return next;
    }

    /** Counts up with every change. */
    public long changes() {
        return changes;
    }
}
