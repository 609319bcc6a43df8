package dev.tutti.boot.loops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.boot.loops.TopologySettings.Level;
import dev.tutti.model.fleet.TopologyLevels;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;

class TopologySettingsTest {

    private static final List<String> LABELS = List.of("example.com/rack");

    static Stream<List<Level>> badLevels() {
        return Stream.of(
                null,
                List.of(level(null, LABELS)),
                List.of(level("", LABELS)),
                List.of(level("../x", LABELS)),
                List.of(level("hostname", LABELS)),
                List.of(level("cluster", LABELS)),
                List.of(level("rack", LABELS), level("rack", LABELS)),
                List.of(level("rack", null)),
                List.of(level("rack", List.of())),
                List.of(level("rack", Arrays.asList("", " "))));
    }

    @ParameterizedTest
    @MethodSource("badLevels")
    void badLevelsEndTheStartWithTheSettingsName(List<Level> levels) {
        assertThatThrownBy(() -> new TopologySettings(levels).toLevels())
                .isInstanceOfSatisfying(
                        FailureAnalyzedException.class,
                        failure ->
                                assertThat(failure.analysis().getDescription()).startsWith("tutti.topology.levels"));
    }

    @Test
    void goodLevelsKeepTheirOrder() {
        assertThat(new TopologySettings(List.of(level("zone", LABELS), level("rack", LABELS)))
                        .toLevels()
                        .names())
                .containsExactly("cluster", "zone", "rack", "hostname");
    }

    @Test
    void theZoneIsCrossedOnlyWhenAskedFor() throws IOException {
        TopologyLevels levels = levelsOf("application.yaml");
        assertThat(levels.names()).containsExactly("cluster", "zone", "fabric", "block", "rack", "nvlink", "hostname");
        assertThat(levels.boundary()).isEqualTo(levels.depthOf("zone"));
        assertThat(new TopologySettings(List.of(level("rack", LABELS)))
                        .toLevels()
                        .boundary())
                .as("a level of one's own may be crossed if nothing else is said")
                .isZero();
    }

    /** Widest first: zone, fabric, block, rack, nvlink. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "topograph, tiers | fabric.topograph.run/tier-2=core fabric.topograph.run/tier-1=spine"
                        + " fabric.topograph.run/tier-0=leaf accelerator.topograph.run/domain=nvl | ,core,spine,leaf,nvl",
                "topograph, switches | network.topology.nvidia.com/core=core network.topology.nvidia.com/spine=spine"
                        + " network.topology.nvidia.com/leaf=leaf network.topology.nvidia.com/accelerator=nvl"
                        + " | ,core,spine,leaf,nvl",
                "topograph, first | network.topology.nvidia.com/datacenter=dc network.topology.nvidia.com/spine=spine"
                        + " network.topology.nvidia.com/block=leaf nvidia.com/gpu.clique=c.1 | ,dc,spine,leaf,c.1",
                "Kueue, KAI | cloud.provider.com/topology-block=b cloud.provider.com/topology-rack=r | ,,b,r,",
                "GKE | topology.kubernetes.io/zone=z cloud.google.com/gce-topology-block=b"
                        + " cloud.google.com/gce-topology-subblock=s | z,,b,s,",
                "EKS | topology.kubernetes.io/zone=z topology.k8s.aws/network-node-layer-1=l1"
                        + " topology.k8s.aws/network-node-layer-2=l2 topology.k8s.aws/network-node-layer-3=l3"
                        + " topology.k8s.aws/ultraserver-id=u | z,l1,l2,l3,u",
                "OKE | oci.oraclecloud.com/rdma.hpc_island_id=i oci.oraclecloud.com/rdma.network_block_id=n"
                        + " oci.oraclecloud.com/rdma.local_block_id=l | ,i,n,l,",
                "CoreWeave | backend.coreweave.cloud/fabric=f backend.coreweave.cloud/superpod=s"
                        + " backend.coreweave.cloud/leafgroup=l ds.coreweave.com/nvlink.domain=n | ,f,s,l,n",
                "simulated | topology.kubernetes.io/zone=z network.topology.nvidia.com/block=b"
                        + " network.topology.nvidia.com/rack=r | z,,b,r,",
                "none | kubernetes.io/hostname=n | ,,,,",
            })
    void theDefaultsKnowTheLabelsOfTheField(String system, String labels, String domains) throws IOException {
        Map<String, String> ofNode = new HashMap<>();
        for (String label : labels.split(" ")) {
            ofNode.put(label.split("=")[0], label.split("=")[1]);
        }
        assertThat(levelsOf("application.yaml").domainsOf(ofNode)).as(system).containsExactly(domains.split(",", -1));
    }

    @Test
    void theExampleOfTheManualCanBeUsed() throws IOException {
        String manual = Files.readString(Path.of("docs/topology.md"));
        String yaml = manual.substring(manual.indexOf("```yaml\n") + 8);
        Resource example =
                new ByteArrayResource(yaml.substring(0, yaml.indexOf("```")).getBytes(StandardCharsets.UTF_8));
        TopologyLevels levels = levelsOf(example);
        assertThat(levels.names()).containsExactly("cluster", "site", "hall", "row", "rack", "hostname");
        assertThat(levels.boundary()).isEqualTo(levels.depthOf("hall"));
    }

    private static TopologyLevels levelsOf(String file) throws IOException {
        return levelsOf(new ClassPathResource(file));
    }

    private static TopologyLevels levelsOf(Resource yaml) throws IOException {
        List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("yaml", yaml);
        return new Binder(ConfigurationPropertySources.from(sources))
                .bind("tutti.topology", TopologySettings.class)
                .get()
                .toLevels();
    }

    private static Level level(String name, List<String> labels) {
        return new Level(name, labels, null);
    }
}
