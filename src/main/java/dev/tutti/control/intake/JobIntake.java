package dev.tutti.control.intake;

import dev.tutti.allocator.Allocator;
import dev.tutti.control.JobBook;
import dev.tutti.control.JobBook.Submission;
import dev.tutti.control.JobBook.Submitted;
import dev.tutti.control.read.PageRequest;
import dev.tutti.control.read.QueueQueries;
import dev.tutti.control.read.QueueQueries.QueueView;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.control.view.FleetMirror;
import dev.tutti.model.FewNames;
import dev.tutti.model.Labels;
import dev.tutti.model.Violation;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.PodSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The way in for jobs: refuses what names a flavor or a topology level that is not there, then hands over to the
 * {@link JobBook}; and forecasts. It keeps a mirror of its own, so that every replica can forecast, leading or not.
 *
 * <p>Safe for many threads: the mirror is used under one lock; deciding and the job book's calls are outside of it.
 */
public final class JobIntake {

    private final JobBook book;
    private final ChangeFeed feed;
    private final QueueQueries queues;
    private final TopologyLevels levels;
    private final Forecaster forecaster;
    private final FleetMirror mirror;
    private final Object lock = new Object();

    public JobIntake(JobBook book, ChangeFeed feed, QueueQueries queues, TopologyLevels levels, Allocator allocator) {
        this.book = book;
        this.feed = feed;
        this.queues = queues;
        this.levels = levels;
        this.forecaster = new Forecaster(allocator);
        this.mirror = new FleetMirror(levels);
    }

    /** Stores the jobs, or says for each what it names that is not there; then nothing is stored. */
    public Submitted submit(Submission submission) {
        hearOfNewFlavors(submission.specs());
        List<List<Violation>> violations =
                submission.specs().stream().map(this::unknownNames).toList();
        return violations.stream().allMatch(List::isEmpty)
                ? book.submit(submission)
                : new Submitted.Refused(violations);
    }

    /** What would become of each job, all of them submitted together now; in order. Nothing is written. */
    public List<Forecast> dryRun(List<JobSpec> specs) {
        Forecaster.Basis basis = basis();
        Map<String, Optional<QueueView>> asked = new HashMap<>();
        List<Forecaster.Candidate> candidates = new ArrayList<>();
        for (JobSpec spec : specs) {
            candidates.add(candidate(spec, asked.computeIfAbsent(spec.queue(), queues::queue), basis.nowMicros()));
        }
        return forecaster.forecast(basis, candidates);
    }

    /** Why the job's queue takes in no jobs now, in a list of one; empty when it does, or when there is none. */
    public List<Violation> closed(JobSpec spec) {
        return queues.queue(spec.queue()).map(this::closed).orElse(List.of());
    }

    /** A queue that drains closes all below it. */
    private List<Violation> closed(QueueView leaf) {
        List<QueueDoor> doors = new ArrayList<>();
        for (String path = leaf.path(); !path.isEmpty(); path = path.substring(0, Math.max(0, path.lastIndexOf('/')))) {
            queues.queue(path)
                    .filter(queue -> queue.rules().draining())
                    .ifPresent(queue -> doors.add(new QueueDoor(queue.path(), queue.rules(), "", 0, 0)));
        }
        return QueueDoor.enter(doors);
    }

    private Forecaster.Basis basis() {
        synchronized (lock) {
            mirror.take(feed.since(mirror.cursor()));
            return new Forecaster.Basis(
                    mirror.snapshot(),
                    mirror.emptySnapshot(),
                    mirror.waiting(),
                    List.copyOf(mirror.running().jobs()),
                    mirror.nowMicros());
        }
    }

    private Forecaster.Candidate candidate(JobSpec spec, Optional<QueueView> queue, long nowMicros) {
        List<Violation> violations = new ArrayList<>(unknownNames(spec));
        PastDeadline.of(spec, nowMicros).ifPresent(violations::add);
        if (queue.isEmpty()) {
            violations.add(new Violation("queue", QueueQueries.unknown(spec.queue(), leaves())));
        } else if (!queue.get().leaf()) {
            violations.add(new Violation("queue", QueueQueries.notALeaf(spec.queue(), leaves())));
        } else {
            violations.addAll(closed(queue.get()));
        }
        return new Forecaster.Candidate(spec, queue.map(QueueView::id).orElse(0L), violations);
    }

    private List<Violation> unknownNames(JobSpec spec) {
        List<Violation> violations = new ArrayList<>();
        for (int s = 0; s < spec.podSets().size(); s++) {
            PodSet podSet = spec.podSets().get(s);
            for (int f = 0; f < podSet.flavors().size(); f++) {
                String flavor = podSet.flavors().get(f);
                if (!knowsFlavor(flavor)) {
                    violations.add(new Violation(
                            "podSets[" + s + "].flavors[" + f + "]",
                            "there is no flavor \"" + Labels.shown(flavor) + "\""
                                    + FewNames.of("; give one of ", knownFlavors())));
                }
            }
        }
        violations.addAll(TopologyCheck.of(spec, levels));
        return violations;
    }

    /**
     * Asks the feed, once for all jobs, when they name a flavor not known yet. Flavors never go away, so known ones need
     * no reading; and a batch of unknown names costs no more than one.
     */
    private void hearOfNewFlavors(List<JobSpec> specs) {
        synchronized (lock) {
            boolean allKnown = specs.stream()
                    .flatMap(spec -> spec.podSets().stream())
                    .flatMap(podSet -> podSet.flavors().stream())
                    .allMatch(mirror::knowsFlavor);
            if (!allKnown) {
                mirror.take(feed.since(mirror.cursor()));
            }
        }
    }

    private List<String> leaves() {
        return queues.queues(new PageRequest(QueueQueries.SHOWN + 1, null)).items().stream()
                .filter(QueueView::leaf)
                .map(QueueView::path)
                .toList();
    }

    private List<String> knownFlavors() {
        synchronized (lock) {
            return mirror.knownFlavors();
        }
    }

    private boolean knowsFlavor(String flavor) {
        synchronized (lock) {
            return mirror.knowsFlavor(flavor);
        }
    }
}
