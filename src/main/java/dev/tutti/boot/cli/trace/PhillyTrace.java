package dev.tutti.boot.cli.trace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Jobs and virtual clusters of the public Philly trace, from CSV files with the columns {@code vc,arrival_s,gpus,duration_s}
 * and {@code vc,node num}, in any order among others.
 */
public final class PhillyTrace {

    private static final int MOST_JOBS = 1_000_000;
    private static final int MOST_CLUSTERS = 1_000;
    private static final int MOST_NODES = 10_000;
    private static final int MOST_GPUS = 100_000;
    private static final long MOST_SECONDS = 10_000_000_000L;

    private PhillyTrace() {}

    /**
     * One job.
     *
     * @param cluster name of its virtual cluster
     * @param atSeconds when it was submitted, 0 and up
     * @param gpus 0 and up
     * @param seconds how long it ran, 1 and up
     */
    public record Job(String cluster, long atSeconds, int gpus, long seconds) {}

    /**
     * Reads the jobs of a file.
     *
     * @throws IllegalArgumentException when there is no such file or a line of it makes no sense; the message names file,
     *     line and column and says what to give instead
     */
    public static List<Job> jobs(Path file) {
        List<Job> jobs = new ArrayList<>();
        CsvLines.read(file, List.of("vc", "arrival_s", "gpus", "duration_s"), MOST_JOBS, line -> {
            jobs.add(new Job(
                    line.text("vc"),
                    line.number("arrival_s", 0, MOST_SECONDS),
                    (int) line.number("gpus", 0, MOST_GPUS),
                    line.number("duration_s", 1, MOST_SECONDS)));
        });
        return jobs;
    }

    /** Reads how many nodes each virtual cluster has, by name; refuses as {@link #jobs} does. */
    public static Map<String, Integer> nodes(Path file) {
        Map<String, Integer> nodes = new TreeMap<>();
        CsvLines.read(file, List.of("vc", "node num"), MOST_CLUSTERS, line -> {
            String name = line.text("vc");
            if (nodes.put(name, (int) line.number("node num", 1, MOST_NODES)) != null) {
                throw line.wrong("vc \"" + name + "\" was named before; give each once");
            }
        });
        return nodes;
    }
}
