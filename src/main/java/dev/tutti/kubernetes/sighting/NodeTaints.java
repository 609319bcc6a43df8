package dev.tutti.kubernetes.sighting;

import dev.tutti.model.fleet.TaintEffect;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a node's taints. One whose effect nobody knows keeps nobody out, as in Kubernetes, and is a warning. */
final class NodeTaints {

    /** Taints that are read; a node with more is closed, because the others are not known. */
    static final int MOST = 64;

    private static final int VALUE = 63;

    private NodeTaints() {}

    static List<dev.tutti.model.fleet.Taint> of(Node node, Warnings warnings) {
        List<dev.tutti.model.fleet.Taint> taints = new ArrayList<>();
        for (Taint taint : raw(node).stream().limit(MOST).toList()) {
            String effect = Texts.bounded(taint.getEffect(), 64);
            Optional<TaintEffect> known = TaintEffect.of(effect);
            if (known.isEmpty() || taint.getKey() == null) {
                warnings.add("has a taint " + Texts.bounded(taint.getKey(), 64) + " of the unknown effect \"" + effect
                        + "\"");
            } else {
                taints.add(new dev.tutti.model.fleet.Taint(
                        Texts.identity(taint.getKey(), NodeMapper.KEY),
                        Texts.identity(taint.getValue(), VALUE),
                        known.get()));
            }
        }
        return taints;
    }

    /** Whether its taints close the node to all pods, whatever they tolerate. */
    static boolean close(Node node, List<dev.tutti.model.fleet.Taint> taints) {
        return raw(node).size() > MOST
                || taints.stream().anyMatch(taint -> taint.bars() && dev.tutti.model.fleet.Taint.isState(taint.key()));
    }

    private static List<Taint> raw(Node node) {
        List<Taint> taints = node.getSpec() == null ? null : node.getSpec().getTaints();
        return taints == null ? List.of() : taints;
    }
}
