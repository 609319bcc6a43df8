package dev.tutti.control.explain;

import dev.tutti.allocator.Inspection;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Plan.Reservation;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.quota.LimitOf;
import dev.tutti.model.InvalidInput;
import dev.tutti.model.JobId;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for what would let a job start, and says of nothing that it would unless the engine started the job so. What costs
 * one try comes first, the largest part that starts last.
 */
final class Remedies {

    /** Other flavors that are tried, and times that are kept for others. */
    private static final int MOST_FLAVORS = 8;

    private static final int MOST_TIMES = 3;

    /** A limit of run time counts from when all pods run; so long it may take until they do, and a bit. */
    private static final long START_SECONDS = 120;

    private static final long MICROS = 1_000_000;
    private static final long MINUTE = 60;

    private static final Set<ReasonCode> OF_LANES = Set.of(
            ReasonCode.EXCEEDS_LIMIT, ReasonCode.LANE_CLOSED, ReasonCode.WAITING_FOR_QUOTA, ReasonCode.LANE_RATE);

    /** The gate is shut to the job as a whole, or the rate is used up: no other shape helps. */
    private static final Set<ReasonCode> WHATEVER_ITS_SHAPE = Set.of(
            ReasonCode.MISCONFIGURED,
            ReasonCode.QUEUE_HELD,
            ReasonCode.LANE_CLOSED,
            ReasonCode.RUNNING_JOBS_LIMIT,
            ReasonCode.USER_LIMIT,
            ReasonCode.LANE_RATE,
            ReasonCode.BACKING_OFF);

    private final Question question;
    private final Subject subject;
    private final WaitingJob job;
    private final @Nullable Inspection seen;
    private final List<Remedy> found = new ArrayList<>();

    /** @param seen what the decision found of the job as it is; null when nobody knows */
    Remedies(Question question, Subject subject, @Nullable Inspection seen) {
        this.question = question;
        this.subject = subject;
        this.seen = seen;
        this.job = question.job();
    }

    /** What would let a job start that waits for this reason. */
    List<Remedy> find(Reason verdict) {
        later();
        if (OF_LANES.contains(verdict.code())) {
            otherLanes();
        }
        if (!WHATEVER_ITS_SHAPE.contains(verdict.code()) || LimitOf.GPUS.field.equals(verdict.resource())) {
            allFlavors();
            topology();
            otherFlavors();
            shorter();
            fewer();
        }
        return found;
    }

    private void later() {
        question.plan().reservations().stream()
                .filter(one -> one.job().equals(job.job()))
                .findFirst()
                .ifPresent(own -> found.add(Remedy.later(at(own.startMicros()), lastBefore(own), own.gpuMilli())));
    }

    /** Of those that hold something of its nodes, the last to end before it starts. */
    private @Nullable JobId lastBefore(Reservation own) {
        return question.state().running().stream()
                .filter(other -> other.endsByMicros() > 0 && other.endsByMicros() <= own.startMicros())
                .filter(other ->
                        other.members().stream().anyMatch(member -> own.nodes().contains(member.node())))
                .max(Comparator.comparingLong(RunningJob::endsByMicros).thenComparing(RunningJob::job))
                .map(RunningJob::job)
                .orElse(null);
    }

    private void otherLanes() {
        for (Lane lane : Lane.values()) {
            if (lane != job.lane() && mayBeIn(lane)) {
                Plan.Placement start = question.tryAs(Variants.inLane(job, lane));
                if (start != null) {
                    found.add(Remedy.otherLane(lane, Question.gpuMilli(start)));
                }
            }
        }
    }

    /** Its other terms may forbid it: one that is never stopped is green. */
    private boolean mayBeIn(Lane lane) {
        JobSpec spec = subject.spec();
        try {
            spec.with(lane, spec.priority(), spec.limits(), spec.labels());
            return true;
        } catch (InvalidInput forbidden) {
            return false;
        }
    }

    /** Those that it names and that are not open yet. */
    private void allFlavors() {
        if (seen == null
                || seen.openFlavors()
                        .equals(job.podSets().stream().map(PodSet::flavors).toList())) {
            return;
        }
        Plan.Placement start = question.tryAs(Variants.onAllFlavors(job));
        if (start != null) {
            List<String> on = start.members().stream()
                    .map(Plan.PodPlacement::flavor)
                    .distinct()
                    .toList();
            found.add(Remedy.allFlavors(on, Question.gpuMilli(start)));
        }
    }

    private void topology() {
        boolean isBound = question.state().snapshot().names().boundary() > 0
                || !job.topology().equals(TopologyWish.NONE)
                || job.podSets().stream().anyMatch(set -> !set.topology().equals(TopologyWish.NONE));
        if (isBound) {
            Plan.Placement start = question.tryAs(Variants.anywhere(job));
            if (start != null) {
                found.add(Remedy.noTopology(Question.gpuMilli(start)));
            }
        }
    }

    private void otherFlavors() {
        Set<String> own = new HashSet<>();
        job.podSets().forEach(set -> own.addAll(set.flavors()));
        if (own.isEmpty()) {
            return;
        }
        question.state().snapshot().names().flavors().stream()
                .filter(flavor -> !own.contains(flavor))
                .sorted()
                .limit(MOST_FLAVORS)
                .forEach(flavor -> {
                    Plan.Placement start = question.tryAs(Variants.onFlavor(job, flavor));
                    if (start != null) {
                        found.add(Remedy.otherFlavor(flavor, Question.gpuMilli(start)));
                    }
                });
    }

    /** So short that it ends before what is kept for others is needed: the longest that is found. */
    private void shorter() {
        long now = question.state().nowMicros();
        List<Long> times = question.plan().reservations().stream()
                .filter(one -> !one.job().equals(job.job()))
                .map(one -> limit(one.startMicros() - now))
                .filter(seconds -> seconds >= MINUTE && isShorter(seconds))
                .distinct()
                .sorted(Comparator.reverseOrder())
                .limit(MOST_TIMES)
                .toList();
        for (long seconds : times) {
            Plan.Placement start = question.tryAs(Variants.forSeconds(job, subject.mayRunSeconds((int) seconds)));
            if (start != null) {
                found.add(Remedy.shorter((int) seconds, Question.gpuMilli(start)));
                return;
            }
        }
    }

    /** In whole minutes, and a part less: the engine counts long times roughly. */
    private long limit(long micros) {
        long seconds = micros / MICROS - subject.spec().graceSeconds() - START_SECONDS;
        return Math.min(Integer.MAX_VALUE, (seconds - seconds / 16) / MINUTE * MINUTE);
    }

    private boolean isShorter(long seconds) {
        Integer now = subject.spec().limits().maxRuntimeSeconds();
        return now == null || seconds < now;
    }

    /** The largest part that starts, by halving; each that is told of did start. */
    private void fewer() {
        int low = 0;
        int high = Variants.whole(job);
        Remedy largest = null;
        for (int part = 1; high - low > 1; part = (low + high) >>> 1) {
            WaitingJob smaller = Variants.part(job, part);
            Plan.Placement start = question.tryAs(smaller);
            if (start == null) {
                high = part;
            } else {
                low = part;
                largest = Remedy.fewer(Variants.pods(smaller), Question.gpuMilli(start));
            }
        }
        if (largest != null) {
            found.add(largest);
        }
    }

    static Instant at(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
