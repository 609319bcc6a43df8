package dev.tutti.testkit.scenario;

import dev.tutti.model.NodeTraits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A node of a test fleet.
 *
 * @param name its name
 * @param cluster its cluster
 * @param flavor its flavor
 * @param domains domain name by level
 * @param open whether pods may go there
 * @param cpuMilli CPU in all
 * @param cpuUsed CPU held
 * @param memoryMib memory in all
 * @param memoryUsed memory held
 * @param pods pods it takes in all
 * @param podsUsed pods held
 * @param used milli-GPU held of each device; above 1000 for a sick device
 * @param islands island of each device
 * @param traits its labels and taints
 */
public record TestNode(
        String name,
        String cluster,
        String flavor,
        Map<String, String> domains,
        boolean open,
        long cpuMilli,
        long cpuUsed,
        long memoryMib,
        long memoryUsed,
        int pods,
        int podsUsed,
        List<Integer> used,
        List<Integer> islands,
        NodeTraits traits) {

    /** Levels that a fleet can name, widest first. An island here joins nodes; islands within one node are sizes. */
    public static final List<String> LEVELS = List.of("zone", "block", "rack", "island");

    public static final int SICK = 2_000;

    /**
     * Reads {@code n1 zone=a rack=r gpus=8 used=6 shares=300,250 sick=1 islands=4,4 cpu=96000 flavor=h100 closed
     * labels=pool:a,disk:ssd taints=dedicated:training:NoSchedule}; see {@link TestRules}.
     */
    public static TestNode of(String line) {
        Words words = new Words(line);
        Map<String, String> domains = new LinkedHashMap<>();
        for (String level : LEVELS) {
            String domain = words.text(level);
            if (domain != null) {
                domains.put(level, domain);
            }
        }
        int gpus = (int) words.number("gpus", 0);
        TestNode node = new TestNode(
                words.name(),
                words.text("cluster", "main"),
                words.text("flavor", gpus == 0 ? "cpu" : "gpu"),
                domains,
                !words.flag("closed"),
                words.number("cpu", 128_000),
                words.number("cpuUsed", 0),
                words.number("memory", 1_048_576),
                words.number("memoryUsed", 0),
                (int) words.number("slots", 110),
                0,
                used(words, gpus),
                islands(words, gpus),
                TestRules.traits(words));
        words.nothingElse();
        return node;
    }

    private static List<Integer> used(Words words, int gpus) {
        List<Integer> used = new ArrayList<>();
        for (long i = words.number("used", 0); i > 0; i--) {
            used.add(1_000);
        }
        words.list("shares").forEach(share -> used.add(Integer.parseInt(share)));
        for (long i = words.number("sick", 0); i > 0; i--) {
            used.add(SICK);
        }
        while (used.size() < gpus) {
            used.add(0);
        }
        return used;
    }

    private static List<Integer> islands(Words words, int gpus) {
        List<Integer> islands = new ArrayList<>();
        int island = 0;
        for (String size : words.list("islands")) {
            for (int i = 0; i < Integer.parseInt(size); i++) {
                islands.add(island);
            }
            island++;
        }
        while (islands.size() < gpus) {
            islands.add(0);
        }
        return islands;
    }

    int free(int device) {
        return Math.max(0, 1_000 - used.get(device));
    }
}
