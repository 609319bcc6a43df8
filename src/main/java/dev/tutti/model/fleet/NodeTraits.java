package dev.tutti.model.fleet;

import java.util.List;
import java.util.Map;

/**
 * What decides whether a pod set may use a node, beside its flavor and its state.
 *
 * @param labels its labels
 * @param taints its taints, in the order in which the cluster tells them
 */
public record NodeTraits(Map<String, String> labels, List<Taint> taints) {

    public static final NodeTraits NONE = new NodeTraits(Map.of(), List.of());

    public NodeTraits {
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
    }

    /**
     * The taints that keep out pods which do not tolerate them. Those of the node's state are left out, because they
     * close the node to all, and the one of GPU nodes, because every pod tolerates it.
     */
    public List<Taint> bars() {
        return taints.stream()
                .filter(taint -> taint.bars() && !Taint.isState(taint.key()))
                .filter(taint -> !Toleration.OF_GPU_NODES.tolerates(taint))
                .toList();
    }
}
