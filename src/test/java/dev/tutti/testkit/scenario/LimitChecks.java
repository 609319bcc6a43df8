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
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What holds of every plan where jobs that run are limited: whoever starts is within each limit, told plainly. */
final class LimitChecks {

    private LimitChecks() {}

    /** One job that holds something once the plan is done. */
    private record Holder(QueueId queue, String user) {}

    static void check(Snapshot now, Plan plan, Map<JobId, RunningJob> running, Map<JobId, WaitingJob> jobs) {
        List<Holder> holders = new ArrayList<>();
        running.values().forEach(job -> holders.add(new Holder(job.queue(), job.user())));
        List<WaitingJob> starts = plan.placements().stream()
                .filter(placement -> !placement.grows())
                .map(placement -> jobs.get(placement.job()))
                .toList();
        starts.forEach(job -> holders.add(new Holder(job.queue(), job.user())));
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

    /** One that counts as a job that runs, and that nobody can ask to leave. */
    static RunningJob holder(WaitingJob job) {
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
                List.of(),
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
