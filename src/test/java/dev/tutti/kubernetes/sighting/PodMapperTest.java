package dev.tutti.kubernetes.sighting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.fleet.PodSighting;
import dev.tutti.model.fleet.PodSighting.Phase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An end is read only where the kubelet reported every container terminated (house rule R1). */
class PodMapperTest {

    private static final KubernetesSerialization JSON = new KubernetesSerialization();
    private static final String SPEC =
            "{\"nodeName\":\"n1\",\"restartPolicy\":\"Never\",\"containers\":[{\"name\":\"main\"}]}";
    private static final String TWO = SPEC.replace("}]}", "},{\"name\":\"proxy\"}]}");

    @ParameterizedTest
    @CsvSource({
        "Pending,PENDING",
        "Running,RUNNING",
        "Succeeded,SUCCEEDED",
        "Failed,FAILED",
        "Unknown,UNKNOWN",
        "Odd,UNKNOWN",
        "'',PENDING"
    })
    void phasesAreThoseOfKubernetes(String phase, Phase expected) {
        assertThat(read(SPEC, "{\"phase\":\"" + phase + "\"}").phase()).isEqualTo(expected);
    }

    @Test
    void aTerminatedContainerHasItsExitCode() {
        PodSighting pod = read(SPEC, status("Failed", terminated("main", 137)));

        assertThat(pod.phase()).isEqualTo(Phase.FAILED);
        assertThat(pod.exitCode()).isEqualTo(137);
        assertThat(pod.reason()).isEqualTo("Error");
    }

    @Test
    void theWorstExitCodeCounts() {
        assertThat(read(TWO, status("Failed", terminated("main", 0) + "," + terminated("proxy", 3)))
                        .exitCode())
                .isEqualTo(3);
        assertThat(read(TWO, status("Failed", terminated("main", -1) + "," + terminated("proxy", 0)))
                        .exitCode())
                .isEqualTo(-1);
        assertThat(read(TWO, status("Succeeded", terminated("main", 0) + "," + terminated("proxy", 0)))
                        .exitCode())
                .isZero();
    }

    @Test
    void oneContainerThatIsNotReportedTerminatedHoldsThePod() {
        String running = "{\"name\":\"proxy\",\"state\":{\"running\":{}}}";

        assertThat(read(TWO, status("Running", terminated("main", 0) + "," + running))
                        .exitCode())
                .isNull();
        assertThat(read(TWO, status("Failed", terminated("main", 0))).exitCode())
                .isNull();
        assertThat(read(TWO, status("Failed", terminated("main", 0) + ",{\"name\":\"proxy\"}"))
                        .exitCode())
                .isNull();
    }

    @Test
    void aHelperThatStillRunsHoldsThePod() {
        String status = "{\"phase\":\"Failed\",\"containerStatuses\":[" + terminated("main", 0)
                + "],\"initContainerStatuses\":[{\"name\":\"mesh\",\"state\":{\"running\":{}}}]}";

        assertThat(read(SPEC, status).exitCode()).isNull();
    }

    @Test
    void aPodThatMayStartAgainHasNotEnded() {
        String restarts = SPEC.replace("Never", "Always");

        assertThat(read(restarts, status("Running", terminated("main", 1))).exitCode())
                .isNull();
        assertThat(read(SPEC, status("Running", terminated("main", 1))).exitCode())
                .isEqualTo(1);
    }

    @Test
    void aPhaseAloneProvesNothing() {
        String collected = "{\"phase\":\"Failed\",\"conditions\":[{\"type\":\"DisruptionTarget\",\"status\":\"True\","
                + "\"reason\":\"DeletionByPodGC\"}]}";
        String nodeLost = "{\"phase\":\"Failed\",\"reason\":\"NodeLost\",\"containerStatuses\":["
                + "{\"name\":\"main\",\"state\":{\"running\":{}}}]}";

        for (String status :
                new String[] {collected, nodeLost, "{\"phase\":\"Failed\"}", "{\"phase\":\"Succeeded\"}"}) {
            PodSighting pod = read(SPEC, status);
            assertThat(pod.exitCode()).isNull();
            assertThat(pod.phase()).isNotEqualTo(Phase.REJECTED);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OutOfcpu",
                "OutOfmemory",
                "OutOfpods",
                "OutOfnvidia.com/gpu",
                "UnexpectedAdmissionError",
                "NodeAffinity",
                "TopologyAffinityError",
                "NodeShutdown"
            })
    void aKubeletThatRefusesIsARejection(String reason) {
        PodSighting pod =
                read(SPEC, "{\"phase\":\"Failed\",\"reason\":\"" + reason + "\",\"message\":\"Pod was rejected: no\"}");

        assertThat(pod.phase()).isEqualTo(Phase.REJECTED);
        assertThat(pod.exitCode()).isNull();
        assertThat(pod.reason()).isEqualTo(reason + ": Pod was rejected: no");
    }

