package dev.tutti.web;

import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Jobs whose pod sets callers get wrong. */
final class BadPodSets {

    private BadPodSets() {}

    /** Each with the field that the answer must name. */
    static Stream<Arguments> all() {
        return Stream.of(devices(), amounts(), nodeRules(), affinity(), names()).flatMap(all -> all);
    }

    private static Stream<Arguments> devices() {
        return Stream.of(
                bad("\"gpusPerPod\": -1, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": 1.5, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": 1.0, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": 1e2, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": 129e6, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": 0.0000001, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": 9223372036854775808, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": 65, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": \"0.5\", \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": \"\", \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": \"1Gi\", \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": \" 1\", \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpusPerPod\": true, \"count\": 1,", "podSets[0].gpusPerPod"),
                bad("\"gpuMilli\": -1, \"count\": 1,", "podSets[0].gpuMilli"),
                bad("\"gpuMilli\": 1001, \"count\": 1,", "podSets[0].gpuMilli"),
                bad("\"gpuMilli\": 200, \"gpusPerPod\": 1, \"count\": 1,", "podSets[0].gpuMilli"),
                bad("\"mig\": \"1g.11gb\", \"count\": 1,", "podSets[0].mig"),
                bad("\"mig\": \"1g.10gb+me\", \"count\": 1,", "podSets[0].mig"),
                bad("\"mig\": \"\", \"count\": 1,", "podSets[0].mig"),
                bad("\"mig\": 1, \"count\": 1,", "podSets[0].mig"),
                bad("\"mig\": [\"1g.10gb\"], \"count\": 1,", "podSets[0].mig"),
                bad("\"mig\": \"1g.10gb\", \"gpusPerPod\": 1, \"count\": 1,", "podSets[0].mig"),
                bad("\"mig\": \"1g.10gb\", \"gpuMilli\": 100, \"count\": 1,", "podSets[0].mig"),
                bad("\"rdma\": -1, \"count\": 1,", "podSets[0].rdma"),
                bad("\"rdma\": 17, \"count\": 1,", "podSets[0].rdma"),
                bad("\"rdma\": 1.5, \"count\": 1,", "podSets[0].rdma"),
                bad("\"rdma\": \"two\", \"count\": 1,", "podSets[0].rdma"),
                bad("\"rdma\": true, \"count\": 1,", "podSets[0].rdma"),
                bad("\"rdmaResource\": \"rdma/hca\", \"count\": 1,", "podSets[0].rdmaResource"),
                bad("\"rdma\": 1, \"rdmaResource\": \"hca\", \"count\": 1,", "podSets[0].rdmaResource"),
                bad("\"rdma\": 1, \"rdmaResource\": \"rdma/\", \"count\": 1,", "podSets[0].rdmaResource"),
                bad("\"rdma\": 1, \"rdmaResource\": \"cpu\", \"count\": 1,", "podSets[0].rdmaResource"),
                bad("\"rdma\": 1, \"rdmaResource\": 7, \"count\": 1,", "podSets[0].rdmaResource"));
    }

    private static Stream<Arguments> amounts() {
        return Stream.of(
                bad("\"count\": 0,", "podSets[0].count"),
                bad("\"count\": -1,", "podSets[0].count"),
                bad("\"count\": 20001,", "podSets[0].count"),
                bad("", "podSets[0].count"),
                bad("\"count\": null,", "podSets[0].count"),
                bad("\"count\": 2, \"minCount\": 3,", "podSets[0].minCount"),
                bad("\"count\": 2, \"minCount\": 0,", "podSets[0].minCount"),
                bad("\"count\": 1, \"cpuMilli\": -1,", "podSets[0].cpuMilli"),
                bad("\"count\": 1, \"memoryMib\": 18446744073709551616,", "podSets[0].memoryMib"),
                bad("\"count\": 1, \"flavors\": [\"no-such-flavor\"],", "podSets[0].flavors[0]"),
                bad("\"count\": 1, \"flavors\": [\"h100\", \"h100\"],", "podSets[0].flavors"),
                bad("\"count\": 1, \"flavors\": \"h100\",", "podSets[0].flavors"));
    }

