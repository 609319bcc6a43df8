package dev.tutti.allocator.board;

import dev.tutti.model.fleet.NodeTraits;
import dev.tutti.model.fleet.Taint;
import dev.tutti.model.job.NodeRules;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which nodes the rules of a pod set admit. Nodes with the same taints are judged once, and labels are looked up in an
 * index that is made when the first rules name their key: what nobody selects by costs nothing. Not safe for use by two
 * threads.
 */
public final class Eligibility {

    /** Rules, and label keys, remembered before all are forgotten: bounds memory, however many jobs come and go. */
    private static final int MOST_RULES = 16_384;

    private static final int MOST_KEYS = 64;

    /** Labels and taints of the node at each position. */
    private final NodeTraits[] traits;
    /** Positions of the nodes with the same taints that bar; those without any are left out. */
    private final Map<List<Taint>, BitSet> barred = new HashMap<>();
    /** Positions by value, for every key that was asked for. */
    private final Map<String, Map<String, List<Integer>>> byLabel = new HashMap<>();

    private final Map<NodeRules, NodeSet> byRules = new HashMap<>();
    /** Rules that admit the same nodes share one set. */
    private final Map<BitSet, NodeSet> sets = new HashMap<>();

    Eligibility(int[] node, List<NodeTraits> byNode) {
        traits = new NodeTraits[node.length];
        for (int p = 0; p < node.length; p++) {
            traits[p] = byNode.get(node[p]);
            List<Taint> bars = traits[p].taints().isEmpty() ? List.of() : traits[p].bars();
            if (!bars.isEmpty()) {
                barred.computeIfAbsent(bars, fresh -> new BitSet()).set(p);
            }
        }
    }

    /** Labels and taints of the node at position {@code p}. */
    public NodeTraits traits(int p) {
        return traits[p];
    }

    /** The nodes that these rules admit: mostly one set for the same nodes, {@link NodeSet#ALL} when it is all of them. */
    public NodeSet of(NodeRules rules) {
        NodeSet set = byRules.get(rules);
        if (set == null) {
            if (byRules.size() == MOST_RULES) {
                byRules.clear();
                sets.clear();
            }
            set = find(rules);
            byRules.put(rules, set);
        }
        return set;
    }

    private NodeSet find(NodeRules rules) {
        BitSet found = selected(rules);
        barred.forEach((bars, positions) -> {
            if (!rules.tolerate(bars)) {
                found.andNot(positions);
            }
        });
        return found.cardinality() == traits.length ? NodeSet.ALL : sets.computeIfAbsent(found, NodeSet::of);
    }

    private BitSet selected(NodeRules rules) {
        BitSet found = new BitSet();
        if (rules.selector().isEmpty()) {
            found.set(0, traits.length);
            return found;
        }
        List<Integer> fewest = rules.selector().entrySet().stream()
                .map(wanted -> having(wanted.getKey(), wanted.getValue()))
                .min(Comparator.comparingInt(List::size))
                .orElseThrow();
        for (int p : fewest) {
            if (rules.select(traits[p].labels())) {
                found.set(p);
            }
        }
        return found;
    }

    private List<Integer> having(String key, String value) {
        if (byLabel.size() == MOST_KEYS && !byLabel.containsKey(key)) {
            byLabel.clear();
        }
        return byLabel.computeIfAbsent(key, this::index).getOrDefault(value, List.of());
    }

    private Map<String, List<Integer>> index(String key) {
        Map<String, List<Integer>> positions = new HashMap<>();
        for (int p = 0; p < traits.length; p++) {
            String value = traits[p].labels().get(key);
            if (value != null) {
                positions.computeIfAbsent(value, fresh -> new ArrayList<>(1)).add(p);
            }
        }
        return positions;
    }
}
