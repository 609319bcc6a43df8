package dev.tutti.allocator;

import dev.tutti.model.JobId;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** How many of the flavors that they name are open to jobs that wait, and when the next one is. */
final class Openings {

    private record Opening(long atMicros, JobId job) {}

    private final NavigableSet<Opening> next =
            new TreeSet<>(Comparator.comparingLong(Opening::atMicros).thenComparing(Opening::job));
    private final Map<JobId, Opening> byJob = new HashMap<>();
    private LanesNow lanes = LanesNow.FREE;
    private long nowMicros;

    /** Takes a job in; how many flavors of a set are open to it. */
    int add(WaitingJob job) {
        int named = Fallback.named(job.podSets());
        long step = job.fallback().stepMicros(job.lane(), lanes);
        int open = job.fallback().open(step, named, nowMicros);
        if (open < named && step != LanesNow.NEVER) {
            Opening opening = new Opening(job.fallback().opensMicros(step, open), job.job());
            next.add(opening);
            byJob.put(job.job(), opening);
        }
        return open;
    }

    /** Forgets a job; one that has all its flavors changes nothing. */
    void remove(JobId job) {
        Opening opening = byJob.remove(job);
        if (opening != null) {
            next.remove(opening);
        }
    }

    /** When the next flavor opens to some job, in microseconds since 1970. */
    long nextMicros() {
        return next.isEmpty() ? Long.MAX_VALUE : next.first().atMicros();
    }

    /**
     * Takes in the time and what lanes say.
     *
     * @param all every job that was added
     * @return those to which another number of flavors may be open now: each is to be removed and added again
     */
    Set<JobId> follow(LanesNow lanesNow, long now, Collection<WaitingJob> all) {
        boolean differ = !lanesNow.fallbackMicros().equals(lanes.fallbackMicros());
        lanes = lanesNow;
        nowMicros = now;
        Set<JobId> due = new LinkedHashSet<>();
        for (Opening opening : next) {
            if (opening.atMicros > now) {
                break;
            }
            due.add(opening.job);
        }
        for (WaitingJob job : differ ? all : Set.<WaitingJob>of()) {
            if (job.fallback().afterSeconds() == null && Fallback.named(job.podSets()) > 1) {
                due.add(job.job());
            }
        }
        return due;
    }
}
