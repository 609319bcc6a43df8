package dev.tutti.control.explain;

import dev.tutti.allocator.Finding;
import dev.tutti.allocator.Inspection;
import dev.tutti.allocator.Plan;
import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.fleet.FleetArrays;
import dev.tutti.control.explain.Blocker.Kind;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.fleet.NodeTraits;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds who or what is in the way of a job, after the decision about it as it is. */
final class Blockers {

    /** Jobs before it in a strict queue that are looked at. */
    private static final int MOST_BEFORE = 100;

    /** Whoever waits for one of these keeps nobody back. */
    private static final Set<ReasonCode> PASSED = Set.of(
            ReasonCode.MISCONFIGURED,
            ReasonCode.NO_MATCHING_FLAVOR,
            ReasonCode.EXCEEDS_LIMIT,
            ReasonCode.QUEUE_HELD,
            ReasonCode.LANE_CLOSED,
            ReasonCode.RUNNING_JOBS_LIMIT,
            ReasonCode.USER_LIMIT,
            ReasonCode.WHOLE_NODES_LIMIT,
            ReasonCode.BACKING_OFF);

    private static final Comparator<Blocker> MOST_FIRST = Comparator.comparingLong(Blocker::gpuMilli)
            .reversed()
            .thenComparing(one -> Objects.requireNonNull(one.job()));

    private final Question question;
    private final WaitingJob job;
    /** What each of its sets may use now of the flavors that it names. */
    private final List<List<String>> flavors;

    /** @param seen what the decision found of the job as it is; null when nobody knows */
    Blockers(Question question, @Nullable Inspection seen) {
        this.question = question;
        this.job = question.job();
        this.flavors = seen == null ? named(job) : seen.openFlavors();
    }

    private static List<List<String>> named(WaitingJob job) {
        return job.podSets().stream().map(PodSet::flavors).toList();
    }

    /** In the order of what is in the way first; nobody twice. */
    List<Blocker> find(Reason verdict, List<Finding> findings) {
        List<Blocker> all = new ArrayList<>();
        switch (verdict.code()) {
            case WAITING_FOR_CAPACITY, FRAGMENTED, TOPOLOGY, BANDWIDTH -> {
                all.addAll(before());
                all.addAll(holders(other -> true));
            }
            case WAITING_FOR_QUOTA -> {
                all.add(quota(findings));
                Set<QueueId> tree = tree();
                all.addAll(holders(other -> tree.contains(other.queue())));
            }
            case RUNNING_JOBS_LIMIT, USER_LIMIT, WHOLE_NODES_LIMIT -> all.addAll(holders(verdict));
            case WAITING_FOR_VICTIMS -> all.addAll(leaving());
            case RESERVED_FOR_OTHER -> {
                all.addAll(before());
                all.addAll(reserved());
            }
            default -> {}
        }
        Set<JobId> named = new HashSet<>();
        return all.stream()
                .filter(one -> one.job() == null || named.add(one.job()))
                .toList();
    }

    /** Running jobs with members on nodes that some set of the job may use; those that hold most come first. */
    private List<Blocker> holders(Predicate<RunningJob> which) {
        boolean wantsGpus = job.podSets().stream().anyMatch(set -> set.gpus().devices() > 0);
        return question.state().running().stream()
                .filter(other -> !other.job().equals(job.job()) && which.test(other))
                .map(other -> holder(other, wantsGpus))
                .filter(Objects::nonNull)
                .sorted(MOST_FIRST)
                .toList();
    }

    /** Running jobs that count against a limit; those that hold most come first. */
    private List<Blocker> holders(Reason verdict) {
        return new LimitHolders(question.state(), job)
                .of(verdict).stream()
                        .map(other ->
                                new Blocker(Kind.HOLDS, other.job(), other.queue(), other.gpuMilli(), until(other)))
                        .sorted(MOST_FIRST)
                        .toList();
    }

    private @Nullable Blocker holder(RunningJob other, boolean wantsGpus) {
        List<PodPlacement> inTheWay =
                other.members().stream().filter(this::isInTheWay).toList();
        long milli = Question.gpuMilli(inTheWay);
        return inTheWay.isEmpty() || wantsGpus && milli == 0
                ? null
                : new Blocker(Kind.HOLDS, other.job(), other.queue(), milli, until(other));
    }

    private boolean isInTheWay(PodPlacement member) {
        FleetArrays fleet = question.state().snapshot().fleet();
        int node = Arrays.binarySearch(fleet.nodeId(), member.node().value());
        NodeTraits traits = node < 0
                ? NodeTraits.NONE
                : question.state().snapshot().names().traits().get(node);
        return IntStream.range(0, flavors.size())
                .anyMatch(s -> (flavors.get(s).isEmpty() || flavors.get(s).contains(member.flavor()))
                        && job.podSets().get(s).nodes().admit(traits));
    }

