package dev.tutti.allocator.fleet;

import dev.tutti.model.fleet.TopologyLevels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers the domains of each level, so that two racks of one name in different blocks or clusters stay two: a domain is
 * its whole path.
 *
 * <p>Labels may be missing. A node without a label for a level is there with the nodes that share its next narrower label:
 * nodes of one rack are in one block, whatever the block is called. With no narrower label it is a domain of its own. Only
 * at a level that gangs cross when they ask, all nodes of one parent without a label are one domain: nobody said that they
 * are apart.
 */
public final class Domains {

    private final List<TopologyLevels.Level> levels;
    private final List<Map<Path, Integer>> numbers = new ArrayList<>();
    private final List<List<String>> names = new ArrayList<>();

    public Domains(TopologyLevels levels) {
        this.levels = levels.levels();
        for (int level = 0; level < this.levels.size(); level++) {
            numbers.add(new HashMap<>());
            names.add(new ArrayList<>());
        }
    }

    /**
     * The node's domain at each level, widest first.
     *
     * @param node its name, unique in the cluster
     * @param labels its label at each level, widest first; empty or left out at the end where it has none
     */
    public int[] of(String cluster, String node, List<String> labels) {
        int[] found = new int[levels.size()];
        String parent = "cluster " + cluster;
        for (int level = 0; level < found.length; level++) {
            found[level] = number(level, new Path(parent, own(level, node, labels)));
            parent = "domain " + found[level];
        }
        return found;
    }

    /** Names of the domains of each level, by number; in the order of names they stand in the order of their paths. */
    public List<List<String>> names() {
        return names.stream().map(List::copyOf).toList();
    }

    private String own(int level, String node, List<String> labels) {
        if (!at(labels, level).isEmpty()) {
            return at(labels, level);
        }
        if (levels.get(level).crossing() == TopologyLevels.Crossing.ASKED) {
            return " without a label";
        }
        for (int narrower = level + 1; narrower < levels.size(); narrower++) {
            if (!at(labels, narrower).isEmpty()) {
                return " of " + levels.get(narrower).name() + " " + at(labels, narrower);
            }
        }
        return " of node " + node;
    }

    private static String at(List<String> labels, int level) {
        return level < labels.size() ? labels.get(level) : "";
    }

    private int number(int level, Path path) {
        return numbers.get(level).computeIfAbsent(path, fresh -> {
            names.get(level).add(path.own);
            return names.get(level).size() - 1;
        });
    }

    /** Labels never begin with a blank, so that made-up names are nobody's label. */
    private record Path(String parent, String own) {}
}
