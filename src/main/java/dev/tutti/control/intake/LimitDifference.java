package dev.tutti.control.intake;

import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.RunningJob;
import dev.tutti.control.intake.QueueForecast.OverLimit;
import dev.tutti.model.QueueId;
import dev.tutti.model.queue.QueueLimits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Of which limits more is held, with the queues as they are and with one of them changed. */
final class LimitDifference {

    private final QueueShares now;
    private final QueueShares then;
    private final Map<QueueId, Integer> jobs = new HashMap<>();
    private final Map<QueueId, Map<String, Long>> ofUsers = new HashMap<>();
    private final Map<QueueId, Map<String, Long>> gpus = new HashMap<>();
    private final Map<QueueId, Map<String, Long>> wholeNodes = new HashMap<>();

    LimitDifference(
            Collection<RunningJob> running, Map<String, Integer> gpusOfWholeNodes, QueueShares now, QueueShares then) {
        this.now = now;
        this.then = then;
        for (RunningJob job : running) {
            for (QueueId q = job.queue(); q != null; q = above(q)) {
                jobs.merge(q, 1, Integer::sum);
                count(ofUsers, q, job.user(), 1);
                count(gpus, q, job.user(), job.gpuMilli());
                for (String flavor : limitedFlavors(q)) {
                    Integer size = gpusOfWholeNodes.get(flavor);
                    count(wholeNodes, q, flavor, size == null ? 0 : job.wholeNodes(flavor, size));
                }
            }
        }
    }

    private static void count(Map<QueueId, Map<String, Long>> all, QueueId queue, String user, long amount) {
        all.computeIfAbsent(queue, first -> new HashMap<>()).merge(user, amount, Long::sum);
    }

    private static long most(Map<QueueId, Map<String, Long>> all, QueueId queue) {
        return all.getOrDefault(queue, Map.of()).values().stream()
                .mapToLong(amount -> amount)
                .max()
                .orElse(0);
    }

    private Set<String> limitedFlavors(QueueId queue) {
        Set<String> flavors = new TreeSet<>();
        for (QueueShares shares : List.of(now, then)) {
            QueueShares.Share share = shares.queues().get(queue);
            if (share != null) {
                flavors.addAll(share.rules().limits().maxWholeNodes().keySet());
            }
        }
        return flavors;
    }

    private @Nullable QueueId above(QueueId queue) {
        QueueShares.Share share = now.queues().get(queue);
        return share == null ? null : share.parent();
    }

    /** The largest first. */
    List<OverLimit> overLimits() {
        List<OverLimit> all = new ArrayList<>();
        for (QueueId queue : now.queues().keySet()) {
            add(all, queue, "maxRunningJobs", jobs.getOrDefault(queue, 0), QueueLimits::maxRunningJobs);
            add(all, queue, "perUser.maxRunningJobs", most(ofUsers, queue), QueueLimits::userMaxRunningJobs);
            add(all, queue, "perUser.maxGpuMilli", most(gpus, queue), QueueLimits::userMaxGpuMilli);
            for (String flavor : limitedFlavors(queue)) {
                long nodes = wholeNodes.getOrDefault(queue, Map.of()).getOrDefault(flavor, 0L);
                add(
                        all,
                        queue,
                        "maxWholeNodes." + flavor,
                        nodes,
                        limits -> limits.maxWholeNodes().get(flavor));
            }
        }
        all.sort(Comparator.comparingLong(OverLimit::after)
                .reversed()
                .thenComparing(OverLimit::queue, Comparator.comparingLong(QueueId::value))
                .thenComparing(OverLimit::limit));
        return all.subList(0, Math.min(QueueForecast.SHOWN, all.size()));
    }

    private void add(
            List<OverLimit> all,
            QueueId queue,
            String name,
            long used,
            Function<QueueLimits, ? extends @Nullable Number> limit) {
        OverLimit one = new OverLimit(
                queue, name, used, above(used, limitOf(now, queue, limit)), above(used, limitOf(then, queue, limit)));
        if (one.before() > 0 || one.after() > 0) {
            all.add(one);
        }
    }

    private static @Nullable Number limitOf(
            QueueShares shares, QueueId queue, Function<QueueLimits, ? extends @Nullable Number> limit) {
        QueueShares.Share share = shares.queues().get(queue);
        return share == null ? null : limit.apply(share.rules().limits());
    }

    private static long above(long used, @Nullable Number limit) {
        return limit == null ? 0 : Math.max(0, used - limit.longValue());
    }
}
