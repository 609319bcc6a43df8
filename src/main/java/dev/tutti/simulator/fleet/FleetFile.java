package dev.tutti.simulator.fleet;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads machines from a CSV file, one a line. The file says nothing of NVLink, racks or zones: every GPU is an island
 * of its own, and no topology label is made up.
 */
final class FleetFile {

    static final String COLUMNS = "sn,cpu_milli,memory_mib,gpu,model";

    private static final int NODES = 200_000;
    private static final int GPUS = 64;
    private static final long CPU_MILLI = 100_000_000;
    private static final long MEMORY_MIB = 1_000_000_000;
    private static final int POD_SLOTS = 1_001;
    private static final String NODE_NAME = "[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?";
    private static final Map<String, Integer> GPU_MEMORY_MIB =
            Map.of("P100", 16_280, "V100M16", 16_160, "V100M32", 32_510, "T4", 15_360, "A10", 23_028, "A100", 40_960);

    private final Path path;
    private final Set<String> names = new HashSet<>();
    private int line;

    private FleetFile(Path path) {
        this.path = path;
    }

    static List<NodeSpec> read(Path path) {
        FleetFile file = new FleetFile(path);
        try (BufferedReader in = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
            return file.read(in);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "The fleet file " + path + " cannot be read as text; name a file that can", e);
        }
    }

    private List<NodeSpec> read(BufferedReader in) throws IOException {
        int[] columns = columns(in.readLine());
        List<NodeSpec> fleet = new ArrayList<>();
        for (String text = in.readLine(); text != null; text = in.readLine()) {
            line++;
            if (!text.isBlank()) {
                fleet.add(node(text.split(",", -1), columns));
            }
            if (fleet.size() > NODES) {
                throw wrong("there are more than " + NODES + " nodes");
            }
        }
        if (fleet.isEmpty()) {
            throw wrong("there is no node in it");
        }
        return List.copyOf(fleet);
    }

    private int[] columns(@Nullable String header) {
        line = 1;
        List<String> given = header == null
                ? List.of()
                : Arrays.stream(header.replace("\uFEFF", "").split(",", -1))
                        .map(String::strip)
                        .toList();
        int[] columns =
                Arrays.stream(COLUMNS.split(",")).mapToInt(given::indexOf).toArray();
        if (Arrays.stream(columns).anyMatch(column -> column < 0)) {
            throw wrong("the first line must name the columns " + COLUMNS);
        }
        return columns;
    }

    private NodeSpec node(String[] values, int[] columns) {
        if (Arrays.stream(columns).max().orElse(0) >= values.length) {
            throw wrong("it has " + values.length + " values, too few for its columns");
        }
        String name = values[columns[0]].strip();
        if (!name.matches(NODE_NAME) || !names.add(name)) {
            throw wrong("sn is \"" + name + "\"; give each node a name of its own of a-z, 0-9, dot and dash");
        }
        long cpuMilli = number("cpu_milli", values[columns[1]], 1, CPU_MILLI);
        long memoryMib = number("memory_mib", values[columns[2]], 1, MEMORY_MIB);
        int gpus = (int) number("gpu", values[columns[3]], 0, GPUS);
        String model = values[columns[4]].strip();
        if (gpus > 0 && flavor(model).isEmpty()) {
            throw wrong("model is \"" + model + "\"; name the model of its GPUs");
        }
        return gpus == 0 ? cpuNode(name, cpuMilli, memoryMib) : gpuNode(name, cpuMilli, memoryMib, gpus, model);
    }

    private static NodeSpec cpuNode(String name, long cpuMilli, long memoryMib) {
        Map<String, String> labels = Map.of("kubernetes.io/hostname", name);
        return new NodeSpec(name, "cpu", "", 0, cpuMilli, memoryMib, POD_SLOTS, List.of(), List.of(), labels);
    }

    private static NodeSpec gpuNode(String name, long cpuMilli, long memoryMib, int gpus, String model) {
        List<Integer> islands = IntStream.range(0, gpus).boxed().toList();
        Map<String, String> labels = Map.of(
                "kubernetes.io/hostname", name,
                "nvidia.com/gpu.product", model,
                "nvidia.com/gpu.count", Integer.toString(gpus));
        int gpuMemoryMib = GPU_MEMORY_MIB.getOrDefault(model, 0);
        return new NodeSpec(
                name, flavor(model), model, gpuMemoryMib, cpuMilli, memoryMib, POD_SLOTS, List.of(), islands, labels);
    }

    /** The flavor of GPUs of this model: its name in lower case, with dashes for all that is neither letter nor digit. */
    static String flavor(String model) {
        return model.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
    }

    private long number(String column, String text, long min, long max) {
        String value = text.strip();
        if (value.matches("[0-9]{1,12}")) {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw wrong(column + " is \"" + value + "\"; give a whole number from " + min + " to " + max);
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("The fleet file " + path + ", line " + line + ": " + what);
    }
}
