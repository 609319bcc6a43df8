package dev.tutti.allocator;

import dev.tutti.allocator.WaitingBook.Group;
import dev.tutti.model.JobId;
import dev.tutti.model.life.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * Who is told anew why it waits, because the words or numbers of it changed though the code did not: who was told longest ago comes
 * first, so that nobody is left out for ever. Few in one decision, and each once in a while. It depends on what was written
 * and when alone, not on earlier decisions; what is remembered is only which groups have somebody who was told something else. Of jobs that
 * wait for more flavors each is told a time of its own, so these are looked at one by one.
 */
final class Retelling {

    /** So many in one decision: each costs a write. */
    static final int MOST = 200;

    /** Nobody is told new numbers sooner after it was told something. */
    static final long REST_MICROS = 5_000_000;

    static final Comparator<WaitingJob> ORDER =
            Comparator.comparingLong(WaitingJob::toldMicros).thenComparing(WaitingJob::job);

    private final Set<Group> behind = new LinkedHashSet<>();
    private long nextMicros = Long.MAX_VALUE;

    /** Another book: nothing of the groups of the one before is true. */
    void forget() {
        behind.clear();
    }

    /** Takes in what a group's jobs were told and are to be told. */
    void look(Group group, JobClass kind) {
        int others = group.byVerdict.size();
        if (kind.reason != null && kind.someOpen() == null && group.byVerdict.containsKey(kind.reason)) {
            others--;
        }
        if (others > 0 && kind.reason != null && !kind.grows) {
            behind.add(group);
        } else {
            behind.remove(group);
        }
    }

    /** When the next one is to be told; {@link Long#MAX_VALUE} when there is none. */
    long nextMicros() {
        return nextMicros;
    }

    /**
     * Who is told anew in this decision.
     *
     * @param alone jobs whose reasons may differ from those of their classes
     * @param isSilent whether a job is told nothing here: it starts, or is told a new verdict
     * @param reasons why a job of a class waits
     */
    List<Plan.Wait> choose(
            Desk desk,
            Collection<WaitingJob> alone,
            Predicate<WaitingJob> isSilent,
            BiFunction<WaitingJob, JobClass, Reason> reasons,
            WaitingBook waiting,
            long nowMicros) {
        PriorityQueue<Walk> walks = new PriorityQueue<>(Comparator.comparing((Walk walk) -> walk.job, ORDER));
        Set<JobId> apart = new HashSet<>();
        for (WaitingJob job : alone) {
            apart.add(job.job());
            JobClass kind = desk.kindOf(waiting.groupOf(job));
            if (isNew(job, reasons.apply(job, kind))) {
                walks.add(new Walk(job, kind, List.<WaitingJob>of().iterator(), true));
            }
        }
        behind.removeIf(group -> !addWalks(group, desk.kindOf(group), walks));
        nextMicros = Long.MAX_VALUE;
        List<Plan.Wait> chosen = new ArrayList<>();
        for (Walk walk = walks.poll(); walk != null; walk = walks.poll()) {
            WaitingJob job = walk.job;
            Reason reason = reasons.apply(job, walk.kind);
            boolean isTold = (walk.isAlone || !apart.contains(job.job())) && isNew(job, reason) && !isSilent.test(job);
            if (isTold && (chosen.size() == MOST || job.toldMicros() + REST_MICROS > nowMicros)) {
                nextMicros = job.toldMicros() + REST_MICROS;
                return chosen;
            }
            if (isTold) {
                chosen.add(new Plan.Wait(job.job(), job.version(), reason));
            }
            if (walk.goOn()) {
                walks.add(walk);
            }
        }
        return chosen;
    }

    private static boolean isNew(WaitingJob job, Reason reason) {
        Reason told = job.verdict();
        return told != null && told.code() == reason.code() && !told.equals(reason);
    }

    /** Whether somebody of the group was told something else with the same code. */
    private static boolean addWalks(Group group, JobClass kind, PriorityQueue<Walk> walks) {
        boolean any = false;
        Reason reason = kind.reason;
        if (reason != null) {
            for (var told : group.byVerdict.entrySet()) {
                if (told.getKey().code() == reason.code()
                        && (kind.someOpen() != null || !told.getKey().equals(reason))) {
                    Iterator<WaitingJob> jobs = told.getValue().iterator();
                    walks.add(new Walk(jobs.next(), kind, jobs, false));
                    any = true;
                }
            }
        }
        return any;
    }

    /** Jobs that were told the same, in order. */
    private static final class Walk {
        WaitingJob job;
        final JobClass kind;
        private final Iterator<WaitingJob> others;
        final boolean isAlone;

        Walk(WaitingJob job, JobClass kind, Iterator<WaitingJob> others, boolean isAlone) {
            this.job = job;
            this.kind = kind;
            this.others = others;
            this.isAlone = isAlone;
        }

        boolean goOn() {
            if (!others.hasNext()) {
                return false;
            }
            job = others.next();
            return true;
        }
    }
}
