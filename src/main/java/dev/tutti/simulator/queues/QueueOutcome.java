package dev.tutti.simulator.queues;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * What a run came to.
 *
 * @param stories every job, in order of submit
 * @param decisions how often the scheduler was asked
 */
public record QueueOutcome(List<JobStory> stories, long decisions) {

    public QueueOutcome {
        stories = List.copyOf(stories);
    }

    public double meanCompletionSeconds() {
        return mean(JobStory::completionSeconds, job -> true);
    }

    public double meanQueueingSeconds() {
        return mean(JobStory::queueingSeconds, job -> true);
    }

    /** Mean over some jobs; not a number when there are none. */
    public double meanQueueingSeconds(Predicate<QueuedJob> which) {
        return mean(JobStory::queueingSeconds, which);
    }

    private double mean(ToLongFunction<JobStory> value, Predicate<QueuedJob> which) {
        return stories.stream()
                .filter(story -> which.test(story.job()))
                .mapToLong(value)
                .average()
                .orElse(Double.NaN);
    }

    /** What so large a part of the jobs does not queue longer than, in seconds. */
    public long queueingSeconds(double part) {
        long[] sorted =
                stories.stream().mapToLong(JobStory::queueingSeconds).sorted().toArray();
        return sorted[(int) Math.min(sorted.length - 1, (long) (part * sorted.length))];
    }

    /** How often jobs had to give way. */
    public long evictions() {
        return stories.stream().mapToLong(JobStory::evictions).sum();
    }

    /** GPU time of attempts that gave way, in GPU seconds. */
    public long lostGpuSeconds() {
        return stories.stream()
                .mapToLong(story -> story.job().gpus() * story.lostSeconds())
                .sum();
    }

    /** GPU time that was worth something, in GPU seconds. */
    public long usefulGpuSeconds() {
        return stories.stream()
                .mapToLong(story -> story.job().gpus() * story.job().seconds())
                .sum();
    }

    /** Seconds from 0 to the last end. */
    public long lastEndSeconds() {
        return stories.stream()
                .mapToLong(story -> story.job().atSeconds() + story.completionSeconds())
                .max()
                .orElse(0);
    }
}
