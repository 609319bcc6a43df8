package dev.tutti.allocator;

import dev.tutti.testkit.scenario.Scenario;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GangScenariosTest {

    @Test
    void aGangStaysOnOneIslandWhenItCan() {
        Scenario.of("a gang stays on one island when it can")
                .fleet("n1 island=A gpus=8 used=6", "n2 island=A gpus=8", "n3 island=B gpus=8")
                .submit("train gpus=8 island=preferred", "eval gpus=2")
                .expect("train -> n2", "eval -> n1");
    }

    @Test
    @DisplayName("B26 packing does not take the only large hole")
    void b26() {
        String[] fleet = {"n1 gpus=2", "n2 gpus=1", "n3 gpus=1"};
        Scenario.of("small pods take small holes")
                .fleet(fleet)
                .submit("a gpus=1 pods=2", "b gpus=2")
                .expect("a -> n2 n3", "b -> n1");
        Scenario.of("kept together on demand")
                .fleet(fleet)
                .submit("a gpus=1 pods=2 preferred=hostname", "b gpus=2")
                .expect("a -> n1 n1", "b waits FRAGMENTED gpuMilli 2000 of 2000");
    }
}
