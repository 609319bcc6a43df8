package dev.tutti.simulator.fleet;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Finds the machines that one text names: {@code default} (128 nodes, 1,024 GPUs of four flavors), {@code 10k},
 * {@code 100k}, a small fleet such as {@code nodes=16,gpus=8,flavor=h100-sxm}, or the path of a CSV file.
 */
public final class Fleets {

    private static final Map<String, Supplier<FleetPlan>> NAMED = Map.of(
            "default", () -> plan(80, 16, 8, 16, 8, 2),
            "10k", () -> plan(782, 156, 78, 156, 78, 2),
            "100k", () -> plan(7_812, 1_564, 780, 1_564, 780, 4));

    private Fleets() {}

    /**
     * The machines of this fleet, always the same for the same text and file.
     *
     * @throws IllegalArgumentException when there is no such fleet, or its file or numbers make no sense; the message
     *     says what to give instead
     */
    public static List<NodeSpec> named(String text) {
        String name = text.strip();
        if (NAMED.containsKey(name)) {
            return NAMED.get(name).get().layOut();
        }
        if (name.startsWith("nodes=")) {
            return SmallFleet.parse(name).layOut();
        }
        if (name.endsWith(".csv") || isFile(name)) {
            return FleetFile.read(Path.of(name));
        }
        throw new IllegalArgumentException("There is no fleet \"" + name + "\". Give default, 10k, 100k, "
                + SmallFleet.FORM + ", or the path of a CSV file with the columns " + FleetFile.COLUMNS);
    }

    /** The flavor that GPUs of this model have in fleets read from a file. */
    public static String flavorOf(String model) {
        return FleetFile.flavor(model);
    }

    private static boolean isFile(String name) {
        try {
            return !name.isEmpty() && Files.isRegularFile(Path.of(name));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static FleetPlan plan(int h100, int a100, int a100TwoBoards, int l40s, int a10, int zones) {
        return new FleetPlan(
                List.of(
                        new FleetPlan.Group(Hardware.H100, h100),
                        new FleetPlan.Group(Hardware.A100, a100),
                        new FleetPlan.Group(Hardware.A100_TWO_BOARDS, a100TwoBoards),
                        new FleetPlan.Group(Hardware.L40S, l40s),
                        new FleetPlan.Group(Hardware.A10, a10)),
                zones);
    }
}