    /** Jobs before it in its queue, if that is strict, that wait for a flavor it could start on. */
    private List<Blocker> before() {
        QueueShares.Share share = question.state().snapshot().queues().queues().get(job.queue());
        if (share == null || !share.rules().strict()) {
            return List.of();
        }
        return question.state().waiting().stream()
                .filter(other -> other.growth() == null
                        && other.queue().equals(job.queue())
                        && WaitingJob.ORDER.compare(other, job) < 0
                        && haveAFlavorInCommon(flavors, named(other)))
                .sorted(WaitingJob.ORDER)
                .limit(MOST_BEFORE)
                .filter(this::keepsBack)
                .map(other -> new Blocker(Kind.BEFORE, other.job(), other.queue(), wanted(other), null))
                .toList();
    }

    private boolean keepsBack(WaitingJob other) {
        Inspection seen = question.inspect(other.job());
        return seen != null
                && seen.verdict() != null
                && !PASSED.contains(seen.verdict().code())
                && haveAFlavorInCommon(flavors, seen.openFlavors());
    }

    private static boolean haveAFlavorInCommon(List<List<String>> own, List<List<String>> others) {
        return own.stream()
                .anyMatch(set -> set.isEmpty()
                        || others.stream()
                                .anyMatch(one -> one.isEmpty() || one.stream().anyMatch(set::contains)));
    }

    private static long wanted(WaitingJob other) {
        return other.podSets().stream()
                .mapToLong(set -> set.minCount() * set.gpus().milli())
                .sum();
    }

    private List<Blocker> leaving() {
        Stream<JobId> asked = question.plan().evictions().stream()
                .filter(one -> one.beneficiary().equals(job.job()))
                .map(Plan.Eviction::victim);
        Stream<JobId> stopping = question.state().running().stream()
                .filter(other -> other.beneficiaries().contains(job.job()))
                .map(RunningJob::job);
        Set<JobId> all = new HashSet<>(Stream.concat(asked, stopping).toList());
        return question.state().running().stream()
                .filter(other -> all.contains(other.job()))
                .sorted(Comparator.comparing(RunningJob::job))
                .map(other -> new Blocker(
                        Kind.LEAVES, other.job(), other.queue(), Question.gpuMilli(other.members()), until(other)))
                .toList();
    }

    /** For whom something is kept: until a time, or until others have left for them. */
    private List<Blocker> reserved() {
        List<Blocker> all = new ArrayList<>();
        question.plan().reservations().stream()
                .filter(one -> !one.job().equals(job.job()))
                .forEach(one -> all.add(new Blocker(
                        Kind.RESERVED, one.job(), queueOf(one.job()), one.gpuMilli(), Remedies.at(one.startMicros()))));
        question.state().waiting().stream()
                .filter(other -> !other.job().equals(job.job()) && awaitsOthers(other))
                .sorted(WaitingJob.ORDER)
                .forEach(other -> all.add(new Blocker(Kind.RESERVED, other.job(), other.queue(), wanted(other), null)));
        return all;
    }

    private boolean awaitsOthers(WaitingJob other) {
        return question.plan().evictions().stream()
                        .anyMatch(one -> one.beneficiary().equals(other.job()))
                || question.state().running().stream()
                        .anyMatch(one -> one.beneficiaries().contains(other.job()));
    }

    private @Nullable QueueId queueOf(JobId id) {
        return question.state().waiting().stream()
                .filter(other -> other.job().equals(id))
                .map(WaitingJob::queue)
                .findFirst()
                .orElse(null);
    }

    private Blocker quota(List<Finding> findings) {
        long left = findings.stream()
                .filter(one -> one.decider() == Finding.Decider.QUOTA && "gpuMilli".equals(one.resource()))
                .map(Finding::available)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(0L);
        return new Blocker(Kind.QUOTA, null, job.queue(), left, null);
    }

    /** All queues that share quota with the job's. */
    private Set<QueueId> tree() {
        QueueId root = root(job.queue());
        Set<QueueId> tree = new HashSet<>();
        question.state().snapshot().queues().queues().keySet().stream()
                .filter(queue -> root(queue).equals(root))
                .forEach(tree::add);
        return tree;
    }

    private QueueId root(QueueId queue) {
        QueueShares.Share share = question.state().snapshot().queues().queues().get(queue);
        return share == null || share.parent() == null ? queue : root(share.parent());
    }

    private static @Nullable Instant until(RunningJob other) {
        return other.endsByMicros() == 0 ? null : Remedies.at(other.endsByMicros());
    }
}
