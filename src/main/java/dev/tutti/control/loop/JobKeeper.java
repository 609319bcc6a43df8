package dev.tutti.control.loop;

import dev.tutti.control.Actor;
import dev.tutti.control.Ledger;
import dev.tutti.control.OutcomeUnknown;
import dev.tutti.model.JobId;
import dev.tutti.model.life.EndCause;
import dev.tutti.model.life.JobLife;
import dev.tutti.model.life.JobRun;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.MemberFact;
import dev.tutti.model.life.MemberPhase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The one place where loops change jobs: load the runs, let {@link JobLife} decide, write the difference. Runs that
 * moved meanwhile are loaded and decided again, a bounded number of times; facts and wishes to stop may come twice.
 */
public final class JobKeeper {

    private static final int ROUNDS = 5;
    private static final int BATCH = 500;

    private final Ledger ledger;
    private final Actor.Leader leader;
    private final Alarm alarm;

    public JobKeeper(Ledger ledger, Actor.Leader leader, Alarm alarm) {
        this.ledger = ledger;
        this.leader = leader;
        this.alarm = alarm;
    }

    /**
     * Makes what was seen of these jobs' members true.
     *
     * @param facts what was seen, asked for each run as it stands
     * @return jobs of which it could not be written; ask again later
     */
    Set<JobId> observe(Collection<JobId> jobs, Function<JobRun, Collection<MemberFact>> facts) {
        return change(jobs, run -> JobLife.observe(run, facts.apply(run)));
    }

    /** Asks these jobs to stop; returns those of which it could not be written. */
    Set<JobId> stop(Collection<JobId> jobs, EndCause cause) {
        return change(jobs, run -> JobLife.stop(run, cause));
    }

    /** Ends those of these jobs that wait, since nobody can read what they ask for; returns those of which it could not be written. */
    Set<JobId> endUnreadable(Collection<JobId> jobs) {
        return change(jobs, run -> run.state() == JobState.QUEUED ? JobLife.stop(run, EndCause.UNREADABLE) : run);
    }

    /** Gives up what is not bound of these jobs in time; returns those of which it could not be written. */
    Set<JobId> giveUpUnbound(Collection<JobId> jobs) {
        return change(jobs, run -> JobLife.giveUp(run, MemberPhase.COMMITTED));
    }

    /** Gives up what is bound of these jobs and does not run; returns those of which it could not be written. */
    Set<JobId> giveUpNotReady(Collection<Ledger.Overdue> late) {
        return ifStill(late, (run, one) -> JobLife.giveUp(run, MemberPhase.BOUND));
    }

    /** Stops these jobs, each only as long as it still is what was found overdue. */
    Set<JobId> stop(Collection<Ledger.Overdue> overdue) {
        return ifStill(overdue, (run, one) -> JobLife.stop(run, one.cause()));
    }

    private Set<JobId> ifStill(Collection<Ledger.Overdue> overdue, BiFunction<JobRun, Ledger.Overdue, JobRun> rule) {
        Map<JobId, Ledger.Overdue> byJob = new TreeMap<>();
        overdue.forEach(one -> byJob.putIfAbsent(one.job(), one));
        return change(byJob.keySet(), run -> {
            Ledger.Overdue one = Objects.requireNonNull(byJob.get(run.job()));
            return one.version() == run.version() ? rule.apply(run, one) : run;
        });
    }

    private Set<JobId> change(Collection<JobId> jobs, UnaryOperator<JobRun> rule) {
        List<JobId> ordered = List.copyOf(new TreeSet<>(jobs));
        Set<JobId> open = new HashSet<>();
        for (int from = 0; from < ordered.size(); from += BATCH) {
            open.addAll(changeBatch(ordered.subList(from, Math.min(ordered.size(), from + BATCH)), rule));
        }
        return open;
    }

    private Set<JobId> changeBatch(List<JobId> jobs, UnaryOperator<JobRun> rule) {
        Set<JobId> open = new TreeSet<>(jobs);
        for (int round = 0; round < ROUNDS && !open.isEmpty(); round++) {
            List<Ledger.Change> changes = new ArrayList<>();
            for (JobRun run : ledger.runs(open)) {
                Ledger.Change change = decide(run, rule);
                if (change != null) {
                    changes.add(change);
                }
            }
            open.clear();
            changes.forEach(change -> open.add(change.before().job()));
            write(changes, open);
        }
        return open;
    }

    private void write(List<Ledger.Change> changes, Set<JobId> open) {
        if (changes.isEmpty()) {
            return;
        }
        try {
            open.removeAll(ledger.apply(changes, leader));
        } catch (OutcomeUnknown lost) {
            // It may have been written: the next round reads the runs again and finds nothing to change, or changes
            // them.
            return;
        }
    }

    private Ledger.@Nullable Change decide(JobRun run, UnaryOperator<JobRun> rule) {
        try {
            JobRun after = rule.apply(run);
            return after.equals(run) ? null : new Ledger.Change(run, after);
        } catch (IllegalStateException ours) {
            // House rule R10: one bad job never stops the others.
            alarm.raise("job " + run.job() + " in state " + run.state() + " cannot change: " + ours.getMessage());
            return null;
        }
    }
}
