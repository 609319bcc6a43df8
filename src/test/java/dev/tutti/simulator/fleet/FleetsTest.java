package dev.tutti.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FleetsTest {

    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String BLOCK = "network.topology.nvidia.com/block";
    private static final String RACK = "network.topology.nvidia.com/rack";

    @TempDir
    Path folder;

    @Test
    void theDefaultFleetHasFourFlavorsOn128Nodes() {
        List<NodeSpec> fleet = Fleets.named("default");

        assertThat(fleet)
                .hasSize(128)
                .allSatisfy(node -> assertThat(node.gpus()).isEqualTo(8));
        assertThat(gpusByFlavor(fleet)).isEqualTo(Map.of("h100-sxm", 640, "a100-sxm-80g", 192, "l40s", 128, "a10", 64));
    }

    @Test
    void itsIslandsAreWholeNodesHalvesOrSingleGpus() {
        Map<String, Set<Integer>> islands = new TreeMap<>();
        Fleets.named("default")
                .forEach(node -> islands.computeIfAbsent(node.flavor(), k -> new HashSet<>())
                        .add(new HashSet<>(node.islands()).size()));

        assertThat(islands)
                .isEqualTo(Map.of(
                        "h100-sxm", Set.of(1), "a100-sxm-80g", Set.of(1, 2), "l40s", Set.of(8), "a10", Set.of(8)));
    }

    @ParameterizedTest
    @CsvSource({"default,1024,2", "10k,10000,2", "100k,100000,4"})
    void namedFleetsHaveTheirSizeAndASoundTopology(String name, int gpus, int zones) {
        List<NodeSpec> fleet = Fleets.named(name);

        assertThat(fleet.stream().mapToInt(NodeSpec::gpus).sum()).isEqualTo(gpus);
        assertThat(fleet).extracting(NodeSpec::name).doesNotHaveDuplicates();
        assertThat(fleet).extracting(node -> node.labels().get(ZONE)).doesNotContainNull();
        assertThat(new HashSet<>(labels(fleet, ZONE))).hasSize(zones);
        assertThat(parents(fleet, RACK, BLOCK))
                .allSatisfy((rack, blocks) -> assertThat(blocks).hasSize(1));
        assertThat(parents(fleet, BLOCK, ZONE))
                .allSatisfy((block, zonesOf) -> assertThat(zonesOf).hasSize(1));
        assertThat(count(fleet, RACK))
                .allSatisfy((rack, nodes) -> assertThat(nodes).isBetween(1, 4));
        assertThat(count(fleet, BLOCK))
                .allSatisfy((block, nodes) -> assertThat(nodes).isBetween(1, 16));
    }

    @Test
    void nodesCarryTheLabelsOfRealOnes() {
        assertThat(Fleets.named("default").get(0).labels())
                .containsEntry("kubernetes.io/hostname", "h100-sxm-00001")
                .containsEntry("nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3")
                .containsEntry("nvidia.com/gpu.memory", "81559")
                .containsEntry("nvidia.com/gpu.count", "8")
                .containsEntry(ZONE, "eu-west-a")
                .containsEntry(BLOCK, "eu-west-a-b1")
                .containsEntry(RACK, "eu-west-a-b1-r1");
    }

    @Test
    void theSameNameGivesTheSameFleet() {
        assertThat(Fleets.named("10k")).isEqualTo(Fleets.named(" 10k "));
    }

    @Test
    void aSmallFleetIsOneLine() {
        List<NodeSpec> fleet = Fleets.named("nodes=3,gpus=4,flavor=l40s");

        assertThat(fleet).hasSize(3).allSatisfy(node -> {
            assertThat(node.flavor()).isEqualTo("l40s");
            assertThat(node.islands()).containsExactly(0, 1, 2, 3);
        });
        assertThat(Fleets.named("nodes=2"))
                .hasSize(2)
                .allSatisfy(node -> assertThat(node.gpus()).isEqualTo(8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nodes=",
                "nodes=0",
                "nodes=-1",
                "nodes=1.5",
                "nodes=9223372036854775808",
                "nodes=1,gpus=65",
                "nodes=1,gpus=0",
                "nodes=1,nodes=2",
                "nodes=1,color=red",
                "nodes=1,",
                "nodes=1,flavor=h900"
            })
    void anOddSmallFleetIsRefusedWithWhatToGive(String text) {
        assertThatThrownBy(() -> Fleets.named(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Give ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "defualt", "1k", "/no/such/file", "\0"})
    void anUnknownFleetIsRefusedWithAllThatOneCanGive(String text) {
        assertThatThrownBy(() -> Fleets.named(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("There is no fleet")
                .hasMessageContaining("default, 10k, 100k")
                .hasMessageContaining("sn,cpu_milli,memory_mib,gpu,model");
    }

    @Test
    void aFileHasOneNodeALine() throws IOException {
        Path file = file(
                "\uFEFFsn,cpu_milli,memory_mib,gpu,model\r\nnode-0000,64000,262144,2,P100\r\n\nnode-1,96000,1,0,\n");

        assertThat(Fleets.named(file.toString()))
                .containsExactly(
                        new NodeSpec(
                                "node-0000",
                                "p100",
                                "P100",
                                16_280,
                                64_000,
                                262_144,
                                1_001,
                                List.of(),
                                List.of(0, 1),
                                Map.of(
                                        "kubernetes.io/hostname",
                                        "node-0000",
                                        "nvidia.com/gpu.product",
                                        "P100",
                                        "nvidia.com/gpu.count",
                                        "2")),
                        new NodeSpec(
                                "node-1",
                                "cpu",
                                "",
                                0,
                                96_000,
                                1,
                                1_001,
                                List.of(),
                                List.of(),
                                Map.of("kubernetes.io/hostname", "node-1")));
    }

    @Test
    void columnsMayStandInAnyOrder() throws IOException {
        Path file = file("model,extra,gpu,memory_mib,cpu_milli,sn\nV100M32,x,8,786432,96000,a\n");

        assertThat(Fleets.named(file.toString())).singleElement().satisfies(node -> {
            assertThat(node.flavor()).isEqualTo("v100m32");
            assertThat(node.cpuMilli()).isEqualTo(96_000);
            assertThat(node.gpus()).isEqualTo(8);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a,1000,1000,-1,T4",
                "a,1000,1000,1.5,T4",
                "a,1000,1000,NaN,T4",
                "a,1000,1000,65,T4",
                "a,9223372036854775808,1000,1,T4",
                "a,0,1000,1,T4",
                "a,1000,,1,T4",
                "a,1000,1000,1,",
                "a,1000,1000,1,---",
                "a,1000,1000",
                "../x,1000,1000,1,T4",
                "A,1000,1000,1,T4",
                ",1000,1000,1,T4"
            })
    void aLineThatMakesNoSenseIsNamed(String line) throws IOException {
        Path file = file("sn,cpu_milli,memory_mib,gpu,model\ngood,1000,1000,1,T4\n" + line + "\n");

        assertThatThrownBy(() -> Fleets.named(file.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "sn,cpu_milli,memory_mib,gpu,model\n",
                "sn,cpu,memory_mib,gpu,model\na,1,1,0,\n",
                "sn,cpu_milli,memory_mib,gpu,model\na,1,1,0,\na,1,1,0,\n"
            })
    void aFileThatMakesNoSenseIsRefused(String text) throws IOException {
        Path file = file(text);

        assertThatThrownBy(() -> Fleets.named(file.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void aMissingOrBinaryFileIsRefused() throws IOException {
        assertThatThrownBy(() -> Fleets.named(folder.resolve("none.csv").toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be read");
        Path binary = Files.write(folder.resolve("binary.csv"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        assertThatThrownBy(() -> Fleets.named(binary.toString())).isInstanceOf(IllegalArgumentException.class);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("fleet.csv"), text);
    }

    private static Map<String, Integer> gpusByFlavor(List<NodeSpec> fleet) {
        Map<String, Integer> gpus = new HashMap<>();
        fleet.forEach(node -> gpus.merge(node.flavor(), node.gpus(), Integer::sum));
        return gpus;
    }

    private static List<String> labels(List<NodeSpec> fleet, String key) {
        return fleet.stream().map(node -> node.labels().get(key)).toList();
    }

    private static Map<String, Set<String>> parents(List<NodeSpec> fleet, String key, String parent) {
        Map<String, Set<String>> parents = new HashMap<>();
        fleet.forEach(node -> parents.computeIfAbsent(node.labels().get(key), k -> new HashSet<>())
                .add(node.labels().get(parent)));
        return parents;
    }

    private static Map<String, Integer> count(List<NodeSpec> fleet, String key) {
        Map<String, Integer> counts = new HashMap<>();
        fleet.forEach(node -> counts.merge(node.labels().get(key), 1, Integer::sum));
        return counts;
    }
}