    private static Stream<Arguments> nodeRules() {
        return Stream.of(
                nodes("'nodeSelector': {'" + "k".repeat(300) + "': 'a'}", "podSets[0].nodeSelector"),
                nodes("'nodeSelector': {'" + "a.".repeat(127) + "com/pool': 'a'}", "podSets[0].nodeSelector"),
                nodes("'nodeSelector': {'-pool': 'a'}", "podSets[0].nodeSelector"),
                nodes("'nodeSelector': {'a/b/c': 'a'}", "podSets[0].nodeSelector"),
                nodes("'nodeSelector': {'': 'a'}", "podSets[0].nodeSelector"),
                nodes("'nodeSelector': {'pool': 'a b'}", "podSets[0].nodeSelector.pool"),
                nodes("'nodeSelector': {'pool': '" + "v".repeat(64) + "'}", "podSets[0].nodeSelector.pool"),
                nodes("'nodeSelector': {'pool': 1}", "podSets[0].nodeSelector.pool"),
                nodes("'nodeSelector': {" + times(17, i -> "'k" + i + "': ''") + "}", "podSets[0].nodeSelector"),
                nodes("'nodeSelector': []", "podSets[0].nodeSelector"),
                nodes("'tolerations': [" + times(17, i -> "{'key': 'k" + i + "'}") + "]", "podSets[0].tolerations"),
                nodes("'tolerations': [{'key': 'a', 'operator': 'Gt'}]", "podSets[0].tolerations[0].operator"),
                nodes("'tolerations': [{'key': 'a', 'operator': 'exists'}]", "podSets[0].tolerations[0].operator"),
                nodes("'tolerations': [{'key': 'a', 'operator': 1}]", "podSets[0].tolerations[0].operator"),
                nodes(
                        "'tolerations': [{'key': 'a'}, {'key': 'a', 'operator': 'Exists', 'value': 'b'}]",
                        "podSets[0].tolerations[1].value"),
                nodes("'tolerations': [{'key': 'a', 'value': 'b c'}]", "podSets[0].tolerations[0].value"),
                nodes("'tolerations': [{'operator': 'Equal', 'value': 'b'}]", "podSets[0].tolerations[0].key"),
                nodes("'tolerations': [{}]", "podSets[0].tolerations[0].key"),
                nodes("'tolerations': [{'key': '" + "k".repeat(300) + "'}]", "podSets[0].tolerations[0].key"),
                nodes(
                        "'tolerations': [{'key': 'node.kubernetes.io/not-ready', 'operator': 'Exists'}]",
                        "podSets[0].tolerations[0].key"),
                nodes("'tolerations': [{'key': 'a', 'effect': 'Never'}]", "podSets[0].tolerations[0].effect"),
                nodes(
                        "'tolerations': [{'key': 'a', 'effect': 'NoExecute', 'tolerationSeconds': 60}]",
                        "podSets[0].tolerations[0].tolerationSeconds"));
    }

    private static Stream<Arguments> affinity() {
        return Stream.of(
                nodes(
                        "'affinity': [{'podSet': 'ps', 'level': 'rack', 'kind': 'TOGETHER'}]",
                        "podSets[0].affinity[0].podSet"),
                nodes("'startAfter': [{'podSet': 'ps'}]", "podSets[0].startAfter[0].podSet"),
                nodes("'startAfter': [{'podSet': 'worker'}]", "podSets[0].startAfter[0].podSet"),
                nodes("'startAfter': [{'podSet': 'ps', 'when': 'LATER'}]", "podSets[0].startAfter[0].when"),
                nodes("'startAfter': [" + times(17, i -> "{'podSet': 'ps'}") + "]", "podSets[0].startAfter"),
                nodes(
                        "'affinity': [{'podSet': 'worker', 'level': 'rack', 'kind': 'APART'}]",
                        "podSets[0].affinity[0].podSet"),
                nodes("'affinity': [{'podSet': 'ps', 'level': 'rack', 'kind': 'NEAR'}]", "podSets[0].affinity[0].kind"),
                nodes("'affinity': [{'podSet': 'ps', 'level': 'rack'}]", "podSets[0].affinity[0].kind"),
                nodes(
                        "'affinity': [{'podSet': 'ps', 'level': 'cluster', 'kind': 'APART'}]",
                        "podSets[0].affinity[0].level"),
                nodes(
                        "'affinity': [" + times(17, i -> "{'podSet': 'ps', 'level': 'rack', 'kind': 'APART'}") + "]",
                        "podSets[0].affinity"),
                two(
                        "'topology': {'required': 'rack'},",
                        "'level': 'zone', 'kind': 'APART'",
                        "podSets[1].affinity[0].level"),
                two("", "'level': 'planet', 'kind': 'TOGETHER'", "podSets[1].affinity[0].level"),
                two(
                        "",
                        "'level': 'hostname', 'kind': 'TOGETHER'}, {'podSet': 'a', 'level': 'rack', 'kind': 'APART'",
                        "podSets[1].affinity[1].level"));
    }

    private static Stream<Arguments> names() {
        return Stream.of(
                bad("\"count\": 1, \"name\": \"UPPER\",", "podSets[0].name"),
                bad("\"count\": 1, \"name\": \"trailing-\",", "podSets[0].name"),
                bad("\"count\": 1, \"cuont\": 1,", "podSets[0].cuont"));
    }

    /** With single quotes for double ones. */
    private static Arguments nodes(String rules, String field) {
        return bad("\"count\": 1, " + rules.replace('\'', '"') + ",", field);
    }

    /** A job of two sets, the second with this affinity to the first. */
    private static Arguments two(String job, String affinity, String field) {
        String set = "{'name': '%s', 'count': 1, 'template': {'image': 'x'}%s}";
        String second = set.formatted("b", ", 'affinity': [{'podSet': 'a', " + affinity + "}]");
        String body = "{'name': 'x', " + job + " 'podSets': [" + set.formatted("a", "") + ", " + second + "]}";
        return Arguments.of(body.replace('\'', '"'), field);
    }

    private static String times(int times, IntFunction<String> text) {
        return IntStream.range(0, times).mapToObj(text).collect(Collectors.joining(", "));
    }

    /** The job whose only pod set has these fields. */
    static Arguments bad(String podSet, String field) {
        return Arguments.of(Json.podSet(podSet), field);
    }
}
