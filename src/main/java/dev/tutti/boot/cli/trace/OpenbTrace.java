package dev.tutti.boot.cli.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Pods of the public trace {@code cluster-trace-gpu-v2023} (alibaba/clusterdata), from a CSV file with the columns
 * {@code name,cpu_milli,memory_mib,num_gpu,gpu_milli[,gpu_spec]} in any order among others.
 */
public final class OpenbTrace {

    private static final int MOST_PODS = 1_000_000;
    private static final int MOST_ARRIVALS = 200_000;

    private final List<TracePod> pods;

    private OpenbTrace(List<TracePod> pods) {
        this.pods = pods;
    }

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException when there is no such file or a line of it makes no sense; the message names file,
     *     line and column and says what to give instead
     */
    public static OpenbTrace read(Path file) {
        try (BufferedReader in = Files.newBufferedReader(file)) {
            PodLines lines = new PodLines(file.toString(), in.readLine());
            List<TracePod> pods = new ArrayList<>();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (pods.size() == MOST_PODS) {
                    throw new IllegalArgumentException(file + " holds more than " + MOST_PODS + " pods; give fewer");
                }
                lines.parse(line).ifPresent(pods::add);
            }
            if (pods.isEmpty()) {
                throw new IllegalArgumentException(file + " holds no pods; give a file with one pod a line");
            }
            return new OpenbTrace(List.copyOf(pods));
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read as text; name a file that can", e);
        }
    }

    /** The file's pods, by name. */
    public List<TracePod> byName() {
        return pods.stream().sorted(Comparator.comparing(TracePod::name)).toList();
    }

    /**
     * Arrivals for a replay: the file's own pods in its order, then pods drawn from it with replacement under
     * {@code seed}, until their milli-GPU reach {@code untilMilli}; at most 200,000.
     */
    public List<TracePod> arrivals(long untilMilli, long seed) {
        Random random = new Random(seed);
        List<TracePod> arrivals = new ArrayList<>();
        long arrived = 0;
        while (arrived < untilMilli && arrivals.size() < MOST_ARRIVALS) {
            TracePod pod =
                    arrivals.size() < pods.size() ? pods.get(arrivals.size()) : pods.get(random.nextInt(pods.size()));
            arrivals.add(pod);
            arrived += pod.milli();
        }
        return arrivals;
    }
}
