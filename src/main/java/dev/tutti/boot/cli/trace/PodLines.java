package dev.tutti.boot.cli.trace;

import dev.tutti.model.Limits;
import dev.tutti.simulator.fleet.Fleets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns the lines of a trace's file into pods, one after the other. */
final class PodLines {

    private static final List<String> COLUMNS = List.of("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli");
    private static final String MODELS = "gpu_spec";
    private static final long CPU_MILLI = 100_000_000;
    private static final long MEMORY_MIB = 1_000_000_000;
    private static final int GPUS = 64;

    private final String file;
    private final List<String> header;
    private final int widest;
    private int line = 1;
    private String[] cells = {};

    /** @param header the file's first line; null when it has none */
    PodLines(String file, @Nullable String header) {
        this.file = file;
        this.header = header == null
                ? List.of()
                : Arrays.stream(header.replace("\uFEFF", "").split(",", -1))
                        .map(String::strip)
                        .toList();
        if (!this.header.containsAll(COLUMNS)) {
            throw wrong("the first line must name the columns " + String.join(",", COLUMNS));
        }
        widest = COLUMNS.stream().mapToInt(this.header::indexOf).max().orElseThrow();
    }

    /** The pod of the next line; none when the line is blank. */
    Optional<TracePod> parse(String text) {
        line++;
        cells = text.split(",", -1);
        if (text.isBlank()) {
            return Optional.empty();
        }
        if (cells.length <= widest) {
            throw wrong("it has " + cells.length + " values, too few for its columns");
        }
        String name = cell("name");
        if (name.isEmpty()) {
            throw wrong("name is empty; give each pod a name");
        }
        int gpus = (int) number("num_gpu", 0, GPUS);
        int milli = gpus == 0 ? 0 : (int) number("gpu_milli", gpus == 1 ? 1 : Limits.DEVICE_MILLI, Limits.DEVICE_MILLI);
        long cpuMilli = number("cpu_milli", 0, CPU_MILLI);
        long memoryMib = number("memory_mib", 0, MEMORY_MIB);
        return Optional.of(new TracePod(name, cpuMilli, memoryMib, gpus, milli, gpus == 0 ? List.of() : flavors()));
    }

    private List<String> flavors() {
        int column = header.indexOf(MODELS);
        String models = column < 0 || column >= cells.length ? "" : cells[column].strip();
        return models.isEmpty()
                ? List.of()
                : Arrays.stream(models.split("\\|")).map(Fleets::flavorOf).toList();
    }

    private String cell(String column) {
        return cells[header.indexOf(column)].strip();
    }

    private long number(String column, long min, long max) {
        String value = cell(column);
        if (value.matches("[0-9]{1,12}")) {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw wrong(column + " is \"" + value + "\"; give "
                + (min == max ? Long.toString(min) : "a whole number from " + min + " to " + max));
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(file + ", line " + line + ": " + what);
    }
}
