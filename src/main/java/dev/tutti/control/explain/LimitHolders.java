package dev.tutti.control.explain;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.allocator.quota.LimitOf;
import dev.tutti.control.intake.Present.State;
import dev.tutti.model.Limits;
import dev.tutti.model.QueueId;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.QueueLimits;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Running jobs that count against the limit of what runs that keeps a job from starting. */
final class LimitHolders {

    private final State state;
    private final WaitingJob job;

    LimitHolders(State state, WaitingJob job) {
        this.state = state;
        this.job = job;
    }

    /** Whom to wait for; none when no limit is met any more. */
    List<RunningJob> of(Reason verdict) {
        if (LimitOf.GPUS.field.equals(verdict.resource())) {
            return counted(QueueLimits::userMaxGpuMilli, this::isOfUser, RunningJob::gpuMilli, verdict.wanted());
        }
        if (verdict.code() == ReasonCode.WHOLE_NODES_LIMIT) {
            return ofNodes(verdict.wanted());
        }
        return verdict.code() == ReasonCode.USER_LIMIT
                ? counted(QueueLimits::userMaxRunningJobs, this::isOfUser, one -> 1L, 1)
                : counted(QueueLimits::maxRunningJobs, one -> true, one -> 1L, 1);
    }

    /** Of the nearest queue where so much more would be too much, those who hold some of it. */
    private List<RunningJob> counted(
            Function<QueueLimits, ? extends @Nullable Number> limitOf,
            Predicate<RunningJob> which,
            Function<RunningJob, Long> amount,
            long wanted) {
        for (QueueId q = job.queue(); q != null; q = parent(q)) {
            QueueShares.Share share = share(q);
            Number limit = share == null ? null : limitOf.apply(share.rules().limits());
            if (limit == null) {
                continue;
            }
            Set<QueueId> below = below(q);
            List<RunningJob> there = state.running().stream()
                    .filter(one -> below.contains(one.queue()) && which.test(one) && amount.apply(one) > 0)
                    .toList();
            if (there.stream().mapToLong(amount::apply).sum() + wanted > limit.longValue()) {
                return there;
            }
        }
        return List.of();
    }

    /** Of the first flavor of which a pod of the job would hold a whole node, and so many more would be too many. */
    private List<RunningJob> ofNodes(long wanted) {
        for (Map.Entry<String, Integer> size : new TreeMap<>(state.snapshot().gpusOfWholeNodes()).entrySet()) {
            List<RunningJob> there = takesWhole(size.getKey(), size.getValue())
                    ? counted(
                            limits -> limits.maxWholeNodes().get(size.getKey()),
                            one -> true,
                            one -> one.wholeNodes(size.getKey(), size.getValue()),
                            wanted)
                    : List.of();
            if (!there.isEmpty()) {
                return there;
            }
        }
        return List.of();
    }

    private boolean takesWhole(String flavor, int gpus) {
        return job.podSets().stream()
                .filter(set -> set.flavors().isEmpty() || set.flavors().contains(flavor))
                .anyMatch(set ->
                        (long) set.gpus().devices() * set.gpus().milliPerDevice() >= gpus * (long) Limits.DEVICE_MILLI);
    }

    private boolean isOfUser(RunningJob other) {
        return other.user().equals(job.user());
    }

    private Set<QueueId> below(QueueId queue) {
        Set<QueueId> below = new HashSet<>();
        for (QueueId leaf : state.snapshot().queues().queues().keySet()) {
            for (QueueId q = leaf; q != null; q = parent(q)) {
                if (q.equals(queue)) {
                    below.add(leaf);
                }
            }
        }
        return below;
    }

    private @Nullable QueueId parent(QueueId queue) {
        QueueShares.Share share = share(queue);
        return share == null ? null : share.parent();
    }

    private QueueShares.@Nullable Share share(QueueId queue) {
        return state.snapshot().queues().queues().get(queue);
    }
}
