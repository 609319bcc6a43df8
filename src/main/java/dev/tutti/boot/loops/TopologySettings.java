package dev.tutti.boot.loops;

import dev.tutti.model.Names;
import dev.tutti.model.fleet.TopologyLevels;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

/**
 * The levels of the network, widest first. Naming generations and clouds differ, so the label keys are configuration; the
 * defaults know those of the field.
 *
 * @param levels each with the name that jobs use, the node labels that may hold its domain, and when gangs may cross it
 */
@ConfigurationProperties("tutti.topology")
record TopologySettings(@Nullable List<Level> levels) {

    record Level(@Nullable String name, @Nullable List<String> labels, TopologyLevels.@Nullable Crossing crossing) {}

    TopologyLevels toLevels() {
        if (levels == null) {
            throw refused("there are no levels");
        }
        Set<String> names = new HashSet<>(Set.of(TopologyLevels.CLUSTER_LEVEL, TopologyLevels.NODE_LEVEL));
        return new TopologyLevels(
                levels.stream().map(level -> toLevel(level, names)).toList());
    }

    private static TopologyLevels.Level toLevel(Level level, Set<String> names) {
        String name = level.name() == null ? "" : level.name();
        List<String> labels = level.labels() == null ? List.of() : level.labels();
        if (!Names.isDnsLabel(name) || !names.add(name)) {
            throw refused("the name \"" + name
                    + "\" is no DNS label, is there twice or is taken for the cluster or the node");
        }
        if (labels.stream().allMatch(String::isBlank)) {
            throw refused("the level \"" + name + "\" has no labels");
        }
        List<String> keys = labels.stream().filter(label -> !label.isBlank()).toList();
        return new TopologyLevels.Level(
                name, keys, level.crossing() == null ? TopologyLevels.Crossing.FREE : level.crossing());
    }

    private static RuntimeException refused(String why) {
        return new FailureAnalyzedException(
                "tutti.topology.levels cannot be used: " + why + ".",
                "Give each level a name of its own and the node labels that hold it.");
    }
}