    @Test
    void aPodWithASignOfAContainerWasNotRejected() {
        String refused = "{\"phase\":\"Failed\",\"reason\":\"OutOfcpu\",\"containerStatuses\":[%s]}";

        assertThat(read(SPEC, refused.formatted("{\"name\":\"main\",\"containerID\":\"c://1\"}"))
                        .phase())
                .isEqualTo(Phase.FAILED);
        assertThat(read(SPEC, refused.formatted("{\"name\":\"main\",\"restartCount\":1}"))
                        .phase())
                .isEqualTo(Phase.FAILED);
        assertThat(read(SPEC, refused.formatted(terminated("main", 1))).exitCode())
                .isEqualTo(1);
        assertThat(read(SPEC.replace("\"n1\"", "\"\""), refused.formatted("")).phase())
                .isEqualTo(Phase.FAILED);
    }

    @Test
    void aRejectionIsNotReadFromAControllersMark() {
        String status = "{\"phase\":\"Failed\",\"reason\":\"OutOfcpu\",\"conditions\":[{\"type\":\"DisruptionTarget\","
                + "\"status\":\"True\"}]}";

        assertThat(read(SPEC, status).phase()).isEqualTo(Phase.FAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "1.5", "9223372036854775808", "1e3", "42 ", "../x", "٤٢"})
    void nonsenseNamesNoAllocation(String id) {
        assertThat(annotated(id).allocation()).isNull();
    }

    @Test
    void theAllocationIsReadFromItsAnnotation() {
        assertThat(annotated("42").allocation()).hasToString("42");
    }

    @Test
    void anothersPodHasNoAllocation() {
        String theirs = "{\"name\":\"p\",\"uid\":\"u\",\"annotations\":{\"tutti.dev/allocation\":\"42\"}}";

        assertThat(PodMapper.sighting(pod(theirs, SPEC, "{}")).allocation()).isNull();
    }

    @Test
    void whyAPodWaitsIsSaid() {
        String status = "{\"phase\":\"Pending\",\"containerStatuses\":[{\"name\":\"main\",\"state\":{\"waiting\":"
                + "{\"reason\":\"ImagePullBackOff\"}}}]}";

        assertThat(read(SPEC, status).reason()).isEqualTo("ImagePullBackOff");
    }

    @Test
    void whatIsSaidIsBoundedAndWithoutControlCharacters() {
        String status = "{\"phase\":\"Failed\",\"message\":\"a\\u0000b" + "x".repeat(5_000) + "\"}";

        assertThat(read(SPEC, status).reason()).startsWith("a b").hasSizeLessThanOrEqualTo(256);
    }

    @Test
    void anUnboundPodHasNoNode() {
        assertThat(read("{\"containers\":[]}", "{}").node()).isNull();
        assertThat(read("{\"nodeName\":\"\",\"containers\":[]}", "{}").node()).isNull();
        assertThat(read(SPEC, "{}").node()).isEqualTo("n1");
    }

    private static PodSighting annotated(String id) {
        return PodMapper.sighting(pod(
                "{\"name\":\"p\",\"uid\":\"u\",\"labels\":{\"tutti.dev/managed-by\":\"tutti\"},"
                        + "\"annotations\":{\"tutti.dev/allocation\":\"" + id + "\"}}",
                SPEC,
                "{}"));
    }

    private static PodSighting read(String spec, String status) {
        return PodMapper.sighting(pod("{\"name\":\"p\",\"uid\":\"u\"}", spec, status));
    }

    private static Pod pod(String metadata, String spec, String status) {
        return JSON.unmarshal(
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":" + metadata + ",\"spec\":" + spec
                        + ",\"status\":" + status + "}",
                Pod.class);
    }

    private static String status(String phase, String containers) {
        return "{\"phase\":\"" + phase + "\",\"containerStatuses\":[" + containers + "]}";
    }

    private static String terminated(String name, int exitCode) {
        return "{\"name\":\"" + name + "\",\"state\":{\"terminated\":{\"exitCode\":" + exitCode + ",\"reason\":\""
                + (exitCode == 0 ? "Completed" : "Error") + "\"}}}";
    }
}
