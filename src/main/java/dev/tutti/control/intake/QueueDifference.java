package dev.tutti.control.intake;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.intake.QueueForecast.Eviction;
import dev.tutti.control.intake.QueueForecast.OverUse;
import dev.tutti.control.intake.QueueForecast.Some;
import dev.tutti.control.intake.QueueForecast.Start;
import dev.tutti.control.intake.QueueForecast.Verdict;
import dev.tutti.control.view.FleetMirror;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.QuotaKey;
import dev.tutti.model.queue.Use;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells two decisions on one state apart: one with the queues as they are, and one with one of them changed. */
final class QueueDifference {

    private final FleetMirror mirror;
    private final Map<String, Integer> gpusOfWholeNodes;
    private final QueueShares now;
    private final QueueShares then;
    private final List<WaitingJob> waiting;

    QueueDifference(FleetMirror mirror, Map<String, Integer> gpusOfWholeNodes, QueueShares now, QueueShares then) {
        this.gpusOfWholeNodes = gpusOfWholeNodes;
        this.mirror = mirror;
        this.now = now;
        this.then = then;
        this.waiting = mirror.waiting().stream().sorted(WaitingJob.ORDER).toList();
    }

    QueueForecast of(Plan before, Plan after) {
        Map<JobId, Plan.Placement> startsBefore = starts(before);
        Map<JobId, Plan.Placement> startsAfter = starts(after);
        Map<JobId, Reason> toldBefore = told(before);
        Map<JobId, Reason> toldAfter = told(after);
        List<Start> starts = new ArrayList<>();
        List<Verdict> delays = new ArrayList<>();
        List<Verdict> verdicts = new ArrayList<>();
        for (WaitingJob job : waiting) {
            Plan.Placement start = startsAfter.get(job.job());
            boolean startsNow = startsBefore.containsKey(job.job());
            if (start != null && !startsNow) {
                starts.add(new Start(job.job(), job.queue(), gpuMilli(start.members())));
            } else if (start == null) {
                Reason reasonNow = startsNow ? null : toldBefore.getOrDefault(job.job(), job.verdict());
                Reason reasonThen = toldAfter.getOrDefault(job.job(), job.verdict());
                Verdict verdict = new Verdict(job.job(), job.queue(), gpuMilli(job), codeOf(reasonNow), reasonThen);
                if (startsNow) {
                    delays.add(verdict);
                } else if (codeOf(reasonNow) != codeOf(reasonThen)) {
                    verdicts.add(verdict);
                }
            }
        }
        return new QueueForecast(
                some(evictions(before, after), Eviction::gpuMilli),
                some(starts, Start::gpuMilli),
                some(delays, Verdict::gpuMilli),
                some(verdicts, Verdict::gpuMilli),
                overUse(),
                new LimitDifference(mirror.running().jobs(), gpusOfWholeNodes, now, then).overLimits());
    }

    private static Map<JobId, Plan.Placement> starts(Plan plan) {
        return plan.placements().stream().collect(Collectors.toMap(Plan.Placement::job, one -> one));
    }

    private static Map<JobId, Reason> told(Plan plan) {
        Map<JobId, Reason> told = new HashMap<>();
        plan.waits().forEach(wait -> told.put(wait.job(), wait.reason()));
        return told;
    }

    private static @Nullable ReasonCode codeOf(@Nullable Reason reason) {
        return reason == null ? null : reason.code();
    }

    private List<Eviction> evictions(Plan before, Plan after) {
        Set<List<Object>> anyway = before.evictions().stream()
                .map(one -> List.<Object>of(one.victim(), one.ranks()))
                .collect(Collectors.toCollection(HashSet::new));
        return after.evictions().stream()
                .filter(one -> !anyway.contains(List.<Object>of(one.victim(), one.ranks())))
                .map(this::eviction)
                .toList();
    }

    private Eviction eviction(Plan.Eviction one) {
        RunningJob victim = Objects.requireNonNull(mirror.running().job(one.victim()), "a victim holds something");
        List<Plan.PodPlacement> leaving = victim.members().stream()
                .filter(member -> one.ranks().isEmpty() || one.ranks().contains(member.rank()))
                .toList();
        return new Eviction(
                one.victim(),
                victim.queue(),
                leaving.size(),
                one.ranks().isEmpty(),
                gpuMilli(leaving),
                one.cause(),
                one.beneficiary());
    }

    private static long gpuMilli(List<Plan.PodPlacement> members) {
        return members.stream()
                .mapToLong(member -> (long) member.devices().size() * member.milliPerDevice())
                .sum();
    }

    private static long gpuMilli(WaitingJob job) {
        return job.podSets().stream()
                .mapToLong(set -> set.minCount() * set.gpus().milli())
                .sum();
    }

    private static <T> Some<T> some(List<T> all, ToLongFunction<T> gpuMilli) {
        return new Some<>(
                all.size(),
                all.stream().mapToLong(gpuMilli).sum(),
                all.subList(0, Math.min(QueueForecast.SHOWN, all.size())));
    }

    /** The largest first; queues without a quota of their own are bound by those above them, and are told there. */
    private List<OverUse> overUse() {
        List<OverUse> all = new ArrayList<>();
        for (Map.Entry<QueueId, QueueShares.Share> entry : now.queues().entrySet()) {
            Map<QuotaKey, Quota> quotas = entry.getValue().quotas();
            QueueShares.Share share = then.queues().get(entry.getKey());
            Map<QuotaKey, Quota> quotasThen = share == null ? Map.of() : share.quotas();
            Set<QuotaKey> keys = new TreeSet<>(quotas.keySet());
            keys.addAll(quotasThen.keySet());
            for (QuotaKey key : keys) {
                long used = entry.getValue().used().getOrDefault(key, Use.NONE).counted();
                OverUse one = new OverUse(
                        entry.getKey(), key, used, above(used, quotas.get(key)), above(used, quotasThen.get(key)));
                if (one.before() > 0 || one.after() > 0) {
                    all.add(one);
                }
            }
        }
        all.sort(Comparator.comparingLong(OverUse::after)
                .reversed()
                .thenComparing(OverUse::queue, Comparator.comparingLong(QueueId::value))
                .thenComparing(OverUse::key));
        return all.subList(0, Math.min(QueueForecast.SHOWN, all.size()));
    }

    private static long above(long used, @Nullable Quota quota) {
        return quota == null ? 0 : Math.max(0, used - quota.nominal());
    }
}
