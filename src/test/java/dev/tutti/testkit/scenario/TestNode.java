package dev.tutti.testkit.scenario;

import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.MigLayout;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.model.fleet.MigProfile;
import dev.tutti.model.fleet.NodeTraits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
 * @param units memory units that MIG instances hold of each device, as a mask
 * @param islands island of each device
 * @param mig name of the MIG layout of its devices; null where they cannot be cut
 * @param traits its labels and taints
 * @param places place of each device; empty when unknown
 * @param nics its RDMA NICs
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
        List<Integer> units,
        List<Integer> islands,
        @Nullable String mig,
        NodeTraits traits,
        List<String> places,
        List<TestNics> nics) {

    /** Levels that a fleet can name, widest first. An island here joins nodes; islands within one node are sizes. */
    public static final List<String> LEVELS = List.of("zone", "block", "rack", "island");

    public static final int SICK = 2_000;

    /**
     * Reads {@code n1 zone=a rack=r gpus=8 used=6 shares=300,250 sick=1 islands=4,4 cpu=96000 flavor=h100 closed
     * labels=pool:a,disk:ssd taints=dedicated:training:NoSchedule places=2,2 nics=2@0,ib:1@1 nicsUsed=1,0}; see
     * {@link TestRules} and {@link TestNics}. The first two devices are in place 0 then, the next two in place 1. With
     * {@code mig=a100-40gb cut=1g.5gb@0/1g.5gb@5,3g.20gb@4} the first device that is not held is cut into two instances and
     * the next into one.
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
        String mig = words.text("mig");
        List<Integer> cut = cut(words, mig);
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
                used(words, gpus, cut),
                units(words, gpus, cut),
                islands(words, gpus),
                mig,
                TestRules.traits(words),
                places(words, gpus),
                TestNics.of(words.list("nics"), words.list("nicsUsed")));
        words.nothingElse();
        return node;
    }

    private static List<Integer> cut(Words words, @Nullable String mig) {
        List<Integer> cut = new ArrayList<>();
        for (String device : words.list("cut")) {
            int units = 0;
            for (String instance : device.split("/")) {
                String[] parts = instance.split("@");
                MigProfile profile = MigLayouts.ALL
                        .get(MigLayouts.layoutNumber(mig))
                        .profile(parts[0])
                        .orElseThrow();
                units |= new MigInstance(parts[0], Integer.parseInt(parts[1]), profile.units()).bits();
            }
            cut.add(units);
        }
        return cut;
    }

    /** Devices that are held wholly come first, then shares, then those that are cut. */
    private static List<Integer> units(Words words, int gpus, List<Integer> cut) {
        List<Integer> units = new ArrayList<>();
        while (units.size() < words.number("used", 0) + words.list("shares").size()) {
            units.add(0);
        }
        units.addAll(cut);
        while (units.size() < gpus) {
            units.add(0);
        }
        return units;
    }

    private static List<Integer> used(Words words, int gpus, List<Integer> cut) {
        List<Integer> used = new ArrayList<>();
        for (long i = words.number("used", 0); i > 0; i--) {
            used.add(1_000);
        }
        words.list("shares").forEach(share -> used.add(Integer.parseInt(share)));
        cut.forEach(units -> used.add(Integer.bitCount(units) * MigLayout.UNIT_MILLI));
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

    private static List<String> places(Words words, int gpus) {
        List<String> places = new ArrayList<>();
        int place = 0;
        for (String size : words.list("places")) {
            places.addAll(Collections.nCopies(Integer.parseInt(size), Integer.toString(place)));
            place++;
        }
        while (places.size() < gpus) {
            places.add("");
        }
        return places;
    }

    int free(int device) {
        return Math.max(0, 1_000 - used.get(device));
    }
}
