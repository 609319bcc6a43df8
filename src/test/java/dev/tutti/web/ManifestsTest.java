package dev.tutti.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** What kubectl takes, over HTTP. */
@SpringBootTest(classes = WebApp.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class ManifestsTest {

    private static final String MANIFESTS = "/api/v1/manifests";

    private static final String JOB = """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: train
              namespace: team-a
              labels:
                kueue.x-k8s.io/queue-name: research/llm
                tutti.dev/lane: green
                team: nlp
              annotations:
                tutti.dev/priority: "7"
                tutti.dev/flavors: h100
                tutti.dev/topology-required: rack
                tutti.dev/expected-runtime-seconds: "600"
                kubectl.kubernetes.io/last-applied-configuration: "{}"
            spec:
              parallelism: 2
              completions: 2
              suspend: true
              template:
                metadata:
                  labels: {app: train}
                spec:
                  restartPolicy: Never
                  terminationGracePeriodSeconds: 45
                  nodeSelector: {pool: training}
                  tolerations:
                  - key: dedicated
                    value: training
                    effect: NoSchedule
                  - operator: Exists
                  containers:
                  - name: main
                    image: pytorch/pytorch
                    command: [python, train.py]
                    env:
                    - name: A
                      value: "1"
                    resources:
                      limits:
                        nvidia.com/gpu: 8
                        cpu: "1.5"
                      requests:
                        cpu: 1500m
                        memory: 1G
            """;

    private final Http http;
    private final MemoryJobs jobs;

    ManifestsTest(@LocalServerPort int port, @Autowired MemoryJobs jobs) {
        this.http = new Http(port);
        this.jobs = jobs;
    }

    private Http.Answer post(String yaml) {
        return post("", yaml);
    }

    private Http.Answer post(String query, String yaml) {
        return http.call("POST", MANIFESTS + query, "application/yaml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aJobIsUnderstoodAndStored() {
        Http.Answer answer = post(JOB);

        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        assertThat(answer.json().path("ignored").valueStream().map(JsonNode::asString))
                .containsExactly(
                        "metadata.namespace", "spec.template.metadata", "spec.template.spec.containers[0].name");
        JsonNode job = http.get(answer.header("Location")).json();
        assertThat(job.path("name").asString()).isEqualTo("train");
        assertThat(job.path("queue").asString()).isEqualTo("research/llm");
        assertThat(job.path("lane").asString()).isEqualTo("green");
        assertThat(job.path("priority").asInt()).isEqualTo(7);
        assertThat(job.path("labels").toString()).isEqualTo("{\"team\":\"nlp\"}");
        assertThat(job.at("/topology/required").asString()).isEqualTo("rack");
        assertThat(job.path("expectedRuntimeSeconds").asInt()).isEqualTo(600);
        assertThat(job.at("/preemption/graceSeconds").asInt()).isEqualTo(45);
        assertThat(job.at("/retry/maxFailures").asInt()).isEqualTo(6);
        JsonNode set = job.at("/podSets/0");
        assertThat(set.path("count").asInt()).isEqualTo(2);
        assertThat(set.path("gpusPerPod").asInt()).isEqualTo(8);
        assertThat(set.path("cpuMilli").asInt()).isEqualTo(1_500);
        assertThat(set.path("memoryMib").asInt()).as("1 G is 953.7 MiB").isEqualTo(954);
        assertThat(set.at("/nodeSelector/pool").asString()).isEqualTo("training");
        assertThat(set.path("tolerations").toString())
                .isEqualTo("[{\"key\":\"dedicated\",\"operator\":\"Equal\",\"value\":\"training\","
                        + "\"effect\":\"NoSchedule\"},{\"operator\":\"Exists\"}]");
        assertThat(set.at("/template/command/1").asString()).isEqualTo("train.py");
        assertThat(set.at("/template/env/A").asString()).isEqualTo("1");
    }

    @Test
    void aMigResourceIsAnInstance() {
        Http.Answer answer = post(JOB.replace("nvidia.com/gpu: 8", "nvidia.com/mig-3g.40gb: 1"));

        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        JsonNode set = http.get(answer.header("Location")).json().at("/podSets/0");
        assertThat(set.path("mig").asString()).isEqualTo("3g.40gb");
        assertThat(set.path("gpusPerPod").asInt()).isZero();
    }

    @Test
    void nicsOfOneResourceAreNicsOfThatResource() {
        Http.Answer answer = post(JOB.replaceAll("( *)nvidia.com/gpu: 8", "$1nvidia.com/gpu: 8\n$1rdma/ib: 4"));

        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        JsonNode set = http.get(answer.header("Location")).json().at("/podSets/0");
        assertThat(set.path("rdma").asInt()).isEqualTo(4);
        assertThat(set.path("rdmaResource").asString()).isEqualTo("rdma/ib");
    }

    @Test
    void nicsOfTwoResourcesAreRefused() {
        Http.Answer answer =
                post(JOB.replaceAll("( *)nvidia.com/gpu: 8", "$1nvidia.com/gpu: 8\n$1rdma/a: 1\n$1rdma/b: 1"));

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.text()).contains("resources.limits.rdma/b").contains("second resource of RDMA NICs");
    }

    @Test
    void zeroOfAResourceIsNotAskedFor() {
        Http.Answer nics = post(JOB.replaceAll(
                "( *)nvidia.com/gpu: 8", "$1nvidia.com/gpu: 8\n$1rdma/a: 0\n$1rdma/b: 2\n$1nvidia.com/mig-1g.10gb: 0"));
        Http.Answer none = post(JOB.replaceAll("( *)nvidia.com/gpu: 8", "$1nvidia.com/gpu: 8\n$1rdma/a: 0"));

        assertThat(nics.status()).as(nics.text()).isEqualTo(201);
        JsonNode set = http.get(nics.header("Location")).json().at("/podSets/0");
        assertThat(set.path("rdma").asInt()).isEqualTo(2);
        assertThat(set.path("rdmaResource").asString()).isEqualTo("rdma/b");
        assertThat(none.status()).as(none.text()).isEqualTo(201);
    }

    @Test
    void aResourceThatStandsInTheRequestsAloneIsNamedThere() {
        assertThat(post(JOB.replaceAll("( *)memory: 1G", "$1memory: 1G\n$1nvidia.com/gpu: 65")
                                .replaceAll("\n *nvidia.com/gpu: 8", ""))
                        .fields())
                .containsExactly("spec.template.spec.containers[0].resources.requests.nvidia.com/gpu");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nvidia.com/mig-3g.40gb: 2",
                "nvidia.com/mig-3g.40gb: 500m",
                "nvidia.com/mig-3g.40gb: 1 AND nvidia.com/mig-1g.10gb: 1",
                "nvidia.com/mig-3g.40gb: 1 AND nvidia.com/gpu: 1",
                "nvidia.com/mig-3g.41gb: 1",
                "nvidia.com/mig-1g.10gb.me: 1"
            })
    void otherThanOneKnownInstanceIsRefused(String resources) {
        int before = jobs.size();
        Http.Answer answer = post(JOB.replaceAll("( *)nvidia.com/gpu: 8", "$1" + resources.replace(" AND ", "\n$1")));

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.fields()).allMatch(field -> field.contains(".resources.limits.nvidia.com/mig-"));
        ProblemTest.assertRemedies(answer);
        assertThat(jobs.size()).isEqualTo(before);
    }

    @Test
    void segmentsAreAskedForByAnnotation() {
        Http.Answer answer = post(JOB.replace(
                "topology-required: rack", "topology-segment-pods: \"2\"\n    tutti.dev/topology-segment-level: rack"));

        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        assertThat(http.get(answer.header("Location"))
                        .json()
                        .at("/podSets/0/topology/segment")
                        .toString())
                .isEqualTo("{\"pods\":2,\"level\":\"rack\"}");
    }

    @Test
    void whatWasUnderstoodCanBePostedAsAJob() {
        int before = jobs.size();
        Http.Answer dry = post("?dryRun=true", JOB);

        assertThat(dry.status()).as(dry.text()).isEqualTo(200);
        assertThat(dry.json().at("/forecast/reason/code").asString()).isEqualTo("WAITING_FOR_CAPACITY");
        assertThat(jobs.size()).isEqualTo(before);
        assertThat(http.post("/api/v1/jobs", dry.json().path("understood").toString())
                        .status())
                .isEqualTo(201);
    }

    @Test
    void theSameKeyGivesTheSameAnswer() {
        Http keyed = http.with("Idempotency-Key", UUID.randomUUID().toString());
        byte[] yaml = JOB.getBytes(StandardCharsets.UTF_8);
        Http.Answer first = keyed.call("POST", MANIFESTS, "application/yaml", yaml);

        assertThat(keyed.call("POST", MANIFESTS, "text/yaml", yaml).raw().body())
                .isEqualTo(first.raw().body());
        assertThat(keyed.call(
                                "POST",
                                MANIFESTS,
                                "text/yaml",
                                JOB.replace("train", "other").getBytes(StandardCharsets.UTF_8))
                        .status())
                .isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kind: Job | kind: Pod | kind",
                "parallelism: 2 | parallelism: 3 | spec.completions",
                "suspend: true | completionMode: Indexed | spec.completionMode",
                "suspend: true | ttlSecondsAfterFinished: 5 | spec.ttlSecondsAfterFinished",
                "suspend: true | activeDeadlineSeconds: 5 | spec.activeDeadlineSeconds",
                "restartPolicy: Never | restartPolicy: OnFailure | spec.template.spec.restartPolicy",
                "restartPolicy: Never | hostNetwork: true | spec.template.spec.hostNetwork",
                "key: dedicated | tolerationSeconds: 5 | spec.template.spec.tolerations[0].tolerationSeconds",
                "restartPolicy: Never | nodeName: n1 | spec.template.spec.nodeName",
                "restartPolicy: Never | affinity: {} | spec.template.spec.affinity",
                "restartPolicy: Never | volumes: [] | spec.template.spec.volumes",
                "- name: main | - securityContext: {privileged: true} | spec.template.spec.containers[0].securityContext",
                "value: \"1\" | valueFrom: {} | spec.template.spec.containers[0].env[0].valueFrom",
                "cpu: \"1.5\" | cpu: 2 | spec.template.spec.containers[0].resources.limits.cpu",
                "cpu: \"1.5\" | example.com/fpga: 1"
                        + " | spec.template.spec.containers[0].resources.limits.example.com/fpga",
                "cpu: \"1.5\" | rdma/hca: 1.5 | spec.template.spec.containers[0].resources.limits.rdma/hca",
                "gpu: 8 | gpu: 1.5 | spec.template.spec.containers[0].resources.limits.nvidia.com/gpu",
                "gpu: 8 | gpu: -1 | spec.template.spec.containers[0].resources.limits.nvidia.com/gpu",
                "gpu: 8 | gpu: 1Gx | spec.template.spec.containers[0].resources.limits.nvidia.com/gpu",
                "gpu: 8 | gpu: 9223372036854775808 | spec.template.spec.containers[0].resources.limits.nvidia.com/gpu",
                "memory: 1G | memory: 1e999 | spec.template.spec.containers[0].resources.requests.memory",
                "memory: 1G | memory: .nan | spec.template.spec.containers[0].resources.requests.memory",
                "tutti.dev/priority: | tutti.dev/prioritty: | metadata.annotations.tutti.dev/prioritty",
                "tutti.dev/lane: | tutti.dev/lame: | metadata.labels.tutti.dev/lame",
                "name: train | uid: train | metadata.uid",
                "topology-required: rack | topology-segment-level: rack"
                        + " | metadata.annotations.tutti.dev/topology-segment-level",
                "topology-required: rack | topology-segment-pods: \"2\""
                        + " | metadata.annotations.tutti.dev/topology-segment-pods",
                "topology-required: rack | topology-segment-pods: two"
                        + " | metadata.annotations.tutti.dev/topology-segment-pods",
                "image: pytorch/pytorch | imagePullPolicy: Always | spec.template.spec.containers[0].image",
            })
    void whatIsNotModelledIsNamed(String from, String to, String field) {
        int before = jobs.size();
        Http.Answer answer = post(JOB.replace(from, to));

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("MISCONFIGURED");
        assertThat(answer.fields()).contains(field);
        ProblemTest.assertRemedies(answer);
        assertThat(jobs.size()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "parallelism: 2\\n  completions: 2 | parallelism: 0\\n  completions: 0 | spec.parallelism",
                "research/llm | nowhere | metadata.labels.kueue.x-k8s.io/queue-name",
                "kueue.x-k8s.io/queue-name: research/llm | tutti.dev/queue: ../x | metadata.labels.tutti.dev/queue",
                "lane: green | lane: blue | metadata.labels.tutti.dev/lane",
                "pool: training | pool: a b | spec.template.spec.nodeSelector.pool",
                "pool: training | _: a | spec.template.spec.nodeSelector",
                "- operator: Exists | - operator: Ex | spec.template.spec.tolerations[1].operator",
                "effect: NoSchedule | effect: No | spec.template.spec.tolerations[0].effect",
                "flavors: h100 | flavors: h200 | metadata.annotations.tutti.dev/flavors[0]",
                "topology-required: rack | topology-required: moon | metadata.annotations.tutti.dev/topology-required",
                "topology-required: rack | topology-preferred: moon | metadata.annotations.tutti.dev/topology-preferred",
                "topology-required: rack | topology-segment-level: moon\\n    tutti.dev/topology-segment-pods: \"2\""
                        + " | metadata.annotations.tutti.dev/topology-segment-level",
                "topology-required: rack | topology-segment-level: rack\\n    tutti.dev/topology-segment-pods: \"3\""
                        + " | metadata.annotations.tutti.dev/topology-segment-pods",
                "name: train | name: \"a\\ab\" | metadata.name",
                "gpu: 8 | gpu: 65 | spec.template.spec.containers[0].resources.limits.nvidia.com/gpu",
                "nvidia.com/gpu: 8 | nvidia.com/mig-3g.41gb: 1"
                        + " | spec.template.spec.containers[0].resources.limits.nvidia.com/mig-3g.41gb",
                "gpu: 8 | gpu: 8\\n            rdma/ib: 17 | spec.template.spec.containers[0].resources.limits.rdma/ib",
                "name: train | generateName: \"\" | metadata.generateName",
                "name: A | name: NVIDIA_VISIBLE_DEVICES | spec.template.spec.containers[0].env[0]",
            })
    void whatIsOutOfRangeIsNamedAsItStandsInTheManifest(String from, String to, String field) {
        String manifest = JOB.replace(from.replace("\\n", "\n"), to.replace("\\n", "\n"));
        if (to.startsWith("tutti.dev/queue")) {
            manifest = manifest.replace("  suspend: true\n", "");
        }
        Http.Answer answer = post(manifest);

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("VALIDATION");
        assertThat(answer.fields()).as(answer.text()).contains(field);
        ProblemTest.assertRemedies(answer);
    }

    static Stream<Arguments> broken() {
        String bomb = "a0: &a0 [x]\n"
                + IntStream.range(1, 12)
                        .mapToObj(i -> "a%d: &a%d [*a%d,*a%d,*a%d]".formatted(i, i, i - 1, i - 1, i - 1))
                        .collect(Collectors.joining("\n"));
        return Stream.of(
                Arguments.of(bomb, "aliases"),
                Arguments.of("a: &a [*a]", "aliases"),
                Arguments.of("a: " + "[".repeat(100_000), "nested"),
                Arguments.of("- ".repeat(50_000), "nested"),
                Arguments.of("a: !!java.lang.Runtime x", "tags"),
                Arguments.of("a: 1\na: 2", "twice"),
                Arguments.of("? [a]\n: b", "key"),
                Arguments.of("[" + "1,".repeat(60_000) + "1]", "values"),
                Arguments.of(JOB + "---\n" + JOB, "second document"),
                Arguments.of("a: [", "line"),
                Arguments.of("\tx: 1", "line"),
                Arguments.of("a: \u0007", ""),
                Arguments.of("", "empty"));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void aBrokenDocumentIsRefusedAtOnce(String yaml, String word) {
        int before = jobs.size();
        long start = System.nanoTime();
        Http.Answer answer = post(yaml);

        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("MALFORMED");
        assertThat(answer.text()).contains(word);
        assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
        assertThat(jobs.size()).isEqualTo(before);
    }

    @Test
    void aLargeManifestIsRefused() {
        assertThat(post("a: " + "b".repeat(2 << 20)).status()).isEqualTo(413);
    }

    @Test
    void jsonIsTakenToo() {
        String json = """
                {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"generateName": "x-", "creationTimestamp": null},
                 "spec": {"template": {"spec": {"containers": [{"image": "i", "resources": {}}]}}}, "status": {}}""";
        Http.Answer answer = http.post(MANIFESTS, json);

        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        assertThat(http.get(answer.header("Location")).json().at("/gpus/pods").asInt())
                .isEqualTo(1);
    }
}
