package dev.tutti.boot.loops;

import dev.tutti.model.TopologyLevels;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The levels of the network, widest first. Naming generations and clouds differ, so the label keys are configuration.
 *
 * @param levels each with the name that jobs use and the node labels that may hold its domain
 */
@ConfigurationProperties("tutti.topology")
record TopologySettings(List<Level> levels) {

    record Level(String name, List<String> labels) {}

    TopologyLevels toLevels() {
        return new TopologyLevels(levels.stream()
                .map(level -> new TopologyLevels.Level(level.name(), level.labels()))
                .toList());
    }
}
