package dev.tutti.control.explain;

import dev.tutti.allocator.Allocator;
import dev.tutti.allocator.Finding;
import dev.tutti.allocator.Finding.Decider;
import dev.tutti.allocator.Finding.Outcome;
import dev.tutti.allocator.Inspection;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.explain.Blocker.Kind;
import dev.tutti.control.intake.Estimates;
import dev.tutti.control.intake.Present;
import dev.tutti.control.intake.Present.State;
import dev.tutti.control.read.JobQueries;
import dev.tutti.control.read.JobView;
import dev.tutti.model.JobId;
import dev.tutti.model.life.JobState;
import dev.tutti.model.life.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a job waits. One engine of its own is asked, one question at a time, for at most a fifth of all time, and no
 * new try begins when the time of a question is over; the loops that decide are not touched. Safe for many threads.
 */
public final class Explainer implements AutoCloseable {

    /** So long a caller waits, at the most. */
    private static final long PATIENCE_MILLIS = 2_000;

    /** So long after its begin a question still begins a try. */
    private static final long TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1_000);

    private final Present present;
    private final JobQueries jobs;
    private final Allocator allocator;
    private final Estimates answers = new Estimates(System::nanoTime, PATIENCE_MILLIS);

    public Explainer(Present present, JobQueries jobs, Allocator allocator) {
        this.present = present;
        this.jobs = jobs;
        this.allocator = allocator;
    }

    /** No explanations any more. */
    @Override
    public void close() {
        answers.close();
    }

    /** Why the job waits; empty when it does not, when it cannot be read, or when nobody can say in time. */
    public Optional<Explanation> explain(JobView view) {
        return Subject.of(view)
                .flatMap(subject -> answers.ask(() -> {
                            long begin = System.nanoTime();
                            return of(present.state(), subject, () -> System.nanoTime() - begin < TRY_NANOS);
                        })
                        .flatMap(found -> found));
    }

    /**
     * The same about a state.
     *
     * @param isTimeLeft whether one more try may be begun
     * @return empty when the job holds capacity by now
     */
    Optional<Explanation> of(State state, Subject subject, BooleanSupplier isTimeLeft) {
        if (state.running().stream().anyMatch(one -> one.job().equals(subject.job()))) {
            return Optional.empty();
        }
        WaitingJob job = state.waiting().stream()
                .filter(one -> one.job().equals(subject.job()))
                .findFirst()
                .orElseGet(() -> subject.toWait(state.nowMicros()));
        Question question = new Question(allocator, state, job, isTimeLeft);
        return Optional.of(subject.outside() == null ? considered(question, subject) : outside(question, subject));
    }

    private static Explanation considered(Question question, Subject subject) {
        WaitingJob job = question.job();
        Inspection seen = question.inspect(job.job());
        Reason verdict = question.starts() ? null : seen == null ? told(question) : seen.verdict();
        List<Finding> findings = seen == null ? List.of() : seen.findings();
        List<Blocker> blockers = verdict != null ? new Blockers(question, seen).find(verdict, findings) : List.of();
        List<Remedy> remedies = verdict != null ? new Remedies(question, subject, seen).find(verdict) : List.of();
        return new Explanation(
                question.starts(),
                verdict,
                position(question, job),
                startAt(question),
                findings,
                shown(blockers),
                blockers.size(),
                remedies,
                !question.wasCut());
    }

    /** One that is suspended, or waits for others: what the rest would say if it were considered. */
    private Explanation outside(Question question, Subject subject) {
        Reason outside = subject.outside();
        Inspection seen = question.inspect(question.job().job());
        List<Finding> findings = seen == null
                ? List.of()
                : seen.findings().stream()
                        .map(one -> one.decider() == Decider.ADMISSION ? closed(outside) : one)
                        .toList();
        List<Blocker> parents = parents(subject);
        List<Remedy> remedies = question.starts() && parents.isEmpty()
                ? question.plan().placements().stream()
                        .filter(one -> one.job().equals(subject.job()))
                        .map(one -> Remedy.resume(Question.gpuMilli(one)))
                        .toList()
                : List.of();
        return new Explanation(false, outside, null, null, findings, shown(parents), parents.size(), remedies, true);
    }

    private static Finding closed(@Nullable Reason outside) {
        String detail = outside == null ? null : outside.detail();
        return new Finding(Decider.ADMISSION, Outcome.BLOCKS, null, null, null, detail);
    }

    private List<Blocker> parents(Subject subject) {
        return subject.spec().dependsOn().stream()
                .map(jobs::job)
                .flatMap(Optional::stream)
                .filter(parent -> parent.state() != JobState.SUCCEEDED)
                .map(parent -> new Blocker(Kind.PARENT, parent.id(), parent.queue(), 0, null))
                .toList();
    }

    private static @Nullable Reason told(Question question) {
        JobId id = question.job().job();
        return Stream.concat(question.plan().waits().stream(), question.plan().retold().stream())
                .filter(wait -> wait.job().equals(id))
                .map(Plan.Wait::reason)
                .findFirst()
                .orElse(question.job().verdict());
    }

    private static long position(Question question, WaitingJob job) {
        return 1
                + question.state().waiting().stream()
                        .filter(other -> other.growth() == null
                                && other.queue().equals(job.queue())
                                && other.lane() == job.lane()
                                && WaitingJob.ORDER.compare(other, job) < 0)
                        .count();
    }

    private static @Nullable Instant startAt(Question question) {
        return question.plan().reservations().stream()
                .filter(one -> one.job().equals(question.job().job()))
                .map(one -> Remedies.at(one.startMicros()))
                .findFirst()
                .orElse(null);
    }

    private static List<Blocker> shown(List<Blocker> all) {
        return all.subList(0, Math.min(all.size(), Explanation.SHOWN));
    }
}
