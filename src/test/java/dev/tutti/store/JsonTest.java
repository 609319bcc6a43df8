package dev.tutti.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.NodeRules;
import dev.tutti.model.PodSet;
import org.junit.jupiter.api.Test;

/** Values stored by earlier versions are still read. */
class JsonTest {

    @Test
    void aPodSetWithoutRulesMayUseAnyNode() {
        String stored =
                "{\"name\": \"worker\", \"count\": 2, \"minCount\": 2, \"gpus\": {\"whole\": 8}, \"flavors\": [],"
                        + " \"cpuMilli\": 0, \"memoryMib\": 0, \"template\": {\"image\": \"busybox\", \"command\": [],"
                        + " \"args\": [], \"env\": {}}}";

        assertThat(Json.read(stored, PodSet.class).nodes()).isEqualTo(NodeRules.NONE);
    }
}
