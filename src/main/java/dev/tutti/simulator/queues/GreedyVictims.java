package dev.tutti.simulator.queues;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.RunningJob;
import dev.tutti.model.JobId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses victims as plain schedulers do, for the same beneficiaries at the same time and under the same rights: one after the
 * other, lowest priority and then youngest first, until the beneficiary fits.
 */
final class GreedyVictims {

    private static final Comparator<RunningJob> ORDER = Comparator.comparingInt(RunningJob::priority)
            .thenComparing(Comparator.comparingLong(RunningJob::startedAtMicros).reversed())
            .thenComparing(RunningJob::job);

    private final QueueRun run;
    private final boolean spares;
    private final List<RunningJob> staying = new ArrayList<>();
    private final int[] free;
    private final long[] held;
    private final boolean isAnybodyLeaving;

    /** @param spares whether those who need not leave after all stay */
    private GreedyVictims(QueueRun run, boolean spares) {
        this.run = run;
        this.spares = spares;
        free = run.machines().freeGpus();
        held = run.books().held();
        Set<JobId> waitedFor = new LinkedHashSet<>();
        for (RunningJob job : run.running().jobs()) {
            if (job.leaving()) {
                change(job, 1);
                waitedFor.addAll(job.beneficiaries());
            } else {
                staying.add(job);
            }
        }
        isAnybodyLeaving = run.isAnybodyLeaving();
        staying.sort(ORDER);
        waitedFor.stream().sorted().forEach(this::placed);
    }

    /**
     * Victims for the beneficiaries of a plan.
     *
     * @return by beneficiary; the plan's own where no choice of this kind makes a place
     */
    static Map<JobId, List<JobId>> chosen(QueueRun run, Plan plan, RunRules.Victims choice) {
        Map<JobId, List<JobId>> chosen = new LinkedHashMap<>();
        plan.evictions()
                .forEach(one -> chosen.computeIfAbsent(one.beneficiary(), first -> new ArrayList<>())
                        .add(one.victim()));
        if (choice != RunRules.Victims.SEARCHED) {
            GreedyVictims greedy = new GreedyVictims(run, choice == RunRules.Victims.GREEDY_SPARING);
            chosen.replaceAll(greedy::forOne);
        }
        return chosen;
    }

    private List<JobId> forOne(JobId beneficiary, List<JobId> planned) {
        List<RunningJob> victims = new ArrayList<>();
        for (RunningJob job : List.copyOf(staying)) {
            if (fits(beneficiary)) {
                break;
            }
            if (mayTake(beneficiary, job)) {
                leave(victims, job);
            }
        }
        if (!fits(beneficiary) || victims.isEmpty() && !isAnybodyLeaving) {
            List.copyOf(victims).forEach(job -> stay(victims, job));
            staying.stream().filter(job -> planned.contains(job.job())).toList().forEach(job -> leave(victims, job));
        } else if (spares) {
            List<RunningJob> latestFirst = new ArrayList<>(victims);
            Collections.reverse(latestFirst);
            latestFirst.forEach(job -> spare(beneficiary, victims, job));
        }
        placed(beneficiary);
        return victims.stream().map(RunningJob::job).toList();
    }

    private void spare(JobId beneficiary, List<RunningJob> victims, RunningJob job) {
        stay(victims, job);
        if (!fits(beneficiary)) {
            leave(victims, job);
        }
    }

    private void leave(List<RunningJob> victims, RunningJob job) {
        victims.add(job);
        staying.remove(job);
        change(job, 1);
    }

    private void stay(List<RunningJob> victims, RunningJob job) {
        victims.remove(job);
        staying.add(job);
        staying.sort(ORDER);
        change(job, -1);
    }

    private void change(RunningJob job, int sign) {
        Machines.give(free, job.members(), sign);
        QueuedJob asked = run.story(job.job()).job();
        held[asked.queue()] -= (long) sign * asked.gpus();
    }

    /** Counts a beneficiary as if it ran already. */
    private void placed(JobId beneficiary) {
        QueuedJob job = run.story(beneficiary).job();
        int[] taken = run.story(beneficiary).isRunning() ? null : Machines.place(free, job.gpus());
        if (taken != null) {
            for (int n = 0; n < free.length; n++) {
                free[n] -= taken[n];
            }
            held[job.queue()] += job.gpus();
        }
    }

    private boolean fits(JobId beneficiary) {
        QueuedJob job = run.story(beneficiary).job();
        long[] then = held.clone();
        then[job.queue()] += job.gpus();
        return new Claims(run.books().queues(), then).isAllowed() && Machines.place(free, job.gpus()) != null;
    }

    /** The rights of yellow jobs: over lower priorities of the same queue, and over what was borrowed of a promise. */
    private boolean mayTake(JobId beneficiary, RunningJob victim) {
        QueuedJob job = run.story(beneficiary).job();
        QueuedJob other = run.story(victim.job()).job();
        if (job.queue() == other.queue()) {
            return other.priority() < job.priority();
        }
        Claims claims = new Claims(run.books().queues(), held);
        return claims.isOverdrawn(other.queue(), job.queue())
                && claims.isPromised(job.queue(), other.queue(), job.gpus());
    }
}
