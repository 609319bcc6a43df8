package dev.tutti.simulator.fleet;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads a fleet of equal machines from one line. */
final class SmallFleet {

    static final String FORM = "nodes=16[,gpus=8][,flavor=h100-sxm]";

    private static final int NODES = 100_000;
    private static final int GPUS = 64;
    private static final Set<String> KEYS = Set.of("nodes", "gpus", "flavor");

    private SmallFleet() {}

    static FleetPlan parse(String text) {
        Map<String, String> values = new HashMap<>();
        for (String part : text.split(",", -1)) {
            String[] pair = part.strip().split("=", 2);
            if (pair.length != 2 || !KEYS.contains(pair[0]) || values.put(pair[0], pair[1]) != null) {
                throw new IllegalArgumentException(
                        "The fleet \"" + text + "\" is not understood at \"" + part + "\". Give " + FORM);
            }
        }
        Hardware hardware = hardware(values.getOrDefault("flavor", "h100-sxm"));
        int gpus = number("gpus", values.getOrDefault("gpus", Integer.toString(hardware.gpus())), GPUS);
        int nodes = number("nodes", values.getOrDefault("nodes", ""), NODES);
        return new FleetPlan(List.of(new FleetPlan.Group(hardware.withGpus(gpus), nodes)), 1);
    }

    private static Hardware hardware(String flavor) {
        return Hardware.ofFlavor(flavor)
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no flavor \"" + flavor + "\" for a fleet. Give one of " + Hardware.flavors()));
    }

    private static int number(String key, String text, int max) {
        if (text.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= max) {
                return number;
            }
        }
        throw new IllegalArgumentException(
                "The fleet's " + key + " is \"" + text + "\". Give a whole number from 1 to " + max);
    }
}
