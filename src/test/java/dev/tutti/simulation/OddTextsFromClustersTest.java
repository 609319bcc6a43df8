package dev.tutti.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.kubernetes.sighting.NodeMapper;
import dev.tutti.kubernetes.sighting.PodMapper;
import dev.tutti.model.JobId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.life.JobState;
import dev.tutti.simulator.ClusterTimings;
import dev.tutti.simulator.fleet.NodeSpec;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Clusters that say what no database holds: of nodes and of pods, every loop turning on the real ledger. */
class OddTextsFromClustersTest {

    private static final int SOON = 30;
    private static final List<String> TEXTS = List.of(
            "a\u0000b",
            "\u0000",
            "\ud800",
            "b\udc00\ud800c",
            "\u0001\u0007\u001f\u007f\u0085",
            "x".repeat(1 << 20),
            "\u0000".repeat(1 << 20),
            "训练 🚀",
            "مهمة تدريب",
            "a\u200db",
            "'quotes\"; DROP TABLE nodes; --",
            "\\u0000 {\"a\": [1,",
            "<script>alert(1)</script>",
            "../x",
            "UPPER",
            " n1",
            "n1\u0000");

    private static Stage stage(Database database) {
        List<NodeSpec> nodes = new ArrayList<>(List.of(Stage.node("n1", "h100", 8)));
        for (int i = 0; i < TEXTS.size(); i++) {
            nodes.add(Stage.node("odd" + i, "h100", 1));
        }
        Stage stage = new Stage(database, nodes, ClusterTimings.DEFAULT);
        stage.watched = true;
        return stage;
    }

    /** A node that tells this text wherever it can. */
    private static Node node(String text) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(text)
                .withUid(text)
                .withResourceVersion(text)
                .addToLabels(text, "v")
                .addToLabels("note", text)
                .addToLabels("rack", text)
                .addToLabels("nvidia.com/gpu.product", text)
                .addToLabels("nvidia.com/gpu.memory", text)
                .addToLabels("nvidia.com/gpu.count", text)
                .addToAnnotations(text, text)
                .endMetadata()
                .withNewSpec()
                .addNewTaint("NoSchedule", text, null, text)
                .addNewTaint(text, "team", null, text)
                .endSpec()
                .withNewStatus()
                .addToCapacity("nvidia.com/gpu", new Quantity("1"))
                .addToAllocatable("nvidia.com/gpu", new Quantity("1"))
                .addToAllocatable("cpu", new Quantity(text))
                .addToAllocatable("rdma/" + text, new Quantity("1"))
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withReason(text)
                .withMessage(text)
                .endCondition()
                .addNewCondition()
                .withType(text)
                .withStatus(text)
                .endCondition()
                .withNewNodeInfo()
                .withBootID(text)
                .withKubeletVersion(text)
                .endNodeInfo()
                .endStatus()
                .build();
    }

    /** A pod that tells this text wherever it can, but is who it is by its name, UID, node and phase. */
    private static Pod pod(String name, String uid, String node, String text) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid(uid)
                .withResourceVersion(text)
                .addToLabels(text, text)
                .addToAnnotations(text, text)
                .addToAnnotations("tutti.dev/allocation", text)
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .addNewContainer()
                .withName(text)
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .withReason(text)
                .withMessage(text)
                .addNewCondition()
                .withType(text)
                .withMessage(text)
                .endCondition()
                .addNewContainerStatus()
                .withName(text)
                .withNewState()
                .withNewWaiting(text, text)
                .endState()
                .endContainerStatus()
                .endStatus()
                .build();
    }

    private static int odd(NodeSighting node) {
        return node.name().startsWith("odd") ? Integer.parseInt(node.name().substring(3)) : -1;
    }

    @Test
    @DisplayName("B49 whatever a cluster writes on nodes and pods, all are there, and the others go on, on PostgreSQL")
    void whateverAClusterWritesTheOthersGoOn() {
        SqlDatabase database = new SqlDatabase(World.LEASE);
        try (Stage stage = stage(database)) {
            stage.seesNode = node -> odd(node) < 0 ? node : NodeMapper.sighting(node(TEXTS.get(odd(node))));
            stage.restart();
            JobId job = stage.submit(stage.spec("J", "team", 8, 1, List.of()));
            stage.until(job, JobState.RUNNING, SOON);
            assertThat(stage.podsOf(job)).extracting(PodSighting::node).containsOnly("n1");
            assertThat(database.texts("SELECT name FROM nodes WHERE NOT gone AND ready AND schedulable"))
                    .as("nothing starts on one whose name no node can have")
                    .containsExactly("n1");
            assertThat(database.texts("SELECT DISTINCT name FROM nodes WHERE NOT gone"))
                    .as("none takes the place of another")
                    .hasSize(1 + TEXTS.size());
            assertThat(database.texts("SELECT cardinality(warnings)::text FROM nodes WHERE NOT gone AND name <> 'n1'"))
                    .as("each shows what is odd")
                    .doesNotContain("0");

            for (String text : TEXTS) {
                for (int rank = 0; rank < 2; rank++) {
                    PodSighting real = Objects.requireNonNull(stage.sightings.get(stage.pod(job, rank)));
                    stage.sayAgain(PodMapper.sighting(pod(real.name(), real.uid(), "n1", text)));
                }
                stage.sayAgain(PodMapper.sighting(pod(text, text, text, text)));
                stage.run(1);
            }
            stage.restart();
            stage.run(SOON);
            assertThat(stage.state(job)).isEqualTo(JobState.RUNNING);
            assertThat(stage.of(job).attempt()).isEqualTo(1);
            assertThat(stage.heldMilli()).isEqualTo(8_000);
            for (int rank = 0; rank < 8; rank++) {
                stage.cluster.faults().endContainers(stage.pod(job, rank), 0);
            }
            stage.until(job, JobState.SUCCEEDED, SOON);
            assertThat(stage.used()).isEmpty();
        }
    }

    /** The same sighting with this text as it comes. */
    private static NodeSighting raw(NodeSighting node, String text) {
        return new NodeSighting(
                text,
                text,
                text,
                true,
                true,
                false,
                node.flavor(),
                node.gpuModel(),
                node.gpuMemoryMib(),
                node.cpuMilli(),
                node.memoryMib(),
                node.podSlots(),
                node.nics(),
                Map.of(text, text),
                node.taints(),
                node.devices(),
                List.of(text));
    }

    @Test
    @DisplayName("B49 a node that the database cannot hold is left out, and the others are seen")
    void aNodeThatTheDatabaseCannotHoldIsLeftOut() {
        SqlDatabase database = new SqlDatabase(World.LEASE);
        List<String> refused = List.of("a\u0000b", "\u0000", "\ud800\u0000");
        try (Stage stage = stage(database)) {
            stage.seesNode =
                    node -> odd(node) >= 0 && odd(node) < refused.size() ? raw(node, refused.get(odd(node))) : node;
            stage.cluster.faults().cordon("n1", true);
            stage.restart();
            stage.run(5);
            assertThat(database.texts("SELECT name FROM nodes WHERE NOT gone AND NOT schedulable"))
                    .as("what else is new is seen")
                    .containsExactly("n1");
            stage.cluster.faults().cordon("n1", false);
            JobId job = stage.submit(stage.spec("J", "team", 8, 1, List.of()));
            stage.until(job, JobState.RUNNING, SOON);
        }
    }
}
