package dev.tutti.kubernetes.sighting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.fleet.NicGroup;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.NodeSighting.Device;
import dev.tutti.model.fleet.Taint;
import dev.tutti.model.fleet.TaintEffect;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Odd labels and numbers become warnings; the node stays. */
class NodeMapperTest {

    private static final Map<String, String> H100 =
            Map.of(Keys.GPU_PRODUCT, "NVIDIA-H100-80GB-HBM3", Keys.GPU_MEMORY, "81559", Keys.GPU_COUNT, "8");
    private static final Map<String, String> EIGHT = Map.of(
            "cpu", "96", "memory", "1056784252Ki", "pods", "110", Keys.GPU, "8", "rdma/hca_a", "4", "rdma/hca_b", "4");

    @Test
    void aHealthyNodeReadsExactly() {
        NodeSighting node = sighting(H100, EIGHT, EIGHT);

        assertThat(node.flavor()).isEqualTo("nvidia-h100-80gb-hbm3");
        assertThat(node.gpuModel()).isEqualTo("NVIDIA-H100-80GB-HBM3");
        assertThat(node.gpuMemoryMib()).isEqualTo(81_559);
        assertThat(node.cpuMilli()).isEqualTo(96_000);
        assertThat(node.memoryMib()).isEqualTo(1_056_784_252L / 1_024);
        assertThat(node.podSlots()).isEqualTo(110);
        assertThat(node.nics()).containsExactly(new NicGroup("rdma/hca_a", "", 4), new NicGroup("rdma/hca_b", "", 4));
        assertThat(node.devices()).hasSize(8).allMatch(Device::healthy).allMatch(device -> device.uuid() == null);
        assertThat(node.ready()).isTrue();
        assertThat(node.schedulable()).isTrue();
        assertThat(node.bootId()).isEqualTo("boot-1");
        assertThat(node.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "NVIDIA-A100-SXM4-80GB, nvidia-a100-sxm4-80gb",
        "nvidia a100/sxm4  80gb, nvidia-a100-sxm4-80gb",
        "AMD Instinct MI250X / MI250, amd-instinct-mi250x-mi250",
        "TITAN X (Pascal), titan-x-pascal",
        "'///', unknown",
        "'', unknown",
        "CPU, unknown",
        "图形处理器, unknown",
        "../../etc/passwd, etc-passwd",
        "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgg-hhhh, "
                + "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgg"
    })
    void oneRuleLeadsFromProductToFlavor(String product, String flavor) {
        assertThat(FlavorNames.of(product)).isEqualTo(flavor);
        assertThat(sighting(with(H100, Keys.GPU_PRODUCT, product), EIGHT, EIGHT).flavor())
                .isEqualTo(flavor);
    }

