package dev.tutti.model;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a member's pod: the same for the same member of the same attempt, never used again by another.
 *
 * @param job the job
 * @param attempt attempt number, from 1
 * @param rank the member's rank in the job, from 0
 */
public record PodName(JobId job, int attempt, int rank) {

    private static final Pattern FORM =
            Pattern.compile("tutti-([0-9a-f]{16})([0-9a-f]{16})-([1-9]\\d{0,8})-(0|[1-9]\\d{0,8})");

    /** Builds the name, at most 63 characters and a DNS label. */
    public static String of(JobId job, int attempt, int rank) {
        return "tutti-" + job.value().toString().replace("-", "") + "-" + attempt + "-" + rank;
    }

    /** Whose pod has this name; empty when it is no name of ours. */
    public static Optional<PodName> parse(String name) {
        Matcher form = FORM.matcher(name);
        if (!form.matches()) {
            return Optional.empty();
        }
        UUID job = new UUID(Long.parseUnsignedLong(form.group(1), 16), Long.parseUnsignedLong(form.group(2), 16));
        return Optional.of(
                new PodName(new JobId(job), Integer.parseInt(form.group(3)), Integer.parseInt(form.group(4))));
    }
}
