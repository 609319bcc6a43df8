package dev.tutti.simulator.queues;

import dev.tutti.allocator.Plan;
import dev.tutti.model.JobId;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * A run with all that is measured about it.
 *
 * @param queues the tree
 * @param outcome what became of the jobs
 * @param shares how far from the ideal division
 * @param victims what each choice of victims would have cost, at the same times for the same beneficiaries
 */
public record QueueTrial(
        List<QueueNode> queues, QueueOutcome outcome, ShareSamples shares, Map<RunRules.Victims, Cost> victims) {

    public QueueTrial {
        queues = List.copyOf(queues);
        victims = Map.copyOf(victims);
    }

    /** What a choice would have cost; nothing when nobody had to give way. */
    public Cost cost(RunRules.Victims choice) {
        return victims.getOrDefault(choice, Cost.NONE);
    }

    /**
     * What victims cost.
     *
     * @param beneficiaries jobs that somebody had to leave for
     * @param jobs victims
     * @param lostGpuSeconds what they had done until then
     */
    public record Cost(long beneficiaries, long jobs, long lostGpuSeconds) {

        static final Cost NONE = new Cost(0, 0, 0);

        private Cost plus(Cost other) {
            return new Cost(
                    beneficiaries + other.beneficiaries, jobs + other.jobs, lostGpuSeconds + other.lostGpuSeconds);
        }
    }

    /**
     * Plays it.
     *
     * @param afterEnd told how many jobs have ended
     */
    public static QueueTrial play(QueueWorkload workload, RunRules rules, IntConsumer afterEnd) {
        Watcher watcher = new Watcher(new ShareSamples(workload.queues()));
        QueueOutcome outcome = QueueRun.play(workload.queues(), workload.jobs(), rules, watcher, afterEnd);
        return new QueueTrial(workload.queues(), outcome, watcher.shares, watcher.costs);
    }

    private static final class Watcher implements RunWatcher {
        private final ShareSamples shares;
        private final Map<RunRules.Victims, Cost> costs = new EnumMap<>(RunRules.Victims.class);

        Watcher(ShareSamples shares) {
            this.shares = shares;
        }

        @Override
        public void settled(QueueRun run) {
            shares.settled(run);
        }

        @Override
        public void evicts(QueueRun run, Plan plan) {
            Map<RunRules.Victims, Map<JobId, List<JobId>>> chosen = new EnumMap<>(RunRules.Victims.class);
            for (RunRules.Victims choice : RunRules.Victims.values()) {
                chosen.put(choice, GreedyVictims.chosen(run, plan, choice));
            }
            Set<JobId> helped = new HashSet<>();
            plan.evictions().forEach(one -> helped.add(one.beneficiary()));
            chosen.values()
                    .forEach(one -> helped.removeIf(
                            job -> one.getOrDefault(job, List.of()).isEmpty()));
            chosen.forEach((choice, victims) -> {
                victims.keySet().retainAll(helped);
                costs.merge(choice, cost(run, victims), Cost::plus);
            });
        }

        private static Cost cost(QueueRun run, Map<JobId, List<JobId>> chosen) {
            long jobs = 0;
            long lost = 0;
            for (List<JobId> victims : chosen.values()) {
                for (JobId victim : victims) {
                    JobStory story = run.story(victim);
                    jobs++;
                    lost += story.job().gpus() * (run.now() - story.startedAt());
                }
            }
            return new Cost(chosen.size(), jobs, lost);
        }
    }
}
