package dev.tutti.testkit.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.allocator.Plan;
import dev.tutti.allocator.QueueShares;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.Snapshot;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import dev.tutti.model.queue.QueueLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What holds of every plan where jobs that run are limited: whoever starts is within each limit, told plainly. */
public final class LimitChecks {

    private LimitChecks() {}

    /** One job that holds something once the plan is done. */
    private record Holder(QueueId queue, String user, long gpuMilli) {

        Holder(RunningJob job) {
            this(job.queue(), job.user(), job.gpuMilli());
        }

        Holder(WaitingJob job, Plan.Placement start) {
            this(job.queue(), job.user(), milli(start));
        }
    }

    static void check(Snapshot now, Plan plan, Map<JobId, RunningJob> running, Map<JobId, WaitingJob> jobs) {
        List<Holder> holders = new ArrayList<>();
        running.values().forEach(job -> holders.add(new Holder(job)));
        List<WaitingJob> starts = plan.placements().stream()
                .filter(placement -> !placement.grows())
                .map(placement -> jobs.get(placement.job()))
                .toList();
        Map<JobId, Long> taken = new HashMap<>();
        plan.placements().forEach(placement -> taken.put(placement.job(), milli(placement)));
        plan.placements().stream()
                .filter(placement -> !placement.grows())
                .forEach(placement -> holders.add(new Holder(jobs.get(placement.job()), placement)));
        plan.placements().stream()
                .filter(Plan.Placement::grows)
                .map(placement -> running.get(placement.job()))
                .filter(Objects::nonNull)
                .forEach(job -> holders.add(new Holder(job.queue(), job.user(), taken.get(job.job()))));
        gpus(now, holders, taken, running, jobs);
        wholeNodes(now, plan, running, jobs);
        for (WaitingJob job : starts) {
            for (QueueId q = job.queue(); q != null; q = share(now, q).parent()) {
                QueueId queue = q;
                QueueLimits limits = share(now, q).rules().limits();
                List<Holder> there = holders.stream()
                        .filter(holder -> isBelow(now, holder.queue(), queue))
                        .toList();
                if (limits.maxRunningJobs() != null) {
                    assertThat(there)
                            .as("jobs that run in queue " + q)
                            .hasSizeLessThanOrEqualTo(limits.maxRunningJobs());
                }
                if (limits.userMaxRunningJobs() != null) {
                    assertThat(there.stream().filter(holder -> holder.user().equals(job.user())))
                            .as("jobs of " + job.user() + " that run in queue " + q)
                            .hasSizeLessThanOrEqualTo(limits.userMaxRunningJobs());
                }
            }
        }
    }

    private static long milli(Plan.Placement placement) {
        return placement.members().stream()
                .mapToLong(pod -> (long) pod.devices().size() * pod.milliPerDevice())
                .sum();
    }

    /** Whoever takes GPUs leaves its user within each limit of them. */
    private static void gpus(
            Snapshot now,
            List<Holder> holders,
            Map<JobId, Long> taken,
            Map<JobId, RunningJob> running,
            Map<JobId, WaitingJob> jobs) {
        taken.forEach((id, milli) -> {
            RunningJob grown = running.get(id);
            QueueId leaf = grown == null ? jobs.get(id).queue() : grown.queue();
            String user = grown == null ? jobs.get(id).user() : grown.user();
            for (QueueId q = leaf; milli > 0 && q != null; q = share(now, q).parent()) {
                QueueId queue = q;
                Long limit = share(now, q).rules().limits().userMaxGpuMilli();
                if (limit != null) {
                    assertThat(holders.stream()
                                    .filter(holder -> holder.user().equals(user))
                                    .filter(holder -> isBelow(now, holder.queue(), queue))
                                    .mapToLong(Holder::gpuMilli)
                                    .sum())
                            .as("milli-GPU of " + user + " in queue " + q)
                            .isLessThanOrEqualTo(limit);
                }
            }
        });
    }

    /** Whoever takes a whole node leaves each queue above it within its limit of them. */
    private static void wholeNodes(
            Snapshot now, Plan plan, Map<JobId, RunningJob> running, Map<JobId, WaitingJob> jobs) {
        Map<QueueId, Map<String, Integer>> taken = new HashMap<>();
        Map<QueueId, Map<String, Integer>> held = new HashMap<>();
        for (Plan.Placement placement : plan.placements()) {
            RunningJob grown = running.get(placement.job());
            QueueId leaf = grown == null ? jobs.get(placement.job()).queue() : grown.queue();
            placement.members().forEach(pod -> countWhole(now, leaf, pod, taken));
        }
        running.values().forEach(job -> job.members().forEach(pod -> countWhole(now, job.queue(), pod, held)));
        taken.forEach((queue, flavors) -> flavors.forEach((flavor, nodes) -> {
            Integer limit = share(now, queue).rules().limits().maxWholeNodes().get(flavor);
            if (limit != null) {
                assertThat(nodes + held.getOrDefault(queue, Map.of()).getOrDefault(flavor, 0))
                        .as("whole nodes of " + flavor + " in queue " + queue)
                        .isLessThanOrEqualTo(limit);
            }
        }));
    }

    private static void countWhole(
            Snapshot now, QueueId leaf, Plan.PodPlacement pod, Map<QueueId, Map<String, Integer>> counts) {
        int largest = now.gpusOfWholeNodes().getOrDefault(pod.flavor(), 0);
        boolean isWhole = largest > 0 && pod.devices().size() * pod.milliPerDevice() >= largest * 1000;
        for (QueueId q = leaf; isWhole && q != null; q = share(now, q).parent()) {
            counts.computeIfAbsent(q, fresh -> new HashMap<>()).merge(pod.flavor(), 1, Integer::sum);
        }
    }

    /** One that counts as a job that runs, and that nobody can ask to leave. */
    public static RunningJob holder(WaitingJob job, List<Plan.PodPlacement> members) {
        return new RunningJob(
                job.job(),
                job.version(),
                job.queue(),
                job.lane(),
                job.priority(),
                job.submittedAtMicros(),
                0,
                0,
                Long.MAX_VALUE,
                false,
                Set.of(),
                members,
                Set.of(),
                Map.of(),
                Set.of(),
                job.user(),
                0);
    }

    private static boolean isBelow(Snapshot now, QueueId leaf, QueueId queue) {
        for (QueueId q = leaf; q != null; q = share(now, q).parent()) {
            if (q.equals(queue)) {
                return true;
            }
        }
        return false;
    }

    private static QueueShares.Share share(Snapshot now, QueueId queue) {
        return now.queues().queues().get(queue);
    }
}
