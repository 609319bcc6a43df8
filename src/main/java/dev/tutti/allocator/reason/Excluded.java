package dev.tutti.allocator.reason;

import dev.tutti.allocator.board.Layout;
import dev.tutti.allocator.fit.Request;
import dev.tutti.model.FewNames;
import dev.tutti.model.fleet.NodeTraits;
import dev.tutti.model.fleet.Taint;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.PodSet;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * By what the node rules of a pod set exclude all nodes of its flavors: a label that none has, several that none has
 * together, or the taints of all that are selected. Says nothing of what nodes have beside what the rules name.
 */
final class Excluded {

    private final PodSet set;
    private final List<NodeTraits> nodes;

    Excluded(Layout layout, PodSet set) {
        this.set = set;
        this.nodes = Arrays.stream(Request.positions(layout, set))
                .mapToObj(layout.eligibility::traits)
                .toList();
    }

    /** The first of these that is so, without the name of the set. */
    String why() {
        List<Map.Entry<String, String>> wanted = set.nodes().selector().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .toList();
        for (Map.Entry<String, String> label : wanted) {
            List<String> values = values(label.getKey());
            if (!values.contains(label.getValue())) {
                return noNode() + " has the label " + (values.isEmpty() ? label.getKey() : label)
                        + FewNames.of("; values of " + label.getKey() + " there are: ", values);
            }
        }
        List<NodeTraits> selected =
                nodes.stream().filter(node -> set.nodes().select(node.labels())).toList();
        return selected.isEmpty()
                ? noNode() + " has all of the labels "
                        + FewNames.of(wanted.stream().map(Map.Entry::toString).toList())
                : "every node that it could use otherwise has a taint that it does not tolerate: "
                        + FewNames.of(taints(selected));
    }

    private List<String> values(String key) {
        return nodes.stream()
                .map(node -> node.labels().get(key))
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .toList();
    }

    private List<String> taints(List<NodeTraits> selected) {
        return selected.stream()
                .flatMap(node -> node.bars().stream())
                .filter(taint -> !set.nodes().tolerate(List.of(taint)))
                .map(Excluded::words)
                .distinct()
                .sorted()
                .toList();
    }

    private static String words(Taint taint) {
        return taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value()) + ":"
                + taint.effect().word();
    }

    private String noNode() {
        String kind = set.gpus() instanceof GpuRequest.None ? "" : " with GPUs";
        if (set.gpus() instanceof GpuRequest.Mig mig) {
            kind += " for MIG " + mig.profile();
        }
        return "no node" + kind + FewNames.of(" of flavor ", set.flavors());
    }
}