    @Test
    void missingLabelsAreUnknownWithAWarningEach() {
        NodeSighting node = sighting(Map.of(), EIGHT, EIGHT);

        assertThat(node.flavor()).isEqualTo("unknown");
        assertThat(node.gpuMemoryMib()).isZero();
        assertThat(node.devices()).hasSize(8).allMatch(Device::healthy);
        assertThat(node.warnings())
                .containsExactly("label nvidia.com/gpu.product is missing", "label nvidia.com/gpu.memory is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "-1", "0", "1e9", "99999999999999999999", "80 GB", "../x"})
    void aMemoryLabelThatIsNoNumberIsUnknown(String memory) {
        NodeSighting node = sighting(with(H100, Keys.GPU_MEMORY, memory), EIGHT, EIGHT);

        assertThat(node.gpuMemoryMib()).isZero();
        assertThat(node.devices()).hasSize(8);
        assertThat(node.warnings()).singleElement().asString().contains(memory);
    }

    @Test
    void allocatableSaysHowManySlotsAreHealthy() {
        NodeSighting node = sighting(H100, EIGHT, with(EIGHT, Keys.GPU, "5"));

        assertThat(node.devices()).hasSize(8);
        assertThat(node.devices().stream().filter(Device::healthy)).hasSize(5);
    }

    @Test
    void theCountLabelNeverBeatsWhatIsOffered() {
        NodeSighting node = sighting(H100, with(EIGHT, Keys.GPU, "4"), with(EIGHT, Keys.GPU, "4"));

        assertThat(node.devices()).hasSize(4).allMatch(Device::healthy);
        assertThat(node.warnings()).singleElement().asString().contains("but it has 4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "-5Gi", "1e99", "999999999999999999999999999999", "99999999Ei", "abc", "", "1e-999"})
    void numbersThatCannotBeCountAsNothing(String amount) {
        Map<String, String> odd =
                Map.of("cpu", amount, "memory", amount, "pods", amount, Keys.GPU, amount, "rdma/x", amount);

        NodeSighting node = sighting(Map.of(), odd, odd);

        assertThat(node.cpuMilli()).isZero();
        assertThat(node.memoryMib()).isZero();
        assertThat(node.podSlots()).isZero();
        assertThat(node.nics()).isEmpty();
        assertThat(node.devices()).isEmpty();
        assertThat(node.warnings()).isNotEmpty().allMatch(warning -> warning.length() <= 200);
    }

    @Test
    void aHugeNumberOfGpusIsBounded() {
        NodeSighting node = sighting(H100, with(EIGHT, Keys.GPU, "2000000000"), with(EIGHT, Keys.GPU, "2000000000"));

        assertThat(node.devices()).hasSize(64);
        assertThat(node.warnings()).anyMatch(warning -> warning.contains("2000000000"));
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia.com/gpu.replicas, 4",
        "nvidia.com/gpu.sharing-strategy, time-slicing",
        "nvidia.com/gpu.sharing-strategy, mps"
    })
    void sharesUnderTheNameOfWholeGpusAreNotOffered(String label, String value) {
        NodeSighting node = sighting(with(H100, label, value), EIGHT, EIGHT);

        assertThat(node.devices()).hasSize(8).noneMatch(Device::healthy);
        assertThat(node.warnings()).anyMatch(warning -> warning.contains("shares of GPUs"));
    }

    @Test
    void slicesUnderTheNameOfWholeGpusAreNotOffered() {
        Map<String, String> labels =
                with(with(H100, Keys.MIG_STRATEGY, "single"), Keys.GPU_PRODUCT, "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb");

        assertThat(sighting(labels, EIGHT, EIGHT).devices()).noneMatch(Device::healthy);
        assertThat(sighting(with(H100, Keys.MIG_STRATEGY, "single"), EIGHT, EIGHT)
                        .devices())
                .allMatch(Device::healthy);
    }

    @Test
    void aNodeWithoutGpusIsOfTheCpuFlavor() {
        Map<String, String> small = Map.of("cpu", "3920m", "memory", "15Gi", "pods", "58");

        NodeSighting node = sighting(Map.of(), small, small);

        assertThat(node.flavor()).isEqualTo("cpu");
        assertThat(node.cpuMilli()).isEqualTo(3_920);
        assertThat(node.memoryMib()).isEqualTo(15_360);
        assertThat(node.warnings()).isEmpty();
    }

    @Test
    void aPluginThatRestartsTakesTheGpusAndNotTheFlavor() {
        NodeSighting node = sighting(H100, with(EIGHT, Keys.GPU, "0"), with(EIGHT, Keys.GPU, "0"));

        assertThat(node.flavor()).isEqualTo("nvidia-h100-80gb-hbm3");
        assertThat(node.devices()).isEmpty();
        assertThat(node.warnings()).isNotEmpty();
    }

    @Test
    void anotherVendorsDevicesAreNamedAndNotUsed() {
        NodeSighting node = sighting(H100, EIGHT, with(EIGHT, "amd.com/gpu", "8"));

        assertThat(node.devices()).hasSize(8);
        assertThat(node.warnings()).containsExactly("offers amd.com/gpu, which is not used");
    }

    @ParameterizedTest
    @CsvSource({
        "node.kubernetes.io/not-ready, NoSchedule, false",
        "node.kubernetes.io/unreachable, NoExecute, false",
        "node.kubernetes.io/memory-pressure, PreferNoSchedule, true",
        "node.cloudprovider.kubernetes.io/uninitialized, NoSchedule, false",
        "team, NoExecute, true",
        "team, PreferNoSchedule, true",
        "nvidia.com/gpu, NoSchedule, true"
    })
    void onlyTaintsOfItsStateCloseANodeToAll(String key, String effect, boolean schedulable) {
        Node node = node(H100, EIGHT, EIGHT)
                .editSpec()
                .addNewTaint()
                .withKey(key)
                .withEffect(effect)
                .endTaint()
                .endSpec()
                .build();

        assertThat(NodeMapper.sighting(node).schedulable()).isEqualTo(schedulable);
        assertThat(NodeMapper.sighting(node).taints())
                .singleElement()
                .isEqualTo(new Taint(key, "", TaintEffect.of(effect).orElseThrow()));
    }

    @Test
    void oddTaintsAreWarnings() {
        Node node = node(H100, EIGHT, EIGHT)
                .editSpec()
                .addNewTaint("Sometimes", "team", null, "nlp")
                .addNewTaint(null, "team", null, "nlp")
                .addNewTaint("NoExecute", "team", null, "nlp")
                .endSpec()
                .build();

        NodeSighting seen = NodeMapper.sighting(node);

        assertThat(seen.taints()).containsExactly(new Taint("team", "nlp", TaintEffect.NO_EXECUTE));
        assertThat(seen.schedulable()).isTrue();
        assertThat(seen.warnings())
                .containsExactly(
                        "has a taint team of the unknown effect \"Sometimes\"",
                        "has a taint team of the unknown effect \"\"");
    }

    @Test
    void aNodeWithMoreTaintsThanAreReadIsClosed() {
        NodeBuilder node = node(H100, EIGHT, EIGHT);
        for (int i = 0; i <= NodeTaints.MOST; i++) {
            node.editSpec().addNewTaint("NoSchedule", "team" + i, null, "").endSpec();
        }

        NodeSighting seen = NodeMapper.sighting(node.build());

        assertThat(seen.taints()).hasSize(NodeTaints.MOST);
        assertThat(seen.schedulable()).isFalse();
    }

    @Test
    void cordonedAndVanishingNodesTakeNothing() {
        Node cordoned = node(H100, EIGHT, EIGHT)
                .editSpec()
                .withUnschedulable(true)
                .endSpec()
                .build();
        Node going = node(H100, EIGHT, EIGHT)
                .editMetadata()
                .withDeletionTimestamp("2026-01-01T00:00:00Z")
                .endMetadata()
                .build();

        assertThat(NodeMapper.sighting(cordoned).schedulable()).isFalse();
        assertThat(NodeMapper.sighting(going).schedulable()).isFalse();
        assertThat(NodeMapper.sighting(going).deleted()).isFalse();
        assertThat(NodeMapper.deleted(NodeMapper.sighting(going)).deleted()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"False", "Unknown", "true", ""})
    void onlyTrueIsReady(String status) {
        Node node = node(H100, EIGHT, EIGHT)
                .editStatus()
                .withConditions()
                .addNewCondition()
                .withType("Ready")
                .withStatus(status)
                .endCondition()
                .endStatus()
                .build();

        assertThat(NodeMapper.sighting(node).ready()).isFalse();
    }

    @Test
    void anEmptyNodeIsStillANode() {
        Node bare =
                new NodeBuilder().withNewMetadata().withName("n").endMetadata().build();

        NodeSighting node = NodeMapper.sighting(bare);

        assertThat(node.name()).isEqualTo("n");
        assertThat(node.ready()).isFalse();
        assertThat(node.devices()).isEmpty();
    }

    @Test
    void aLabelWithoutAValueDoesNoHarm() {
        Map<String, String> labels = new HashMap<>(H100);
        labels.put("strange", null);

        assertThat(sighting(labels, EIGHT, EIGHT).labels()).containsEntry("strange", "");
    }

    @Test
    @DisplayName("B49 text of a node that the database cannot hold is shown without it, and the node stays")
    void textThatNoDatabaseHoldsIsCleaned() {
        Map<String, String> labels = new HashMap<>(H100);
        labels.put("note", "a\u0000b\ud800");
        Node node = new NodeBuilder()
                .withNewMetadata()
                .withName("n1")
                .withUid("uid-1")
                .withLabels(labels)
                .endMetadata()
                .withNewStatus()
                .withNewNodeInfo()
                .withBootID("boot\u00001" + "x".repeat(1_000))
                .endNodeInfo()
                .endStatus()
                .build();

        NodeSighting seen = NodeMapper.sighting(node);

        assertThat(seen.labels()).containsEntry("note", "a b");
        assertThat(seen.bootId()).startsWith("boot 1x").hasSize(256);
    }

    @ParameterizedTest(name = "B49 a name that no node can have is made fit, equals no other, and takes nothing: {0}")
    @ValueSource(strings = {"n1\u0000", " n1", "N1", "n\ud800", "", "../n1", "n1-", "训练"})
    void aNameThatNoNodeCanHave(String name) {
        NodeSighting seen = NodeMapper.sighting(node(H100, EIGHT, EIGHT)
                .editMetadata()
                .withName(name)
                .endMetadata()
                .build());

        assertThat(seen.schedulable()).isFalse();
        assertThat(seen.warnings()).contains("has a name that no node can have; nothing starts there");
        assertThat(seen.name()).isNotEqualTo("n1").doesNotContain("\u0000", "\ud800");
    }

    @Test
    @DisplayName("B49 keys of labels and taints that are none do not come through")
    void keysThatAreNone() {
        Node node = node(with(H100, "a\u0000", "v"), EIGHT, EIGHT)
                .editSpec()
                .addNewTaint("NoSchedule", "a\u0000", null, "b\ud800")
                .endSpec()
                .build();
        String name = "x".repeat(400);
        NodeSighting seen = NodeMapper.sighting(node);
        NodeSighting named = NodeMapper.sighting(new NodeBuilder(node)
                .editMetadata()
                .withName(name)
                .withLabels(with(H100, name, "v"))
                .endMetadata()
                .build());

        assertThat(seen.labels()).isEqualTo(H100);
        assertThat(seen.warnings()).containsExactly("has a label under a key that no label can have; it is not read");
        assertThat(seen.taints())
                .singleElement()
                .satisfies(taint -> assertThat(taint.key() + taint.value()).doesNotContain("\u0000", "\ud800"));
        assertThat(named.labels()).isEqualTo(H100);
        assertThat(named.name()).hasSizeLessThan(270);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1000",
        "0.5, 500",
        "1500m, 1500",
        "1e3, 1000000",
        "1.9999, 1999",
        "2k, 2000000",
        "123456u, 123",
        ".5, 500"
    })
    void quantitiesAreExactAndRoundDown(String text, long milli) {
        assertThat(Quantities.floor(text, Quantities.MILLI, Long.MAX_VALUE)).hasValue(milli);
    }

    private static NodeSighting sighting(
            Map<String, String> labels, Map<String, String> capacity, Map<String, String> allocatable) {
        return NodeMapper.sighting(node(labels, capacity, allocatable).build());
    }

    private static NodeBuilder node(
            Map<String, String> labels, Map<String, String> capacity, Map<String, String> allocatable) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n1")
                .withUid("u1")
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withTaints(List.of())
                .endSpec()
                .withNewStatus()
                .withCapacity(quantities(capacity))
                .withAllocatable(quantities(allocatable))
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .withNewNodeInfo()
                .withBootID("boot-1")
                .endNodeInfo()
                .endStatus();
    }

    private static Map<String, Quantity> quantities(Map<String, String> amounts) {
        Map<String, Quantity> quantities = new TreeMap<>();
        amounts.forEach((name, amount) -> {
            Quantity quantity = new Quantity();
            quantity.setAmount(amount);
            quantities.put(name, quantity);
        });
        return quantities;
    }

    private static Map<String, String> with(Map<String, String> map, String key, String value) {
        Map<String, String> more = new TreeMap<>(map);
        more.put(key, value);
        return more;
    }
}
