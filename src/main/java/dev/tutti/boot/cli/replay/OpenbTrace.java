package dev.tutti.boot.cli.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Pods of the public trace {@code cluster-trace-gpu-v2023} (alibaba/clusterdata): a CSV with the columns
 * {@code name,cpu_milli,memory_mib,num_gpu,gpu_milli[,gpu_spec,…]}, in the order of the file.
 */
final class OpenbTrace {

    private static final int COLUMNS = 5;
    private static final int SPEC_COLUMN = 5;
    private static final int MOST_ARRIVALS = 200_000;

    private final List<TracePod> pods;

    private OpenbTrace(List<TracePod> pods) {
        this.pods = pods;
    }

    static OpenbTrace read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            List<TracePod> pods = new ArrayList<>();
            for (int line = 1; line < lines.size(); line++) {
                pods.add(parse(lines.get(line), file + " line " + (line + 1)));
            }
            if (pods.isEmpty()) {
                throw new IllegalArgumentException(file + " holds no pods");
            }
            return new OpenbTrace(pods);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /**
     * The arrivals: the file's own pods in its order, then pods drawn from it with replacement under {@code seed},
     * until their milli-GPU reach {@code untilMilli}.
     */
    List<TracePod> arrivals(long untilMilli, long seed) {
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

    private static TracePod parse(String line, String where) {
        String[] cells = line.split(",", -1);
        if (cells.length < COLUMNS) {
            throw new IllegalArgumentException(where + " has " + cells.length + " columns; at least " + COLUMNS);
        }
        try {
            int gpus = Integer.parseInt(cells[3]);
            int milli = gpus == 0 || cells[4].isEmpty() ? 0 : Integer.parseInt(cells[4]);
            String spec = cells.length > SPEC_COLUMN && gpus > 0 ? cells[SPEC_COLUMN] : "";
            List<String> models = spec.isEmpty() ? List.of() : Arrays.asList(spec.split("\\|"));
            return new TracePod(
                    cells[0], Long.parseLong(cells[1]), Long.parseLong(cells[2]), gpus, Math.min(milli, 1000), models);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(where + " is not a pod: " + line, e);
        }
    }
}
