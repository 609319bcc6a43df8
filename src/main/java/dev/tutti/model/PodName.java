package dev.tutti.model;

/** The name of a member's pod: the same for the same member of the same attempt, never used again by another. */
public final class PodName {

    private PodName() {}

    /**
     * Builds the name, at most 63 characters and a DNS label.
     *
     * @param attempt attempt number, from 1
     * @param rank the member's rank in the job, from 0
     */
    public static String of(JobId job, int attempt, int rank) {
        return "tutti-" + job.value().toString().replace("-", "") + "-" + attempt + "-" + rank;
    }
}
