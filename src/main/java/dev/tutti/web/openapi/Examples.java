package dev.tutti.web.openapi;

import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.examples.Example;
import io.swagger.v3.oas.models.media.MediaType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Bodies that work as they stand, by operation. */
final class Examples {

    /** Operations whose answers carry an ETag. */
    static final Set<String> VERSIONED = Set.of(
            "submitJob",
            "getJob",
            "cancelJob",
            "suspendJob",
            "changeJob",
            "resumeJob",
            "submitManifest",
            "getQueue",
            "createQueue",
            "changeQueue",
            "getKey",
            "createKey");

    private static final String JOB = """
            {"name": "train", "podSets": [{"count": 2, "gpusPerPod": 8,
             "template": {"image": "pytorch/pytorch:2.9", "command": ["python", "train.py"]}}],
             "topology": {"preferred": "rack"}, "expectedRuntimeSeconds": 3600}""";

    private static final Map<String, List<Named>> BODIES = Map.of(
            "submitJob",
            List.of(new Named("a gang", "2 pods of 8 GPUs, in one rack where that is possible", JOB)),
            "submitJobs",
            List.of(new Named("a batch", "Jobs that are all stored, or none", "{\"jobs\": [" + JOB + "]}")),
            "createQueue",
            List.of(
                    new Named("1. the top", "64 GPUs for all of research", """
                            {"path": "research", "nominalMilli": {"h100-sxm": 64000}}"""),
                    new Named("2. a leaf that borrows", "48 of them, up to 8 borrowed, 16 lent at the most", """
                            {"path": "research/llm", "nominalMilli": {"h100-sxm": 48000}, "borrowingLimitMilli": {"h100-sxm": 8000},
                             "lendingLimitMilli": {"h100-sxm": 16000}, "fairShareWeight": 2}"""),
                    new Named(
                            "3. a leaf for many users",
                            "16 of them; of one user 200 jobs wait and 4 GPUs are held",
                            """
                            {"path": "research/students", "nominalMilli": {"h100-sxm": 16000}, "maxWaitingJobs": 5000,
                             "perUser": {"maxWaitingJobs": 200, "maxGpuMilli": 4000}, "maxWholeNodes": {"h100-sxm": 1}}""")),
            "changeQueue",
            List.of(
                    new Named("1. hold it", "Nothing starts, here and below; what runs goes on", "{\"held\": true}"),
                    new Named(
                            "2. drain it", "No more jobs come in; let it go again with false", "{\"draining\": true}"),
                    new Named("3. more quota", "Try it with dryRun=true first", """
                            {"nominalMilli": {"h100-sxm": 72000}, "borrowingLimitMilli": {"h100-sxm": 0}}"""),
                    new Named("4. no limits", "null takes a limit away", """
                            {"maxWaitingJobs": null, "perUser": null, "borrowingLimitMilli": null}""")),
            "changeLane",
            List.of(
                    new Named("1. nights and weekends", "Nothing of the lane starts outside of them", """
                            {"hours": {"timeZone": "Europe/Zurich", "windows": [
                             {"days": ["mon", "tue", "wed", "thu", "fri"], "from": "20:00", "to": "06:00"},
                             {"days": ["sat", "sun"], "from": "00:00", "to": "24:00"}]}}"""),
                    new Named("2. always open", "Without hours", "{\"hours\": null}"),
                    new Named("3. few and late", "60 starts a minute; the second flavor after ten minutes", """
                            {"startsPerMinute": 60, "fallbackAfterSeconds": 600}""")),
            "createKey",
            List.of(new Named("a submitter", "For a pipeline", "{\"name\": \"nightly\", \"role\": \"submitter\"}")));

    private static final String MANIFEST = """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: train
              labels: {tutti.dev/queue: default}
            spec:
              parallelism: 2
              completions: 2
              template:
                spec:
                  restartPolicy: Never
                  containers:
                  - image: pytorch/pytorch:2.9
                    resources: {limits: {nvidia.com/gpu: 8}}
            """;

    private Examples() {}

    static void add(Operation operation) {
        if (operation.getRequestBody() == null) {
            return;
        }
        operation.getRequestBody().getContent().forEach((type, body) -> add(operation.getOperationId(), type, body));
    }

    private static void add(String operationId, String type, MediaType body) {
        if (type.endsWith("yaml")) {
            body.setExample(MANIFEST);
        }
        for (Named each : BODIES.getOrDefault(operationId, List.of())) {
            body.addExamples(each.name, new Example().summary(each.summary).value(each.read()));
        }
    }

    /** A body to choose; those of an operation are shown in the order of their names. */
    private record Named(String name, String summary, String json) {

        Object read() {
            try {
                return Json.mapper().readTree(json);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }
}
