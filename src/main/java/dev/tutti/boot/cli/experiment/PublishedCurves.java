package dev.tutti.boot.cli.experiment;

import dev.tutti.simulator.experiment.Figure;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Results others published: a CSV file with the columns {@code workload,sc_policy,total_gpus} and one for each percent
 * arrived, whose cells are the percent allocated; a line for each run.
 */
final class PublishedCurves {

    private static final String COLUMNS = "workload,sc_policy,total_gpus,…,0,1,2,…";

    private final Path file;
    private final List<String> header;
    private final Map<String, List<Run>> runs = new TreeMap<>();
    private int line = 1;

    private PublishedCurves(Path file, @Nullable String header) {
        this.file = file;
        this.header = header == null ? List.of() : Arrays.asList(header.split(",", -1));
        if (!this.header.containsAll(List.of("workload", "sc_policy", "total_gpus", "0"))) {
            throw wrong("the first line must name the columns " + COLUMNS);
        }
    }

    /** One line: percent allocated by percent arrived, and the GPUs there were. */
    private record Run(double[] allocated, double gpus) {}

    /**
     * One policy's curves.
     *
     * @param policy its name as published
     */
    record Curve(String policy, List<double[]> allocated, double gpus) {

        int lastPercent() {
            return allocated.stream().mapToInt(run -> run.length).min().orElseThrow() - 1;
        }

        Figure allocatedPercent(int percent) {
            return Figure.of(allocated.stream().mapToDouble(run -> run[percent]).toArray());
        }

        Figure idleGpus(int percent) {
            return Figure.of(allocated.stream()
                    .mapToDouble(run -> gpus * (100 - run[percent]) / 100)
                    .toArray());
        }
    }

    /**
     * The curves of one workload, by policy in the order of their numbers.
     *
     * @throws IllegalArgumentException when the file makes no sense or knows nothing of the workload
     */
    static List<Curve> read(Path file, String workload) {
        try (BufferedReader in = Files.newBufferedReader(file)) {
            PublishedCurves curves = new PublishedCurves(file, in.readLine());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                curves.parse(line, workload);
            }
            if (curves.runs.isEmpty()) {
                throw new IllegalArgumentException(file + " knows nothing of the workload " + workload
                        + "; give a file with lines that begin with the name of the pods' file");
            }
            return curves.runs.entrySet().stream()
                    .map(policy -> curve(policy.getKey(), policy.getValue()))
                    .toList();
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read as text; name a file that can", e);
        }
    }

    private static Curve curve(String policy, List<Run> runs) {
        return new Curve(
                policy.replaceFirst("^[0-9]+-", ""),
                runs.stream().map(Run::allocated).toList(),
                runs.get(0).gpus);
    }

    private void parse(String text, String workload) {
        line++;
        String[] cells = text.split(",", -1);
        if (!text.isBlank() && cells.length < header.size()) {
            throw wrong("it has " + cells.length + " values, too few for its columns");
        }
        if (!text.isBlank() && cells[header.indexOf("workload")].equals(workload)) {
            int zero = header.indexOf("0");
            double[] allocated = new double[header.size() - zero];
            for (int percent = 0; percent < allocated.length; percent++) {
                allocated[percent] = number(cells[zero + percent], zero + percent, 100);
            }
            int total = header.indexOf("total_gpus");
            Run run = new Run(allocated, number(cells[total], total, Integer.MAX_VALUE));
            runs.computeIfAbsent(cells[header.indexOf("sc_policy")], fresh -> new ArrayList<>())
                    .add(run);
        }
    }

    private double number(String text, int column, double max) {
        if (text.matches("[0-9]{1,9}(\\.[0-9]{1,20})?") && Double.parseDouble(text) <= max) {
            return Double.parseDouble(text);
        }
        throw wrong("column " + header.get(column) + " is \"" + text + "\"; give a number from 0 to " + (long) max);
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(file + ", line " + line + ": " + what);
    }
}
