package dev.tutti.control.intake;

import dev.tutti.allocator.Allocator;
import dev.tutti.control.Actor;
import dev.tutti.control.JobBook;
import dev.tutti.control.JobBook.Submission;
import dev.tutti.control.JobBook.Submitted;
import dev.tutti.control.read.PageRequest;
import dev.tutti.control.read.QueueQueries;
import dev.tutti.control.read.QueueQueries.QueueView;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.model.FewNames;
import dev.tutti.model.Labels;
import dev.tutti.model.Violation;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The way in for jobs: refuses what names a flavor or a topology level that is not there, then hands over to the
 * {@link JobBook}; and forecasts. Safe for many threads.
 */
public final class JobIntake implements AutoCloseable {

    private final JobBook book;
    private final QueueQueries queues;
    private final TopologyLevels levels;
    private final Forecaster forecaster;
    private final Present present;
    private final Estimates estimates = new Estimates(System::nanoTime);

    public JobIntake(JobBook book, ChangeFeed feed, QueueQueries queues, TopologyLevels levels, Allocator allocator) {
        this.book = book;
        this.queues = queues;
        this.levels = levels;
        this.forecaster = new Forecaster(allocator);
        this.present = new Present(feed, levels);
    }

    /** No estimates any more; all else goes on. */
    @Override
    public void close() {
        estimates.close();
    }

    /** What is there now, for others that ask the engine. */
    public Present present() {
        return present;
    }

    /** Stores the jobs, or says for each what it names that is not there; then nothing is stored. */
    public Submitted submit(Submission submission) {
        present.hearOfNewFlavors(submission.specs());
        List<List<Violation>> violations =
                submission.specs().stream().map(this::unknownNames).toList();
        return violations.stream().allMatch(List::isEmpty)
                ? book.submit(submission)
                : new Submitted.Refused(violations);
    }

    /** What would become of each job, all of them submitted together now; in order. Nothing is written. */
    public List<Forecast> dryRun(List<JobSpec> specs, Actor.Caller caller) {
        Forecaster.Basis basis = present.basis();
        List<Forecaster.Candidate> candidates = candidates(specs, caller, basis.nowMicros());
        List<JobSpec> good = candidates.stream()
                .filter(one -> one.violations().isEmpty())
                .map(Forecaster.Candidate::spec)
                .toList();
        Iterator<List<Violation>> closed = book.closed(good, caller).iterator();
        return forecaster.forecast(
                basis,
                candidates.stream()
                        .map(one -> one.violations().isEmpty() ? one.with(closed.next()) : one)
                        .toList());
    }

    /** Why the job's queue takes it in at another time only, in a list of one; empty when it does, or when there is none. */
    public List<Violation> closed(JobSpec spec, Actor.Caller caller) {
        return book.closed(List.of(spec), caller).get(0);
    }

    /**
     * What would become of the job, for one that is about to be stored: no error, and no long wait. Empty when nobody can say
     * so fast, when something is wrong with it, or when it waits for others to succeed.
     */
    public Optional<Forecast> estimate(JobSpec spec, Actor.Caller caller) {
        return spec.dependsOn().isEmpty()
                ? estimates
                        .ask(() -> alone(spec, caller))
                        .filter(forecast -> forecast.violations().isEmpty())
                : Optional.empty();
    }

    private Forecast alone(JobSpec spec, Actor.Caller caller) {
        Forecaster.Basis basis = present.basis();
        return forecaster
                .forecast(basis, candidates(List.of(spec), caller, basis.nowMicros()))
                .get(0);
    }

    private List<Forecaster.Candidate> candidates(List<JobSpec> specs, Actor.Caller caller, long nowMicros) {
        Map<String, Optional<QueueView>> asked = new HashMap<>();
        return specs.stream()
                .map(spec -> candidate(spec, asked.computeIfAbsent(spec.queue(), queues::queue), caller, nowMicros))
                .toList();
    }

    private Forecaster.Candidate candidate(
            JobSpec spec, Optional<QueueView> queue, Actor.Caller caller, long nowMicros) {
        List<Violation> violations = new ArrayList<>(unknownNames(spec));
        PastDeadline.of(spec, nowMicros).ifPresent(violations::add);
        if (queue.isEmpty()) {
            violations.add(new Violation("queue", QueueQueries.unknown(spec.queue(), leaves())));
        } else if (!queue.get().leaf()) {
            violations.add(new Violation("queue", QueueQueries.notALeaf(spec.queue(), leaves())));
        }
        return new Forecaster.Candidate(spec, queue.map(QueueView::id).orElse(0L), caller.name(), violations);
    }

    private List<Violation> unknownNames(JobSpec spec) {
        List<String> known = present.flavors();
        List<Violation> violations = new ArrayList<>();
        for (int s = 0; s < spec.podSets().size(); s++) {
            PodSet podSet = spec.podSets().get(s);
            for (int f = 0; f < podSet.flavors().size(); f++) {
                String flavor = podSet.flavors().get(f);
                if (!known.contains(flavor)) {
                    violations.add(new Violation(
                            "podSets[" + s + "].flavors[" + f + "]",
                            "there is no flavor \"" + Labels.shown(flavor) + "\""
                                    + FewNames.of("; give one of ", known)));
                }
            }
        }
        violations.addAll(TopologyCheck.of(spec, levels));
        return violations;
    }

    private List<String> leaves() {
        return queues.queues(new PageRequest(QueueQueries.SHOWN + 1, null)).items().stream()
                .filter(QueueView::leaf)
                .map(QueueView::path)
                .toList();
    }
}
